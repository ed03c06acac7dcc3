// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/attention/attention_reader.h"

#include "model/base/file.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "model/io/results/attention/attention_file.h"
#include "model/io/results/attention/head_statistics_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

using namespace headscope;

namespace
{

constexpr std::int64_t kTokens = 3;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kGroups = 2;
constexpr std::int64_t kDims = 2;

AttentionOrigin sampleOrigin()
{
    AttentionOrigin origin;
    origin.ids = {5, 6, 7};
    origin.tokens = {"<s>", " a", "<0xF0>"};
    origin.text = "a text";
    origin.model = {"sample", "/models/sample", "llama", 6, kHeads, kGroups, kDims, 8, 100, {{"m.gguf", "ab12"}}};
    origin.model.changes.ablated = "5:1";
    origin.model.changes.ablation = "zero";
    origin.command = "headscope-engine attention sample";
    return origin;
}

AttentionShapes sampleShapes()
{
    AttentionShapes shapes;
    shapes.layers = {2, 4};
    shapes.heads = kHeads;
    shapes.kvHeads = kGroups;
    shapes.headDim = kDims;
    shapes.tokens = kTokens;
    shapes.vectorLayer = 4;
    return shapes;
}

/// Causal weights that differ from head to head.
MatrixF weightsOf(std::int64_t layer, std::int64_t head)
{
    const float first = 0.5F + 0.01F * static_cast<float>(layer) + 0.001F * static_cast<float>(head);
    MatrixF weights(kTokens, kTokens);
    weights(0, 0) = 1;
    weights(1, 0) = first;
    weights(1, 1) = 1 - first;
    weights(2, 0) = first / 2;
    weights(2, 1) = first / 2;
    weights(2, 2) = 1 - first;
    return weights;
}

MatrixF vectors(std::int64_t heads, float from)
{
    MatrixF values(kTokens, heads * kDims);
    for (float& value : values.values())
        value = from += 0.25F;
    return values;
}

Status fill(AttentionFile& file, const AttentionShapes& shapes)
{
    for (const std::int64_t layer : shapes.layers)
        for (HeadIndex head; shapes.weights && head.value() < shapes.heads; ++head)
            if (shapes.placeOf(head))
                HEADSCOPE_CHECK(
                    file.addRows(LayerIndex(layer), head, TokenIndex(0), weightsOf(layer, head.value()).view()));
    if (!shapes.vectorLayer)
        return {};
    HEADSCOPE_CHECK(file.addVectors("q", vectors(kHeads, 1).view()));
    HEADSCOPE_CHECK(file.addVectors("k", vectors(kGroups, 2).view()));
    HEADSCOPE_CHECK(file.addVectors("v", vectors(kGroups, 3).view()));
    return file.addVectors("z", vectors(kHeads, 4).view());
}

} // namespace

class TestAttentionReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comesBack();
    void someHeadsAndThumbnails();
    void originsTellRunsApart();
    void noFileOfAttention();
    void everyDamagedByteIsFound();
    void filesOfEarlierVersionsHaveNoSeal();
    void earlierFilesAreRead();
    void brokenFiles_data();
    void brokenFiles();

private:
    using Breaking = std::function<Status(Hdf5Writer&)>;

    [[nodiscard]] Status write(const std::filesystem::path& path, const AttentionShapes& shapes,
                               const AttentionOrigin& origin) const;
    [[nodiscard]] Result<AttentionRun> read(const std::filesystem::path& path) const
    {
        JobContext job;
        return readAttentionRun(path, job);
    }

    test::TemporaryFolder m_folder;
};

