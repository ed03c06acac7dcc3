// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/named_point.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>

#include <cmath>
#include <cstring>

using namespace headscope;

/// `headscope-engine extract` through the built program, against the recorded vectors.
class TestEngineExtract : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void emptyTextsAreFlagged_data();
    void emptyTextsAreFlagged();
    void matchesRecorded_data();
    void matchesRecorded();
    void lastLayerBeforeTheFinalNorm_data();
    void lastLayerBeforeTheFinalNorm();
    void lastLayerRawThatChangesNothing();
    void summaryAndCache();
    void ownColumns();
    void storesHalves();
    void topicFiles();
    void sameBitsOnAnyNumberOfThreads();
    void sameBitsUnderAMemoryLimit();
    void standardInput();
    void refusesExistingOutput();
    void wrongUse_data();
    void wrongUse();
    void badInputs_data();
    void badInputs();
    void progressLines();
    void stopsCleanly_data();
    void stopsCleanly();

private:
    [[nodiscard]] std::filesystem::path writeDocuments(const std::vector<std::string>& texts) const;
    [[nodiscard]] QString output() const { return test::text(m_base / "c.h5"); }
    void verifyNothingLeft() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_base;
};

namespace
{

QString mistral()
{
    return test::text(test::golden("models/mistral_f32"));
}

const QByteArray kThree = R"({"id":"x","text":"The cat sat on the mat.","topic":"cats","n":1})"
                          "\n"
                          R"({"id":"y","text":"Dogs bark at night, and some sing.","topic":"dogs","n":2})"
                          "\n"
                          R"({"id":"z","text":"A cat is not a dog.","topic":"cats","n":3})"
                          "\n";

/// Largest error of a row: max |a - b| / norm of the expected row; rows of documents without any
/// token are NaN in both.
double largestError(const std::vector<float>& found, const std::vector<float>& wanted, std::size_t width)
{
    double largest = 0;
    for (std::size_t row = 0; row < wanted.size(); row += width)
    {
        double norm = 0;
        double difference = 0;
        for (std::size_t i = row; i < row + width; ++i)
        {
            norm += static_cast<double>(wanted[i]) * static_cast<double>(wanted[i]);
            const double one = std::abs(static_cast<double>(found[i]) - static_cast<double>(wanted[i]));
            difference = std::isnan(one) || one > difference ? one : difference;
        }
        if (std::isnan(norm) && std::isnan(difference))
            continue;
        const double error = difference / std::sqrt(norm);
        if (!(error <= largest))
            largest = error;
    }
    return largest;
}

} // namespace

void TestEngineExtract::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_base = m_folder->path().toStdString();
}

std::filesystem::path TestEngineExtract::writeDocuments(const std::vector<std::string>& texts) const
{
    QByteArray lines;
    for (const auto& text : texts)
        lines +=
            QJsonDocument(QJsonObject{{"text", QString::fromStdString(text)}}).toJson(QJsonDocument::Compact) + '\n';
    test::writeFile(m_base / "d.jsonl", lines.toStdString());
    return m_base / "d.jsonl";
}

/// Neither a cache nor anything on the way to one.
void TestEngineExtract::verifyNothingLeft() const
{
    for (const auto& entry : std::filesystem::directory_iterator(m_base))
        QVERIFY2(entry.path().filename().string().find("c.h5") == std::string::npos, entry.path().c_str());
}

void TestEngineExtract::matchesRecorded_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("group");
    QTest::addColumn<QStringList>("options");
    const auto row = [](const char* name, const char* model, const char* expected, const char* group,
                        const QStringList& options) { QTest::newRow(name) << model << expected << group << options; };
    row("mistral_f32", "models/mistral_f32", "models/mistral_f32", "texts", {});
    row("mistral_window", "models/mistral_window", "models/mistral_window", "texts", {});
    row("llama_bf16", "models/llama_bf16", "models/llama_bf16", "texts", {});
    row("qwen2, empty text", "models/qwen2_f32", "models/qwen2_f32", "texts", {});
    row("bert mean", "models/bert_f32", "models/bert_f32", "texts/mean", {});
    row("bert first", "models/bert_f32", "models/bert_f32", "texts/first", {"--pooling", "first"});
    row("gguf Q4_1", "gguf/mistral/mistral-Q4_1.gguf", "gguf/mistral", "Q4_1/texts", {});
    row("gguf Q4_K_M", "gguf/kquant/kquant-Q4_K_M.gguf", "gguf/kquant", "Q4_K_M/texts", {});
    row("gguf llama F16", "gguf/llama/llama-F16.gguf", "gguf/llama", "F16/texts", {});
}

