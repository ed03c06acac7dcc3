// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/layer_stream.h"

#include "model/base/random.h"
#include "model/net/run/head_extractor.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>

using namespace headscope;

namespace
{

namespace fs = std::filesystem;

/// Keeps what it is given.
class KeepingSink : public HeadVectorSink
{
public:
    Status add(std::span<const ExtractedDocument> documents) override
    {
        for (const ExtractedDocument& document : documents)
            m_documents[document.index] = document;
        ++m_calls;
        return {};
    }
    std::map<std::int64_t, ExtractedDocument> m_documents;
    int m_calls = 0;
};

/// Random texts of 1 to 40 tokens; every seventh is empty, the last one is `longest` tokens long.
std::vector<TokenizedDocument> randomDocuments(std::int64_t count, std::uint64_t longest = 90)
{
    const CounterRandom random(7);
    std::vector<TokenizedDocument> documents(static_cast<std::size_t>(count));
    std::uint64_t at = 0;
    for (std::int64_t n = 0; n < count; ++n)
    {
        TokenizedDocument& document = documents[static_cast<std::size_t>(n)];
        document.index = n;
        const std::uint64_t usual = n % 7 == 3 ? 0 : 1 + random.below(at++, 40);
        const std::uint64_t length = n + 1 == count ? longest : usual;
        for (std::uint64_t t = 0; t < length; ++t)
            document.ids.push_back(static_cast<std::int32_t>(random.below(at++, 300)));
    }
    return documents;
}

TokenStream streamOf(const std::vector<TokenizedDocument>& documents)
{
    return [&documents, next = std::size_t{0}]() mutable -> Result<std::optional<TokenizedDocument>> {
        if (next == documents.size())
            return std::optional<TokenizedDocument>();
        return std::optional(documents[next++]);
    };
}

ExtractionOptions smallSteps()
{
    ExtractionOptions options;
    options.stages = {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment, Stage::Contribution};
    options.stepTokens = 64;
    return options;
}

/// The smallest limit that these options may have.
std::uint64_t smallestLimit(const ModelFiles& files, const ExtractionOptions& options)
{
    std::int64_t values = 0;
    const auto blocks = extractionBlocks(files.config, options);
    for (const ExtractionBlock& block : blocks.value())
        values += block.heads * block.dims;
    const std::int64_t last = *std::ranges::max_element(options.layers);
    return streamCosts(files, last, values, options.threads).smallest(options.memory, options.stepTokens);
}

Result<std::map<std::int64_t, ExtractedDocument>> extract(const ModelFiles& files, const ExtractionOptions& options,
                                                          const std::vector<TokenizedDocument>& documents)
{
    JobContext job;
    HEADSCOPE_TRY(const HeadExtractor extractor, HeadExtractor::create(files, options, job));
    KeepingSink sink;
    HEADSCOPE_TRY(const auto report, extractor.run(streamOf(documents), sink, documents.size(), job));
    if (report.documents != static_cast<std::int64_t>(documents.size()))
        return Error{ErrorCode::Internal, "documents are missing", {}, {}};
    return std::move(sink.m_documents);
}

/// A copy of a golden folder or file that may be broken.
fs::path copyOf(const QTemporaryDir& folder, const std::string& model)
{
    const fs::path copy = fs::path(folder.path().toStdString()) / fs::path(model).filename();
    fs::copy(test::golden(model), copy, fs::copy_options::recursive);
    return copy;
}

} // namespace

class TestLayerStream : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layersAreThoseInMemory_data();
    void layersAreThoseInMemory();
    void sameBitsAsWithoutLimit_data();
    void sameBitsAsWithoutLimit();
    void earlyLayersOnly();
    void tooSmallALimitIsRefused();
    void libtorchIsRefused();
    void tooLongADocumentIsAnError();
    void truncatedBetweenLayers();
    void changedBetweenBatches();
    void cancelStops();
    void progressCountsDocumentsAndLayers();
    void mebibytes();
};

void TestLayerStream::layersAreThoseInMemory_data()
{
    QTest::addColumn<QString>("model");
    for (const char* model :
         {"models/mistral_f32", "models/mistral_f16", "models/llama_obias", "models/bert_f32", "models/qwen3_f32",
          "models/gemma3_embed", "models/gemma2_f16", "models/phi3_longrope", "models/gpt2_f32", "models/gptneox_f16",
          "gguf/llama/llama-Q4_0.gguf", "gguf/llama/llama-F32.gguf"})
        QTest::addRow("%s", model) << QString::fromLatin1(model);
}