Status TestAttentionReader::write(const std::filesystem::path& path, const AttentionShapes& shapes,
                                  const AttentionOrigin& origin) const
{
    HEADSCOPE_TRY(auto file, AttentionFile::create(path, shapes, origin));
    HEADSCOPE_CHECK(fill(file, shapes));
    if (shapes.thumbnailSide > 0)
        for (const std::int64_t layer : shapes.layers)
        {
            MatrixF pictures(kHeads, shapes.thumbnailSide * shapes.thumbnailSide);
            for (std::int64_t head = 0; head < kHeads; ++head)
                pictures(head, 0) = 0.1F * static_cast<float>(layer) + 0.01F * static_cast<float>(head);
            HEADSCOPE_CHECK(file.addThumbnails(LayerIndex(layer), pictures.view()));
        }
    MatrixD entropy(std::ssize(shapes.layers), kHeads);
    entropy(1, 2) = 1.5;
    entropy(0, 0) = std::numeric_limits<double>::quiet_NaN();
    return file.publish({{"entropy", entropy}});
}

void TestAttentionReader::comesBack()
{
    const auto path = m_folder.file("run.h5");
    HEADSCOPE_VERIFY_OK(write(path, sampleShapes(), sampleOrigin()));
    const auto run = read(path);
    HEADSCOPE_VERIFY_OK(run);
    const AttentionOrigin origin = sampleOrigin();
    QVERIFY(run->maker == AttentionMaker::Stored && run->causal);
    QCOMPARE(run->model.name, "sample");
    QCOMPARE(run->model.family, "llama");
    QVERIFY(run->model.path.empty()); // of the machine that made it
    QCOMPARE(run->model.layers, 6);
    QCOMPARE(run->model.kvHeads, kGroups);
    QVERIFY(run->model.changes == origin.model.changes);
    QCOMPARE(run->model.sha256, origin.model.sha256);
    QCOMPARE(run->text, "a text");
    QCOMPARE(run->ids, origin.ids);
    QCOMPARE(run->tokens, origin.tokens);
    QCOMPARE(run->layers, (std::vector{LayerIndex(2), LayerIndex(4)}));
    QCOMPARE(run->weights.size(), std::size_t(8));
    for (const std::int64_t layer : {2, 4})
        for (std::int64_t head = 0; head < kHeads; ++head)
        {
            const MatrixF* weights = run->weightsOf(LayerIndex(layer), HeadIndex(head));
            QVERIFY(weights != nullptr && *weights == weightsOf(layer, head));
            const ConstMatrixView picture = run->thumbnail(LayerIndex(layer), HeadIndex(head));
            QCOMPARE(picture(2, 1), (*weights)(2, 1)); // a short text's pictures are its weights
        }
    QCOMPARE(run->statistics.at("entropy")(1, 2), 1.5);
    QVERIFY(std::isnan(run->statistics.at("entropy")(0, 0)));
    const LayerVectors* found = run->vectorsOf(LayerIndex(4));
    QVERIFY(found != nullptr);
    QVERIFY(found->q == vectors(kHeads, 1) && found->k == vectors(kGroups, 2) && found->v == vectors(kGroups, 3) &&
            found->z == vectors(kHeads, 4));
    QCOMPARE(run->origin, attentionOrigin(origin.model, origin.ids));
}

void TestAttentionReader::someHeadsAndThumbnails()
{
    auto shapes = sampleShapes();
    shapes.weightHeads = {1, 3};
    shapes.thumbnailSide = 2;
    shapes.vectorLayer.reset();
    auto origin = sampleOrigin();
    origin.text.clear();
    origin.causal = false;
    const auto path = m_folder.file("some.h5");
    HEADSCOPE_VERIFY_OK(write(path, shapes, origin));
    const auto run = read(path);
    HEADSCOPE_VERIFY_OK(run);
    QCOMPARE(run->text, "<s> a<0xF0>"); // ids were given: what the tokens spell
    QVERIFY(!run->causal && run->vectors.empty());
    QVERIFY(run->weightsOf(LayerIndex(4), HeadIndex(0)) == nullptr);
    QVERIFY(*run->weightsOf(LayerIndex(4), HeadIndex(3)) == weightsOf(4, 3));
    QCOMPARE(run->thumbnailSide, std::int64_t(2));
    QCOMPARE(run->thumbnail(LayerIndex(4), HeadIndex(2))(0, 0), 0.1F * 4 + 0.01F * 2);
    shapes.weights = false;
    HEADSCOPE_VERIFY_OK(write(m_folder.file("pictures.h5"), shapes, origin));
    const auto pictures = read(m_folder.file("pictures.h5"));
    HEADSCOPE_VERIFY_OK(pictures);
    QVERIFY(pictures->weights.empty() && pictures->thumbnailSide == 2);
    // Neither pictures nor the weights of all heads: nothing that could be shown.
    shapes.weights = true;
    shapes.thumbnailSide = 0;
    HEADSCOPE_VERIFY_OK(write(m_folder.file("neither.h5"), shapes, origin));
    HEADSCOPE_VERIFY_ERROR(read(m_folder.file("neither.h5")), ErrorCode::BadFormat, "thumbnails of all heads");
}

