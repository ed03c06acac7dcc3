// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/safetensors_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace headscope;

namespace
{

constexpr const char* kFinal = "/embeddings/final";
constexpr std::int64_t kOut = 10;

} // namespace

/// The sentence embedding, by the built program: made by the modules behind the pooling, kept beside stage 3.
class TestEngineEmbedding : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void modulesAreApplied();
    void truncated();
    void rawLastLayer();
    void notStored();
    void moduleThatIsNotOffered();
    void resumedAndMerged();
    void addedTo();
    void joined();
    void embedGivesIt();

private:
    /// A copy of a golden decoder with a Dense (tanh) and a Normalize behind the pooling.
    [[nodiscard]] std::filesystem::path modelWithDense();
    [[nodiscard]] test::ProcessOutcome extract(const QStringList& options, const std::string& documents = "docs.jsonl",
                                               const std::string& output = "c.h5") const;
    [[nodiscard]] std::filesystem::path at(const std::string& name) const { return m_base / name; }
    /// The embedding computed from stage 3 of the last layer of a cache, in float64.
    [[nodiscard]] std::vector<double> expected(const std::vector<float>& hidden) const;
    /// Of a dataset below /embeddings or /topics/NAME/embeddings.
    void compare(const std::filesystem::path& cache, const std::string& group) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_base;
    std::filesystem::path m_model;
    test::MadeTensor m_weight;
    test::MadeTensor m_bias;
};

void TestEngineEmbedding::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_base = m_folder->path().toStdString();
    std::string lines;
    for (int i = 0; i < 9; ++i)
        lines += R"({"id": "d)" + std::to_string(i) + R"(", "text": "Rain fell on the )" +
                 std::string(static_cast<std::size_t>(i), 'x') + R"( roof.", "topic": ")" +
                 (i % 2 == 0 ? "wet" : "dry") + "\"}\n";
    test::writeFile(at("docs.jsonl"), lines);
    m_model = modelWithDense();
}

std::filesystem::path TestEngineEmbedding::modelWithDense()
{
    auto model = test::copyOf("models/mistral_f32", m_base);
    constexpr std::int64_t kModelDim = 128;
    m_weight = test::madeTensor("linear.weight", {kOut, kModelDim}, 1);
    m_bias = test::madeTensor("linear.bias", {kOut}, 2);
    test::writeSafetensors(model / "2_Dense/model.safetensors", {m_weight, m_bias});
    test::writeFile(model / "2_Dense/config.json",
                    R"({"in_features": 128, "out_features": 10, "bias": true,
                        "activation_function": "torch.nn.modules.activation.Tanh"})");
    test::writeFile(model / "modules.json", R"([
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"},
        {"idx": 3, "name": "3", "path": "3_Normalize", "type": "sentence_transformers.models.Normalize"}])");
    return model;
}

test::ProcessOutcome TestEngineEmbedding::extract(const QStringList& options, const std::string& documents,
                                                  const std::string& output) const
{
    return test::runEngine(QStringList{"extract", test::text(m_model), test::text(at(documents)), "-o",
                                       test::text(at(output)), "--overwrite"} +
                           options);
}

std::vector<double> TestEngineEmbedding::expected(const std::vector<float>& hidden) const
{
    const auto dims = static_cast<std::size_t>(m_weight.shape[1]);
    std::vector<double> all;
    for (std::size_t row = 0; row + dims <= hidden.size(); row += dims)
    {
        std::vector<double> one;
        double squares = 0;
        for (std::size_t o = 0; o < kOut; ++o)
        {
            double sum = m_bias.values[o];
            for (std::size_t i = 0; i < dims; ++i)
                sum += static_cast<double>(m_weight.values[o * dims + i]) * static_cast<double>(hidden[row + i]);
            one.push_back(std::tanh(sum));
            squares += one.back() * one.back();
        }
        for (const double value : one)
            all.push_back(value / std::sqrt(squares));
    }
    return all;
}