void TestLayerStream::layersAreThoseInMemory()
{
    QFETCH(const QString, model);
    const auto files = openModel(test::golden(model.toStdString()));
    HEADSCOPE_VERIFY_OK(files);
    JobContext job;
    const auto all = Weights::load(*files, {}, job);
    HEADSCOPE_VERIFY_OK(all);
    auto opened = WeightFiles::open(*files);
    HEADSCOPE_VERIFY_OK(opened);
    LayerStream stream(*files, *opened, 2, {});
    for (LayerIndex layer; layer.value() < files->config.layers; ++layer)
    {
        stream.start(layer);
        const auto one = stream.take();
        HEADSCOPE_VERIFY_OK(one);
        QCOMPARE(one->mappedBytes(), 0U);
        const float* former = nullptr;
        const float* formerHere = nullptr;
        for (const auto& [role, huggingFace, gguf] : files->config.traits().tensors)
            for (const bool bias : {false, true})
            {
                if (!isLayerRole(role))
                    continue;
                const ConstMatrixView there = all->matrix({role, layer.value(), bias});
                const ConstMatrixView here = one->matrix({role, layer.value(), bias});
                QCOMPARE(here.rows(), there.rows());
                QCOMPARE(here.cols(), there.cols());
                if (there.data() == nullptr)
                    continue;
                const auto count = static_cast<std::size_t>(there.rows() * there.cols());
                QVERIFY(std::memcmp(here.data(), there.data(), count * sizeof(float)) == 0);
                // Neighbours in memory are neighbours here, and nothing else is: they are one product.
                QCOMPARE(here.data() == formerHere, there.data() == former);
                former = there.data() + count;
                formerHere = here.data() + count;
            }
    }
}

void TestLayerStream::sameBitsAsWithoutLimit_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("percent");
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("pooling");
    for (const char* model :
         {"models/mistral_f32", "models/mistral_f16", "models/bert_f32", "models/gemma3_embed", "models/phi3_longrope",
          "models/gpt2_f32", "models/gptneox_f16", "gguf/llama/llama-Q4_0.gguf"})
        for (const int percent : {100, 115, 150, 1000})
            for (const int threads : {1, 2, 3})
            {
                const Pooling pooling = percent == 115 ? Pooling::Mean : Pooling::Last;
                QTest::addRow("%s, %d %% of the smallest limit, %d threads", model, percent, threads)
                    << QString::fromLatin1(model) << percent << threads << static_cast<int>(pooling);
            }
}

void TestLayerStream::sameBitsAsWithoutLimit()
{
    QFETCH(const QString, model);
    QFETCH(const int, percent);
    QFETCH(const int, threads);
    QFETCH(const int, pooling);
    const auto files = openModel(test::golden(model.toStdString()));
    HEADSCOPE_VERIFY_OK(files);
    const auto documents = randomDocuments(60);
    ExtractionOptions options = smallSteps();
    options.pooling = static_cast<Pooling>(pooling);
    options.layers = {0, files->config.layers - 1};
    const auto whole = extract(*files, options, documents);
    HEADSCOPE_VERIFY_OK(whole);
    options.threads = threads;
    options.memory.longestDocument = 90;
    options.memory.total = smallestLimit(*files, options) * static_cast<std::uint64_t>(percent) / 100;
    const auto streamed = extract(*files, options, documents);
    HEADSCOPE_VERIFY_OK(streamed);
    QCOMPARE(streamed->size(), whole->size());
    for (const auto& [index, document] : *whole)
    {
        const ExtractedDocument& other = streamed->at(index);
        QCOMPARE(other.tokens, document.tokens);
        QCOMPARE(other.flags, document.flags);
        QCOMPARE(other.values.size(), document.values.size());
        QVERIFY2(std::memcmp(other.values.data(), document.values.data(), document.values.size() * sizeof(float)) == 0,
                 std::to_string(index).c_str());
    }
}

void TestLayerStream::earlyLayersOnly()
{
    const auto files = openModel(test::golden("models/mistral_f32"));
    HEADSCOPE_VERIFY_OK(files);
    const auto documents = randomDocuments(30);
    ExtractionOptions options = smallSteps();
    options.layers = {0};
    const auto whole = extract(*files, options, documents);
    HEADSCOPE_VERIFY_OK(whole);
    options.memory.longestDocument = 90;
    options.memory.total = smallestLimit(*files, options);
    const auto streamed = extract(*files, options, documents);
    HEADSCOPE_VERIFY_OK(streamed);
    for (const auto& [index, document] : *whole)
        if (document.tokens > 0)
            QCOMPARE(streamed->at(index).values, document.values);
}

void TestLayerStream::tooSmallALimitIsRefused()
{
    auto files = openModel(test::golden("models/mistral_f32"));
    HEADSCOPE_VERIFY_OK(files);
    ExtractionOptions options = smallSteps();
    options.layers = {2};
    options.memory.reserved = std::uint64_t{100} << 20;
    const std::uint64_t smallest = smallestLimit(*files, options);
    options.memory.total = smallest - 1;
    for (TensorFile& file : files->directory.files)
        file.path = "/nowhere"; // nothing is opened before
    JobContext job;
    const std::string sentence = "memory: expected at least " + mebibytesText(smallest) + " to stream this model";
    HEADSCOPE_VERIFY_ERROR(HeadExtractor::create(*files, options, job), ErrorCode::WrongUse, sentence);
}