void TestAttentionReader::originsTellRunsApart()
{
    const AttentionOrigin origin = sampleOrigin();
    const Origin own = attentionOrigin(origin.model, origin.ids);
    const std::vector<std::int32_t> others = {5, 6, 8};
    QVERIFY(attentionOrigin(origin.model, others) != own);
    for (const auto change : {+[](ModelInfo& model) { model.sha256[0].second = "ab13"; },
                              +[](ModelInfo& model) { model.changes.ablated = "5:2"; },
                              +[](ModelInfo& model) { model.changes.ablation = "mean"; },
                              +[](ModelInfo& model) { model.kvHeads = 1, model.changes.regroupedFrom = 2; }})
    {
        ModelInfo changed = origin.model;
        change(changed);
        QVERIFY(attentionOrigin(changed, origin.ids) != own);
    }
    ModelInfo moved = origin.model; // where it lies says nothing
    moved.path = "/elsewhere";
    QCOMPARE(attentionOrigin(moved, origin.ids), own);
}

void TestAttentionReader::noFileOfAttention()
{
    HEADSCOPE_VERIFY_ERROR(read(m_folder.file("none.h5")), ErrorCode::FileNotFound, "");
    auto writer = Hdf5Writer::create(m_folder.file("other.h5"));
    HEADSCOPE_VERIFY_OK(writer);
    HEADSCOPE_VERIFY_OK(writer->makeGroup("/embeddings"));
    HEADSCOPE_VERIFY_OK(writer->publish());
    HEADSCOPE_VERIFY_ERROR(read(m_folder.file("other.h5")), ErrorCode::BadFormat, "this is not an attention file");
    auto origin = sampleOrigin();
    origin.documents = 12;
    auto shapes = sampleShapes();
    shapes.weights = false;
    shapes.vectorLayer.reset();
    auto corpus = AttentionFile::create(m_folder.file("corpus.h5"), shapes, origin);
    HEADSCOPE_VERIFY_OK(corpus);
    HEADSCOPE_VERIFY_OK(corpus->publish({{"entropy", MatrixD(2, kHeads)}}));
    HEADSCOPE_VERIFY_ERROR(read(m_folder.file("corpus.h5")), ErrorCode::Unsupported, "statistics over 12 documents");
}

void TestAttentionReader::everyDamagedByteIsFound()
{
    const auto path = m_folder.file("sealed.h5");
    HEADSCOPE_VERIFY_OK(write(path, sampleShapes(), sampleOrigin()));
    const auto whole = readTextFile(path);
    HEADSCOPE_VERIFY_OK(whole);
    constexpr std::size_t kFooter = 64; // its padding says nothing, and a damaged magic word looks like no seal
    constexpr std::size_t kStep = 37;
    for (std::size_t at = 0; at + kFooter < whole->size(); at += kStep)
    {
        std::string damaged = *whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        std::ofstream(path) << damaged;
        QVERIFY2(!read(path), std::to_string(at).c_str());
    }
}