void TestEngineEmbedding::compare(const std::filesystem::path& path, const std::string& group) const
{
    const test::GoldenFile cache(path);
    const std::string layer = group + "/layer_002/stage3";
    QVERIFY(cache.has(layer) && cache.has(group + "/final"));
    const auto wanted = expected(cache.floats(layer));
    QCOMPARE(cache.shape(group + "/final"),
             (std::vector<std::int64_t>{static_cast<std::int64_t>(wanted.size()) / kOut, kOut}));
    const auto found = cache.doubles(group + "/final");
    QVERIFY2(test::absmax(found, wanted) < 5e-6, std::to_string(test::absmax(found, wanted)).c_str());
}

void TestEngineEmbedding::modulesAreApplied()
{
    const auto made = extract({});
    QVERIFY2(made.exitCode == 0, made.err.constData());
    QVERIFY2(!made.err.contains("not applied") && !made.err.contains("not stored"), made.err.constData());
    compare(at("c.h5"), "/embeddings");
    compare(at("c.h5"), "/topics/topic/embeddings");
    const test::GoldenFile cache(at("c.h5"));
    QCOMPARE(cache.text(kFinal, "modules"), std::string("Dense (128 to 10, tanh), Normalize"));
    QCOMPARE(cache.text(kFinal, "xxh3").size(), 32U);
    const auto model = test::jsonOf(test::runEngine({"inspect", test::text(m_model), "--json"}));
    QCOMPARE(model["sentence_embedding"].toObject()["modules"].toString(),
             QStringLiteral("Dense (128 to 10, tanh), Normalize"));
    QCOMPARE(model["sentence_embedding"].toObject()["dims"].toInt(), 10);
    const auto inspected = test::jsonOf(test::runEngine({"inspect", test::text(at("c.h5")), "--json"}));
    QCOMPARE(inspected["modules"].toString(), QStringLiteral("Dense (128 to 10, tanh), Normalize"));
    const auto last = inspected["embeddings"].toArray().last().toObject();
    QCOMPARE(last["stage"].toString(), QStringLiteral("embedding"));
    QCOMPARE(last["dims"].toInt(), 10);
    QVERIFY(inspected["warnings"].toArray().isEmpty());
    // Streamed, in half precision, and on other threads.
    QVERIFY(extract({"--threads", "1"}, "docs.jsonl", "one.h5").exitCode == 0);
    QVERIFY(test::GoldenFile(at("one.h5")).floats(kFinal) == cache.floats(kFinal));
    const auto streamed = extract({"--memory", "400M"}, "docs.jsonl", "streamed.h5");
    QVERIFY2(streamed.exitCode == 0, streamed.err.constData());
    QVERIFY(test::GoldenFile(at("streamed.h5")).floats(kFinal) == cache.floats(kFinal));
}

void TestEngineEmbedding::truncated()
{
    QVERIFY(extract({}).exitCode == 0);
    const auto whole = test::GoldenFile(at("c.h5")).floats(kFinal);
    test::writeFile(m_model / "config_sentence_transformers.json", R"({"truncate_dim": 4})");
    QVERIFY(extract({}, "docs.jsonl", "t.h5").exitCode == 0);
    const test::GoldenFile cache(at("t.h5"));
    QCOMPARE(cache.shape(kFinal), (std::vector<std::int64_t>{9, 4}));
    const auto part = cache.floats(kFinal);
    for (std::size_t row = 0; row < 9; ++row)
        QVERIFY(std::equal(part.begin() + static_cast<std::ptrdiff_t>(4 * row),
                           part.begin() + static_cast<std::ptrdiff_t>(4 * row + 4),
                           whole.begin() + static_cast<std::ptrdiff_t>(kOut * row)));
    test::writeFile(m_model / "config_sentence_transformers.json", R"({"truncate_dim": 0})");
    HEADSCOPE_VERIFY_FAILED(extract({}), 3, "truncate_dim: expected an integer of 1 or more");
}