void TestLayerStream::libtorchIsRefused()
{
    const auto files = openModel(test::golden("models/mistral_f32"));
    HEADSCOPE_VERIFY_OK(files);
    ExtractionOptions options;
    options.backend.kind = Backend::Kind::Torch;
    options.memory.total = std::uint64_t{1} << 40;
    JobContext job;
    HEADSCOPE_VERIFY_ERROR(HeadExtractor::create(*files, options, job), ErrorCode::WrongUse, "found libtorch");
}

void TestLayerStream::tooLongADocumentIsAnError()
{
    const auto files = openModel(test::golden("models/mistral_f32"));
    HEADSCOPE_VERIFY_OK(files);
    ExtractionOptions options = smallSteps();
    options.layers = {2};
    options.memory.total = smallestLimit(*files, options); // for usual documents
    HEADSCOPE_VERIFY_ERROR(extract(*files, options, randomDocuments(10, 4000)), ErrorCode::OutOfMemory,
                           "document 10: ");
}

void TestLayerStream::truncatedBetweenLayers()
{
    for (const std::string model : {"models/mistral_f32", "gguf/llama/llama-Q4_0.gguf"})
    {
        const QTemporaryDir folder;
        const auto files = openModel(copyOf(folder, model));
        HEADSCOPE_VERIFY_OK(files);
        auto opened = WeightFiles::open(*files);
        HEADSCOPE_VERIFY_OK(opened);
        LayerStream stream(*files, *opened, 2, {});
        stream.start(LayerIndex(0));
        HEADSCOPE_VERIFY_OK(stream.take());
        for (const TensorFile& file : files->directory.files)
            fs::resize_file(file.path, 1000);
        stream.start(LayerIndex(1));
        HEADSCOPE_VERIFY_ERROR(stream.take(), ErrorCode::BadFormat, "the model changed while it was used");
    }
}

void TestLayerStream::changedBetweenBatches()
{
    const QTemporaryDir folder;
    const auto files = openModel(copyOf(folder, "models/bert_f32"));
    HEADSCOPE_VERIFY_OK(files);
    ExtractionOptions options = smallSteps();
    options.layers = {1};
    options.memory.longestDocument = 90;
    options.memory.total = smallestLimit(*files, options);
    JobContext job;
    const auto extractor = HeadExtractor::create(*files, options, job);
    HEADSCOPE_VERIFY_OK(extractor);
    const auto documents = randomDocuments(200);
    const TokenStream source = streamOf(documents);
    const TokenStream stream = [&]() -> Result<std::optional<TokenizedDocument>> {
        auto document = source();
        if (document && *document && (*document)->index == 150) // the first batches are done
            fs::resize_file(files->directory.files[0].path, 1000);
        return document;
    };
    KeepingSink sink;
    HEADSCOPE_VERIFY_ERROR(extractor->run(stream, sink, 200, job), ErrorCode::BadFormat,
                           "the model changed while it was used");
    QVERIFY(sink.m_calls > 0);
    QVERIFY(sink.m_documents.size() < 200);
}

void TestLayerStream::cancelStops()
{
    const auto files = openModel(test::golden("models/mistral_f32"));
    HEADSCOPE_VERIFY_OK(files);
    ExtractionOptions options = smallSteps();
    options.layers = {2};
    options.threads = 2;
    options.memory.longestDocument = 90;
    options.memory.total = smallestLimit(*files, options) * 2;
    std::stop_source stop;
    JobContext job(stop.get_token(), [&](const Progress& progress) {
        if (progress.unit == "document layers")
            stop.request_stop(); // within the first layer
    });
    const auto extractor = HeadExtractor::create(*files, options, job);
    HEADSCOPE_VERIFY_OK(extractor);
    const auto documents = randomDocuments(200);
    KeepingSink sink;
    const auto report = extractor->run(streamOf(documents), sink, 200, job);
    QVERIFY(!report && report.error().code == ErrorCode::Cancelled);
    QCOMPARE(sink.m_calls, 0);
}

void TestLayerStream::progressCountsDocumentsAndLayers()
{
    const auto files = openModel(test::golden("models/mistral_f32"));
    HEADSCOPE_VERIFY_OK(files);
    ExtractionOptions options = smallSteps();
    options.layers = {1};
    options.memory.longestDocument = 90;
    options.memory.total = smallestLimit(*files, options);
    std::vector<Progress> seen;
    JobContext job({}, [&](const Progress& progress) { seen.push_back(progress); });
    const auto extractor = HeadExtractor::create(*files, options, job);
    HEADSCOPE_VERIFY_OK(extractor);
    const auto documents = randomDocuments(50);
    KeepingSink sink;
    HEADSCOPE_VERIFY_OK(extractor->run(streamOf(documents), sink, 50, job));
    QVERIFY(!seen.empty());
    QCOMPARE(seen.back().done, 100U);
    QCOMPARE(seen.back().total, 100U);
    QCOMPARE(seen.back().unit, std::string("document layers"));
}

void TestLayerStream::mebibytes()
{
    QCOMPARE(mebibytesText(1), std::string("1M"));
    QCOMPARE(mebibytesText(std::uint64_t{3} << 30), std::string("3072M"));
}

HEADSCOPE_TEST_GUILESS(TestLayerStream)
#include "tst_layer_stream.moc"