void TestEngineExtract::emptyTextsAreFlagged_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("blankIsEmpty"); // a text of blanks has no token either
    QTest::newRow("no token is added") << "models/qwen2_f32" << false;
    QTest::newRow("a start is added") << "models/llama_mha" << false;
    QTest::newRow("start and end are added") << "models/mistral_f32" << false;
    QTest::newRow("BERT") << "models/bert_f32" << true;
}

/// What the tokens that are added to every text make is the same vector for all that have none of their own.
void TestEngineExtract::emptyTextsAreFlagged()
{
    QFETCH(const QString, model);
    QFETCH(const bool, blankIsEmpty);
    const auto documents = writeDocuments({"", "the cat", "  "});
    for (const QStringList& prompt : {QStringList(), QStringList{"--prompt", "Read this: "}})
    {
        const auto outcome =
            test::runEngine(QStringList{"extract", test::text(test::golden(model.toStdString())), test::text(documents),
                                        "-o", output(), "--overwrite", "--json"} +
                            prompt);
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const auto flags = test::GoldenFile(m_base / "c.h5").integers("/documents/flags");
        QCOMPARE(flags.size(), 3U);
        QVERIFY((flags[0] & 1) != 0 && (flags[1] & 1) == 0);
        QCOMPARE((flags[2] & 1) != 0, blankIsEmpty);
        QCOMPARE(test::jsonOf(outcome)["empty"].toInt(), blankIsEmpty ? 2 : 1);
    }
}

void TestEngineExtract::matchesRecorded()
{
    QFETCH(QString, model);
    QFETCH(QString, expected);
    QFETCH(QString, group);
    QFETCH(QStringList, options);
    const test::GoldenFile truth(test::golden(expected.toStdString()) / "expected.h5");
    const auto vectors = group.toStdString() + "/";
    const auto texts = vectors.substr(0, vectors.find("texts") + 6);
    const auto documents = writeDocuments(truth.strings(texts + "text"));
    const auto outcome = test::runEngine(QStringList{"extract", test::text(test::golden(model.toStdString())),
                                                     test::text(documents), "-o", output(), "--layers", "all"} +
                                         options);
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const test::GoldenFile cache(m_base / "c.h5");

    const auto offsets = truth.integers(texts + "offsets");
    const auto tokens = cache.integers("/documents/tokens");
    for (std::size_t n = 0; n < tokens.size(); ++n)
        QCOMPARE(tokens[n], offsets[n + 1] - offsets[n]);
    const auto shape = truth.shape(vectors + "stage1"); // [N, L, H, Dh]
    const auto modelDim = truth.shape(vectors + "stage3")[2];
    for (int stage = 1; stage <= 3; ++stage)
    {
        const auto name = "stage" + std::to_string(stage);
        const auto all = truth.floats(vectors + name); // [N, L, width]
        const auto width = static_cast<std::size_t>(stage == 1 ? shape[2] * shape[3] : modelDim);
        for (std::int64_t layer = 0; layer < shape[1]; ++layer)
        {
            std::vector<float> wanted;
            for (std::int64_t n = 0; n < shape[0]; ++n)
            {
                const auto begin = all.begin() + (n * shape[1] + layer) * static_cast<std::ptrdiff_t>(width);
                wanted.insert(wanted.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
            }
            const auto found = cache.floats("/embeddings/layer_00" + std::to_string(layer) + "/" + name);
            QCOMPARE(found.size(), wanted.size());
            const auto error = largestError(found, wanted, stage == 1 ? static_cast<std::size_t>(shape[3]) : width);
            QVERIFY2(error <= 1e-4,
                     (name + " of layer " + std::to_string(layer) + ": " + std::to_string(error)).c_str());
        }
    }
}

void TestEngineExtract::lastLayerBeforeTheFinalNorm_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("group");
    for (const char* name : {"mistral_f32", "llama_bf16", "qwen2_f32", "qwen3_f32"})
        QTest::newRow(name) << QStringLiteral("models/") + QLatin1String(name)
                            << QStringLiteral("models/") + QLatin1String(name) << QStringLiteral("texts");
    QTest::newRow("gguf Q4_1") << "gguf/mistral/mistral-Q4_1.gguf"
                               << "gguf/mistral"
                               << "Q4_1/texts";
}