void TestEngineEmbedding::rawLastLayer()
{
    QVERIFY(extract({}).exitCode == 0);
    QVERIFY(extract({"--last-layer", "raw"}, "docs.jsonl", "raw.h5").exitCode == 0);
    const test::GoldenFile normed(at("c.h5"));
    const test::GoldenFile raw(at("raw.h5"));
    QVERIFY(raw.floats("/embeddings/layer_002/stage3") != normed.floats("/embeddings/layer_002/stage3"));
    QVERIFY(raw.floats(kFinal) == normed.floats(kFinal)); // modules take what the model gives
}

void TestEngineEmbedding::notStored()
{
    const auto without = [this](const QStringList& options, const char* notice) {
        const auto made = extract(options);
        QVERIFY2(made.exitCode == 0, made.err.constData());
        QVERIFY2(*notice == 0 ? !made.err.contains("not stored") : made.err.contains(notice), made.err.constData());
        QVERIFY(!test::GoldenFile(at("c.h5")).has(kFinal));
    };
    without({"--embedding", "none"}, "");
    without({"--stages", "1"}, "is not stored: it is stored only with stage 3 of the last layer");
    without({"--layers", "0"}, "is not stored: it is stored only with stage 3 of the last layer");
    without({"--pooling", "mean"}, "is not stored: the model's files set pooling by last, but this run uses mean");
    HEADSCOPE_VERIFY_FAILED(extract({"--stages", "embedding"}), 2, "expected 1, 2, 3 or contribution");
}

void TestEngineEmbedding::moduleThatIsNotOffered()
{
    std::string modules = test::contents(m_model / "modules.json");
    const std::string name = "sentence_transformers.models.Dense";
    modules.replace(modules.find(name), name.size(), "sentence_transformers.models.LSTM");
    test::writeFile(m_model / "modules.json", modules);
    const auto made = extract({});
    QVERIFY2(made.exitCode == 0, made.err.constData());
    QVERIFY2(made.err.contains("the module LSTM (2_Dense) is not applied"), made.err.constData());
    QVERIFY(!test::GoldenFile(at("c.h5")).has(kFinal));
    const auto shown = test::runEngine({"inspect", test::text(m_model)});
    QVERIFY2(shown.out.contains("embedding   not computed: the module LSTM is not applied"), shown.out.constData());
}

void TestEngineEmbedding::resumedAndMerged()
{
    QVERIFY(extract({}).exitCode == 0);
    const auto whole = test::GoldenFile(at("c.h5")).floats(kFinal);
    const QStringList step = {"--shard-mb", "1"};
    QVERIFY(extract(step + QStringList{"--range", "0:4"}, "docs.jsonl", "a.h5").exitCode == 0);
    QVERIFY(extract(step + QStringList{"--range", "4:9"}, "docs.jsonl", "b.h5").exitCode == 0);
    const auto merged =
        test::runEngine({"merge", test::text(at("a.h5")), test::text(at("b.h5")), "-o", test::text(at("m.h5"))});
    QVERIFY2(merged.exitCode == 0, merged.err.constData());
    compare(at("m.h5"), "/embeddings");
    compare(at("m.h5"), "/topics/topic/embeddings");
    const test::GoldenFile all(at("m.h5"));
    QCOMPARE(all.floats(kFinal).size(), whole.size());
    QCOMPARE(all.text(kFinal, "modules"), std::string("Dense (128 to 10, tanh), Normalize"));
}