void TestAttentionReader::filesOfEarlierVersionsHaveNoSeal()
{
    const auto path = m_folder.file("earlier.h5");
    HEADSCOPE_VERIFY_OK(write(path, sampleShapes(), sampleOrigin()));
    const auto whole = read(path);
    HEADSCOPE_VERIFY_OK(whole);
    const auto size = sizeWithoutSeal(path);
    HEADSCOPE_VERIFY_OK(size);
    QVERIFY(*size < std::filesystem::file_size(path));
    std::filesystem::resize_file(path, *size);
    const auto earlier = read(path);
    HEADSCOPE_VERIFY_OK(earlier);
    QVERIFY(earlier->ids == whole->ids);
    QVERIFY(earlier->weights.front().rows->values() == whole->weights.front().rows->values());
}

/// What the program wrote before its parts were declared as records: as attention, and as statistics of heads.
void TestAttentionReader::earlierFilesAreRead()
{
    const auto run = read(test::golden("records/attention.h5"));
    HEADSCOPE_VERIFY_OK(run);
    QCOMPARE(run->text, std::string("a cat"));
    QCOMPARE(run->model.family, std::string("llama"));
    QCOMPARE(run->model.layers, std::int64_t{2});
    QCOMPARE(run->model.heads, std::int64_t{4});
    QCOMPARE(run->model.headDim, std::int64_t{16});
    QCOMPARE(run->model.sha256.size(), std::size_t{4});
    QVERIFY(run->layers == std::vector<LayerIndex>{LayerIndex(1)});
    QCOMPARE(run->weights.size(), std::size_t{4});
    QCOMPARE(run->vectors.size(), std::size_t{1});
    QVERIFY(run->statistics.contains("entropy"));
    JobContext job;
    const auto statistics = readHeadStatistics(test::golden("records/attention.h5"), job);
    HEADSCOPE_VERIFY_OK(statistics);
    QCOMPARE(statistics->model.sha256, run->model.sha256);
    QCOMPARE(statistics->tables.size(), run->statistics.size());
}