/// Stage 3 of the last layer is the recorded prenorm with --last-layer raw; all else stays as it is.
void TestEngineExtract::lastLayerBeforeTheFinalNorm()
{
    QFETCH(const QString, model);
    QFETCH(const QString, expected);
    QFETCH(const QString, group);
    const test::GoldenFile truth(test::golden(expected.toStdString()) / "expected.h5");
    const auto vectors = group.toStdString() + "/";
    const auto documents = writeDocuments(truth.strings(vectors + "text"));
    const QStringList base{"extract",
                           test::text(test::golden(model.toStdString())),
                           test::text(documents),
                           "-o",
                           output(),
                           "--overwrite",
                           "--layers",
                           "all"};
    QVERIFY(test::runEngine(base).exitCode == 0);
    const auto shape = truth.shape(vectors + "stage3"); // [N, L, Dm]
    const std::string layer = "/embeddings/layer_00" + std::to_string(shape[1] - 1);
    const std::string before = "/embeddings/layer_00" + std::to_string(shape[1] - 2);
    const auto width = static_cast<std::size_t>(shape[2]);
    const test::GoldenFile normed(m_base / "c.h5");
    const auto stage2 = normed.floats(layer + "/stage2");
    const auto earlier = normed.floats(before + "/stage3");
    const auto after = normed.floats(layer + "/stage3");
    const auto told = test::jsonOf(test::runEngine({"inspect", output(), "--json"}));
    QCOMPARE(told["last_layer"].toString(), QStringLiteral("normed"));

    const auto outcome = test::runEngine(base + QStringList{"--last-layer", "raw"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QVERIFY(!outcome.err.contains("changes nothing"));
    const test::GoldenFile cache(m_base / "c.h5");
    const auto raw = cache.floats(layer + "/stage3");
    const auto error = largestError(raw, truth.floats(vectors + "prenorm"), width);
    QVERIFY2(error <= 1e-4, std::to_string(error).c_str());
    QVERIFY(largestError(raw, after, width) > 0.01);
    // Bit for bit, NaN of an empty text included.
    const auto same = [](const std::vector<float>& a, const std::vector<float>& b) {
        return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
    };
    QVERIFY(same(cache.floats(layer + "/stage2"), stage2));
    QVERIFY(same(cache.floats(before + "/stage3"), earlier));
    QCOMPARE(cache.text("/model", "last_layer"), std::string("raw"));
    const auto card = test::jsonOf(test::runEngine({"inspect", output(), "--json"}));
    QCOMPARE(card["last_layer"].toString(), QStringLiteral("raw"));
    const auto people = test::runEngine({"inspect", output()});
    QVERIFY2(people.out.contains("stage 3 before the final norm: "), people.out.constData());
    QCOMPARE(people.out.count("final norm"), 1); // the last layer's stage 3 alone
}

/// Where there is nothing to choose, that is said, and the cache is the usual one.
void TestEngineExtract::lastLayerRawThatChangesNothing()
{
    const auto documents = writeDocuments({"the cat", "a dog"});
    const auto extract = [&](const char* model, const QStringList& options) {
        return test::runEngine(QStringList{"extract", test::text(test::golden(model)), test::text(documents), "-o",
                                           output(), "--overwrite", "--last-layer", "raw"} +
                               options);
    };
    const auto encoder = extract("models/bert_f32", {});
    QVERIFY2(encoder.exitCode == 0, encoder.err.constData());
    QVERIFY2(encoder.err.contains("--last-layer raw changes nothing: this encoder has no final norm"),
             encoder.err.constData());
    QVERIFY(test::jsonOf(test::runEngine({"inspect", output(), "--json"}))["last_layer"].isNull());
    QVERIFY(!test::runEngine({"inspect", output()}).out.contains("final norm"));
    const auto other = extract("models/mistral_f32", {"--stages", "1,2"});
    QVERIFY2(other.exitCode == 0, other.err.constData());
    QVERIFY2(other.err.contains("stage 3 of the last layer is not stored"), other.err.constData());
    QCOMPARE(test::jsonOf(test::runEngine({"inspect", output(), "--json"}))["last_layer"].toString(),
             QStringLiteral("normed"));
    HEADSCOPE_VERIFY_FAILED(extract("models/mistral_f32", {"--last-layer", "bare"}), 2,
                            "--last-layer: expected one of normed, raw");
}

void TestEngineExtract::summaryAndCache()
{
    test::writeFile(m_base / "d.jsonl", kThree.toStdString());
    const auto outcome =
        test::runEngine({"extract", mistral(), test::text(m_base / "d.jsonl"), "-o", output(), "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto summary = test::jsonOf(outcome);
    QCOMPARE(summary["documents"].toInt(), 3);
    QCOMPARE(summary["output"].toString(), output());
    QCOMPARE(summary["sha256"].toString().size(), 64);
    for (const char* key :
         {"tokens", "empty", "truncated", "non_finite", "tokens_per_second", "device", "dtype", "peak_bytes"})
        QVERIFY2(summary.contains(QLatin1String(key)), key);
    for (const char* key : {"load", "tokenize", "check", "compute", "write", "total"})
        QVERIFY2(summary["seconds"].toObject().contains(QLatin1String(key)), key);

    const test::GoldenFile cache(m_base / "c.h5");
    QCOMPARE(cache.text("/", "format"), std::string("headscope-cache"));
    QCOMPARE(cache.text("/", "pooling"), std::string("last"));
    QVERIFY(cache.text("/", "command").find("extract") != std::string::npos);
    QCOMPARE(cache.number("/model", "heads"), 8.0);
    QVERIFY((cache.strings("/documents/id") == std::vector<std::string>{"x", "y", "z"}));
    QVERIFY((cache.names("/documents/labels") == std::vector<std::string>{"topic"})); // a number is no label
    QVERIFY((cache.strings("/documents/labels/topic/categories") == std::vector<std::string>{"cats", "dogs"}));
    QVERIFY((cache.integers("/documents/labels/topic/codes") == std::vector<std::int64_t>{0, 1, 0}));
    QVERIFY((cache.names("/embeddings") == std::vector<std::string>{"layer_002"}));
    QVERIFY((cache.shape("/topics/topic/embeddings/layer_002/stage1") == std::vector<std::int64_t>{2, 8, 16}));

    const auto card = test::runEngine({"inspect", output(), "--json"});
    QCOMPARE(card.exitCode, 0);
    QCOMPARE(test::jsonOf(card)["documents"].toInt(), 3);
    QCOMPARE(test::jsonOf(card)["embeddings"].toArray().size(), 3);
    const auto people = test::runEngine({"inspect", output()});
    QVERIFY(people.out.contains("layer 2 stage 1: 8 heads of size 16, f32"));
}

/// A table that knows nothing of our names, through the options.
void TestEngineExtract::ownColumns()
{
    test::writeFile(m_base / "own.csv", "Nr,Description,\"Group, old\",Year\n"
                                        "7,The cat sat on the mat.,cats,2001\n"
                                        "7,\"Dogs bark at night, and some sing.\",dogs,2002\n"
                                        "9,A cat is not a dog.,cats,2003\n");
    const QStringList base = {"extract", mistral(), test::text(m_base / "own.csv"), "-o", output(), "--stages", "1"};
    HEADSCOPE_VERIFY_FAILED(test::runEngine(base), 3,
                            "own.csv: line 1: expected the column \"text\" with the text, found the columns Nr, "
                            "Description, Group, old, Year; --text-column names another column");
    const QStringList text = base + QStringList{"--text-column", "Description"};
    HEADSCOPE_VERIFY_FAILED(test::runEngine(text + QStringList{"--id-column", "Nr"}), 3,
                            "own.csv: line 3: expected unique ids");
    verifyNothingLeft();
    auto outcome = test::runEngine(text + QStringList{"--id-column", "", "--label-columns", R"(Group\, old,Year)"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    {
        const test::GoldenFile cache(m_base / "c.h5");
        QVERIFY((cache.strings("/documents/id") == std::vector<std::string>{"0", "1", "2"}));
        QVERIFY((cache.names("/documents/labels") == std::vector<std::string>{"Group, old", "Year"}));
    }
    outcome = test::runEngine(text + QStringList{"--label-columns", "", "--overwrite"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const test::GoldenFile cache(m_base / "c.h5");
    QVERIFY(!cache.has("/documents/labels/Group, old/codes")); // what it takes when nothing is said
    QVERIFY(cache.strings("/documents/text").front() == "The cat sat on the mat.");
}

void TestEngineExtract::storesHalves()
{
    test::writeFile(m_base / "d.jsonl", kThree.toStdString());
    for (const char* store : {"f32", "f16", "bf16"})
    {
        const auto outcome = test::runEngine({"extract", mistral(), test::text(m_base / "d.jsonl"), "-o", output(),
                                              "--overwrite", "--store", QString::fromUtf8(store), "--stages", "3,1"});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const auto card = test::jsonOf(test::runEngine({"inspect", output(), "--json"}));
        QCOMPARE(card["embeddings"].toArray().size(), 2);
        QCOMPARE(card["embeddings"].toArray().first().toObject()["dtype"].toString(), QString::fromUtf8(store));
    }
}

void TestEngineExtract::topicFiles()
{
    test::writeFile(m_base / "d.jsonl", kThree.toStdString());
    test::writeFile(m_base / "topics.txt", "birds\ndogs\n\n");
    const auto lines = test::runEngine({"extract", mistral(), test::text(m_base / "d.jsonl"), "-o", output(),
                                        "--topics", test::text(m_base / "topics.txt")});
    QVERIFY2(lines.exitCode == 0, lines.err.constData());
    {
        const test::GoldenFile cache(m_base / "c.h5");
        QVERIFY(
            (cache.strings("/documents/labels/topic/categories") == std::vector<std::string>{"birds", "dogs", "cats"}));
        QVERIFY((cache.integers("/documents/labels/topic/codes") == std::vector<std::int64_t>{2, 1, 2}));
        QVERIFY((cache.shape("/topics/topic/embeddings/layer_002/stage3") == std::vector<std::int64_t>{3, 8, 16}));
    }
    test::writeFile(m_base / "topics.json", R"({"other":["a"]})");
    HEADSCOPE_VERIFY_FAILED(test::runEngine({"extract", mistral(), test::text(m_base / "d.jsonl"), "-o", output(),
                                             "--overwrite", "--topics", test::text(m_base / "topics.json")}),
                            3, "--topics: expected one of the label columns topic, found \"other\"");
}

void TestEngineExtract::sameBitsOnAnyNumberOfThreads()
{
    std::vector<std::string> texts;
    for (int i = 0; i < 60; ++i)
        texts.push_back("Text number " + std::to_string(i) + std::string(static_cast<std::size_t>(i), 'x'));
    const auto documents = test::text(writeDocuments(texts));
    std::vector<std::vector<std::uint8_t>> bits;
    for (const char* threads : {"1", "3"})
    {
        const auto outcome = test::runEngine(
            {"extract", mistral(), documents, "-o", output(), "--overwrite", "--threads", QString::fromUtf8(threads)});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const auto values = test::GoldenFile(m_base / "c.h5").floats("/embeddings/layer_002/stage3");
        const auto* begin = reinterpret_cast<const std::uint8_t*>(values.data());
        bits.emplace_back(begin, begin + values.size() * sizeof(float));
    }
    QVERIFY(bits[0] == bits[1]);
}

void TestEngineExtract::sameBitsUnderAMemoryLimit()
{
    const QStringList extract = {"extract", mistral(), "-", "--layers", "all", "--device", "cpu", "-o"};
    const auto unlimited = test::runEngine(extract + QStringList{output()}, kThree);
    QVERIFY2(unlimited.exitCode == 0, unlimited.err.constData());
    const QString limited = test::text(m_base / "limited.h5");
    const auto outcome = test::runEngine(extract + QStringList{limited, "--memory", "1G", "--json"}, kThree);
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QVERIFY(test::jsonOf(outcome)["peak_bytes"].toDouble() < 1073741824.0);
    const test::GoldenFile whole(m_base / "c.h5");
    const test::GoldenFile streamed(m_base / "limited.h5");
    for (const std::string layer : {"layer_000", "layer_001", "layer_002"})
        for (const std::string stage : {"stage1", "stage2", "stage3"})
            QCOMPARE(streamed.floats("/embeddings/" + layer + "/" + stage),
                     whole.floats("/embeddings/" + layer + "/" + stage));
}

void TestEngineExtract::standardInput()
{
    const auto outcome = test::runEngine({"extract", mistral(), "-", "-o", output(), "--json"}, kThree);
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QCOMPARE(test::jsonOf(outcome)["documents"].toInt(), 3);
}

void TestEngineExtract::refusesExistingOutput()
{
    test::writeFile(m_base / "c.h5", "mine");
    const auto outcome = test::runEngine({"extract", mistral(), "-", "-o", output()}, kThree);
    HEADSCOPE_VERIFY_FAILED(outcome, 2, "c.h5: ");
    QCOMPARE(test::contents(m_base / "c.h5"), std::string("mine"));
    HEADSCOPE_VERIFY_FAILED(test::runEngine({"extract", mistral(), "-", "-o", "/nowhere/c.h5"}, kThree), 4, "/nowhere");
}

void TestEngineExtract::wrongUse_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<int>("code");
    const auto row = [](const QStringList& options, const char* part, int code = 2) {
        QTest::newRow(options.join(QLatin1Char(' ')).toUtf8().constData()) << options << QByteArray(part) << code;
    };
    row({"--stages", "4"}, "--stages: expected 1, 2, 3 or contribution, found \"4\"");
    row({"--layers", "first"}, "--layers: expected last, all or layers from 0");
    row({"--layers", "3"}, "--layers: expected layers 0 to 2 (the model has 3), found 3", 3);
    row({"--pooling", "max"}, "--pooling: expected one of auto, last, mean, first");
    row({"--max-tokens", "none"}, "--max-tokens: expected auto or an integer of 1 or more");
    row({"--max-tokens", "99999999"}, "--max-tokens: expected at most", 3);
    row({"--store", "f64"}, "--store: expected one of f32, f16, bf16");
    row({"--device", "cpu", "--dtype", "f16"}, "expected a GPU (--device cuda) for f16, found the CPU");
    row({"--dtype", "f8"}, "expected auto, f32, bf16 or f16");
    row({"--dtype", "f8"}, "--dtype: expected auto, f32, bf16 or f16");
    row({"--device", "tpu"}, "tpu");
    row({"--range", "5"}, "--range: expected a range of documents counted from 0, such as 0:1000, in which the end is "
                          "excluded, found \"5\"");
    row({"--range", "5:5"}, "--range: expected a range of documents counted from 0");
    row({"--range", "1000:2000"}, "--range: expected a range that starts among the ", 3);
    row({"--memory", "lots"}, "--memory: expected a number of bytes such as 3000000000, 2500M or 3G, found \"lots\"");
    row({"--memory", "1M"}, "memory: expected at least ");
    row({"--limit", "0"}, "--limit");
    row({"--label-columns", "colour"}, "colour", 3);
    row({"--id-column", "key"}, "key", 3);
    row({"--topics", "/none.txt"}, "/none.txt", 3);
}

void TestEngineExtract::wrongUse()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, part);
    QFETCH(int, code);
    const auto outcome = test::runEngine(QStringList{"extract", mistral(), "-", "-o", output()} + options, kThree);
    HEADSCOPE_VERIFY_FAILED(outcome, code, part);
    verifyNothingLeft();
}

void TestEngineExtract::badInputs_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* kind, const char* part) { QTest::newRow(kind) << kind << QByteArray(part); };
    row("missing model", "none: ");
    row("truncated safetensors", "model-00002-of-00003.safetensors: ");
    row("truncated gguf", "cut.gguf: ");
    row("shape", "layers.2.self_attn.k_proj.weight: expected shape [64, 128], found [32, 128]");
    row("tokenizer", "tokenizer.json: ");
    row("broken line", "d.jsonl: line 2: ");
    row("no text field", "d.jsonl: line 3: ");
    row("missing documents", "none.jsonl: ");
    row("no documents", "d.jsonl: expected at least one document, found none");
}

void TestEngineExtract::badInputs()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, part);
    auto model = test::copyOf("models/mistral_f32", m_base);
    auto documents = m_base / "d.jsonl";
    test::writeFile(documents, kThree.toStdString());
    if (kind == QLatin1String("missing model"))
        model = m_base / "none";
    else if (kind == QLatin1String("truncated safetensors"))
        std::filesystem::resize_file(model / "model-00002-of-00003.safetensors", 100'000);
    else if (kind == QLatin1String("truncated gguf"))
    {
        model = m_base / "cut.gguf";
        test::writeFile(model, test::contents(test::golden("gguf/llama/llama-Q4_0.gguf")).substr(0, 50'000));
    }
    else if (kind == QLatin1String("shape"))
    {
        auto config = test::contents(model / "config.json");
        const std::string from = "\"num_attention_heads\": 8";
        QVERIFY(config.find(from) != std::string::npos);
        test::writeFile(model / "config.json",
                        config.replace(config.find(from), from.size(), "\"num_attention_heads\": 4"));
    }
    else if (kind == QLatin1String("tokenizer"))
        test::writeFile(model / "tokenizer.json", R"({"version":"1.0","model":{"type":"Other"}})");
    else if (kind == QLatin1String("broken line"))
        test::writeFile(documents, "{\"text\":\"a\"}\n{\"text\":\"b\",}\n");
    else if (kind == QLatin1String("no text field"))
        test::writeFile(documents, "{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"body\":\"c\"}\n");
    else if (kind == QLatin1String("missing documents"))
        documents = m_base / "none.jsonl";
    else
        test::writeFile(documents, "\n\n");
    const auto outcome =
        test::runEngine({"extract", test::text(model), test::text(documents), "-o", output(), "--json"});
    HEADSCOPE_VERIFY_FAILED(outcome, 3, part);
    QVERIFY(test::jsonOf(outcome)["error"].toObject().contains("message"));
    verifyNothingLeft();
}

void TestEngineExtract::progressLines()
{
    const auto outcome = test::runEngine({"extract", mistral(), "-", "-o", output(), "--progress", "json"}, kThree);
    QCOMPARE(outcome.exitCode, 0);
    int lines = 0;
    for (const auto& line : outcome.err.split('\n'))
    {
        if (!line.startsWith('{'))
            continue;
        const auto progress = QJsonDocument::fromJson(line).object();
        for (const char* key : {"stage", "done", "total", "unit", "rate", "seconds", "eta"})
            QVERIFY2(progress.contains(QLatin1String(key)), line.constData());
        ++lines;
    }
    QVERIFY(lines > 0);
    // Where stderr is no terminal, auto shows nothing.
    QVERIFY(test::runEngine({"extract", mistral(), "-", "-o", output(), "--overwrite"}, kThree).err.isEmpty());
}

void TestEngineExtract::stopsCleanly_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << 2;
    QTest::newRow("SIGTERM") << 15;
}

void TestEngineExtract::stopsCleanly()
{
    QFETCH(int, signal);
    std::vector<std::string> texts;
    for (int i = 0; i < 40'000; ++i)
        texts.push_back("Document " + std::to_string(i) + " says much the same as all the others do, at some length.");
    const auto documents = test::text(writeDocuments(texts));
    QProcess process;
    process.setProcessEnvironment(test::heldAt({.text = QStringLiteral("shard_000001.h5")})); // in the middle
    process.start(
        test::text(test::program("headscope-engine")),
        {"extract", mistral(), documents, "-o", output(), "--progress", "json", "--threads", "1", "--shard-mb", "1"});
    QVERIFY(test::waitUntilHeld(process));
    QVERIFY(test::goOn(process, signal));
    QVERIFY(process.waitForFinished(test::kPatienceMs));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 128 + signal);
    QVERIFY(!std::filesystem::exists(m_base / "c.h5")); // what is kept of it: tst_engine_resume
}

HEADSCOPE_TEST_GUILESS(TestEngineExtract)
#include "tst_engine_extract.moc"