void TestEngineEmbedding::addedTo()
{
    std::string lines = test::contents(at("docs.jsonl"));
    test::writeFile(at("more.jsonl"), lines + "{\"id\": \"new\", \"text\": \"Snow fell.\", \"topic\": \"cold\"}\n");
    const QStringList into = {"extract", test::text(m_model), test::text(at("more.jsonl")), "--into",
                              test::text(at("c.h5"))};
    QVERIFY(extract({}).exitCode == 0);
    auto grown = test::runEngine(into);
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    QCOMPARE(test::GoldenFile(at("c.h5")).shape(kFinal), (std::vector<std::int64_t>{10, kOut}));
    compare(at("c.h5"), "/embeddings");
    compare(at("c.h5"), "/topics/topic/embeddings");
    // A cache without it stays so, unless its stages are asked for again.
    QVERIFY(extract({"--embedding", "none"}).exitCode == 0);
    grown = test::runEngine(into);
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    QVERIFY(!test::GoldenFile(at("c.h5")).has(kFinal));
    grown = test::runEngine({"extract", test::text(m_model), "--into", test::text(at("c.h5")), "--stages", "3"});
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    compare(at("c.h5"), "/embeddings");
    compare(at("c.h5"), "/topics/topic/embeddings");
    QCOMPARE(test::GoldenFile(at("c.h5")).text(kFinal, "modules"), std::string("Dense (128 to 10, tanh), Normalize"));
    // Other weights of the modules are another model.
    test::writeSafetensors(m_model / "2_Dense/model.safetensors",
                           {test::madeTensor("linear.weight", {kOut, 128}, 7), m_bias});
    test::writeFile(at("more.jsonl"), "{\"id\": \"other\", \"text\": \"Hail fell.\", \"topic\": \"cold\"}\n");
    HEADSCOPE_VERIFY_FAILED(test::runEngine(into), 3, "the digest of the modules' weights");
}

void TestEngineEmbedding::joined()
{
    QVERIFY(extract({"--stages", "1"}, "docs.jsonl", "a.h5").exitCode == 0);
    QVERIFY(extract({"--stages", "3"}, "docs.jsonl", "b.h5").exitCode == 0);
    const auto merged =
        test::runEngine({"merge", test::text(at("a.h5")), test::text(at("b.h5")), "-o", test::text(at("m.h5"))});
    QVERIFY2(merged.exitCode == 0, merged.err.constData());
    compare(at("m.h5"), "/embeddings");
    QCOMPARE(test::GoldenFile(at("m.h5")).text(kFinal, "modules"), std::string("Dense (128 to 10, tanh), Normalize"));
}

void TestEngineEmbedding::embedGivesIt()
{
    test::writeFile(at("one.jsonl"), "{\"text\": \"Rain fell.\"}\n");
    QVERIFY(extract({}, "one.jsonl").exitCode == 0);
    const auto wanted = test::GoldenFile(at("c.h5")).floats(kFinal);
    const QByteArray request = R"({"id": 1, "method": "embed", "params": {"model": ")" + test::text(m_model).toUtf8() +
                               R"(", "text": "Rain fell.", "output": ")" + test::text(at("v.f32")).toUtf8() + "\"}}\n";
    const auto served = test::runEngine({"serve"}, request);
    QVERIFY2(served.exitCode == 0, served.err.constData());
    const auto answer = QJsonDocument::fromJson(served.out.trimmed().split('\n').last()).object()["result"].toObject();
    QCOMPARE(answer["modules"].toString(), QStringLiteral("Dense (128 to 10, tanh), Normalize"));
    const auto block = answer["vectors"].toArray().last().toObject();
    QCOMPARE(block["stage"].toString(), QStringLiteral("embedding"));
    QCOMPARE(block["shape"].toArray(), (QJsonArray{1, 10}));
    const std::string bytes = test::contents(at("v.f32"));
    std::vector<float> found(kOut);
    const auto offset = static_cast<std::size_t>(block["offset"].toInt());
    QVERIFY(bytes.size() == offset + found.size() * sizeof(float));
    std::memcpy(found.data(), bytes.data() + offset, found.size() * sizeof(float));
    QVERIFY(found == wanted);
}

HEADSCOPE_TEST_GUILESS(TestEngineEmbedding)
#include "tst_engine_embedding.moc"