void TestAttentionReader::brokenFiles_data()
{
    QTest::addColumn<Breaking>("breaking");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, Breaking breaking, const char* part) {
        QTest::newRow(name) << std::move(breaking) << QByteArray(part);
    };
    const auto numbers = [](const char* dataset, std::vector<std::int64_t> shape, std::vector<float> values) {
        return [=](Hdf5Writer& file) -> Status {
            HEADSCOPE_CHECK(file.remove(dataset));
            return file.write(dataset, shape, NumberType::F32, std::as_bytes(std::span(values)));
        };
    };
    const auto integers = [](const char* dataset, std::vector<std::int32_t> values) {
        return [=](Hdf5Writer& file) -> Status {
            HEADSCOPE_CHECK(file.remove(dataset));
            return file.write(dataset, std::array{std::ssize(values)}, NumberType::I32,
                              std::as_bytes(std::span(values)));
        };
    };
    const auto attribute = [](const char* object, const char* name, std::int64_t value) {
        return [=](Hdf5Writer& file) { return file.setAttribute(object, name, value); };
    };
    const auto texts = [](const char* dataset, std::vector<std::string> values) {
        return [=](Hdf5Writer& file) -> Status {
            HEADSCOPE_CHECK(file.remove(dataset));
            return file.writeStrings(dataset, values);
        };
    };
    const auto without = [](const char* object) { return [=](Hdf5Writer& file) { return file.remove(object); }; };
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    row("no ids", without("/attention/ids"), "/attention/ids");
    row("no tokens", without("/attention/tokens"), "/attention/tokens");
    row("no weights", without("/attention/weights"), "/attention/thumbnails: expected thumbnails of all heads");
    row("no model", without("/model"), "/model: expected the attribute layers, found none");
    row("no heads", attribute("/model", "heads", 0), "/model@heads: expected an integer from 1 to 1000000");
    row("heads of no model", attribute("/model", "heads", 4'000'000'000), "/model@heads");
    row("groups", attribute("/model", "kv_heads", 3), "divides the 4 heads, found 3");
    row("other heads", attribute("/model", "heads", 8), "/attention/weights: expected numbers [2, 8, 3, 3]");
    row("newer", attribute("/", "version", 2), "expected version 1, found 2");
    row("layers that are not there", integers("/attention/layers", {2, 6}), "expected layers from 0 to 5, ascending");
    row("layers twice", integers("/attention/layers", {4, 4}), "ascending, found 4 at position 1");
    row("no layer", integers("/attention/layers", {}), "expected 1 to 6 layers");
    row("fewer ids", integers("/attention/ids", {5, 6}), "expected the texts of 2 tokens");
    row("heads", integers("/attention/heads", {1, 9}), "expected heads from 0 to 3");
    row("fewer heads", integers("/attention/heads", {1, 2}), "/attention/weights: expected numbers [2, 2, 3, 3]");
    row("weights above 1", numbers("/attention/weights", {2, 4, 3, 3}, std::vector<float>(72, 1.5F)), "found 1.5");
    row("no weights at all", numbers("/attention/weights", {2, 4, 3, 3}, std::vector<float>(72, kNan)), "found nan");
    row("negative", numbers("/attention/weights", {2, 4, 3, 3}, std::vector<float>(72, -0.1F)), "found -0.1");
    row("pictures too large", numbers("/attention/thumbnails", {2, 4, 5, 5}, std::vector<float>(200)),
        "expected thumbnails of 1 to 3 pixels a side");
    row("pictures not square", numbers("/attention/thumbnails", {2, 4, 1, 2}, std::vector<float>(16)),
        "expected numbers [2, 4, 2, 2]");
    row("tokens of bytes", texts("/attention/tokens", {"a", "\xF0\x9F", "c"}), "found other bytes in token 1");
    row("text of bytes", texts("/attention/text", {"\xF0\x9F"}), "/attention/text: expected UTF-8");
    row("tokens without end",
        texts("/attention/tokens", {std::string(33U << 20, 'a'), std::string(33U << 20, 'b'), "c"}),
        "/attention/tokens: expected texts of at most 67108864 bytes in total, found more");
    row("text without end", texts("/attention/text", {std::string(65U << 20, 'a')}),
        "/attention/text: expected texts of at most 67108864 bytes in total");
    row("two texts", texts("/attention/text", {"a", "b"}), "expected one text");
    row("statistics of others", numbers("/statistics/entropy", {2, 5}, std::vector<float>(10)),
        "/statistics/entropy: expected numbers [2, 4]");
    row("infinite", numbers("/statistics/entropy", {2, 4}, std::vector<float>(8, INFINITY)), "found infinity");
    row("layer of vectors", attribute("/qkv", "layer", 6), "/qkv@layer: expected a layer from 0 to 5, found 6");
    row("size of vectors", numbers("/qkv/q", {4, 3, 5}, std::vector<float>(60)),
        "expected vectors of the head dimension 2");
    row("no keys", without("/qkv/k"), "/qkv/k");
    row("keys of all heads", numbers("/qkv/k", {4, 3, 2}, std::vector<float>(24)), "expected numbers [2, 3, 2]");
    row("vectors", numbers("/qkv/v", {2, 3, 2}, std::vector<float>(12, kNan)), "expected finite numbers");
}

void TestAttentionReader::brokenFiles()
{
    QFETCH(Breaking, breaking);
    QFETCH(QByteArray, part);
    const auto path = m_folder.file("broken.h5");
    HEADSCOPE_VERIFY_OK(write(path, sampleShapes(), sampleOrigin()));
    JobContext job;
    auto file = Hdf5Writer::copyOf(path, job);
    HEADSCOPE_VERIFY_OK(file);
    HEADSCOPE_VERIFY_OK(breaking(*file));
    HEADSCOPE_VERIFY_OK(file->publish());
    const auto run = read(path);
    QVERIFY(!run);
    const QByteArray sentence = QByteArray::fromStdString(run.error().sentence());
    QVERIFY2(sentence.contains(part), sentence.constData());
    QVERIFY2(sentence.contains("broken.h5"), sentence.constData());
    std::filesystem::remove(path);
}

HEADSCOPE_TEST_GUILESS(TestAttentionReader)
#include "tst_attention_reader.moc"
