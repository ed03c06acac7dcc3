// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/head_extractor.h"

#include "model/base/random.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

using namespace headscope;

namespace
{

/// Keeps what it is given.
class KeepingSink : public HeadVectorSink
{
public:
    Status add(std::span<const ExtractedDocument> documents) override
    {
        for (const ExtractedDocument& document : documents)
            m_documents[document.index] = document;
        ++m_calls;
        if (m_onAdd)
            return m_onAdd(m_calls);
        return {};
    }
    std::map<std::int64_t, ExtractedDocument> m_documents;
    int m_calls = 0;
    std::function<Status(int)> m_onAdd;
};

/// Random texts of 1 to 60 tokens; every seventh is empty.
std::vector<TokenizedDocument> randomDocuments(std::int64_t count, std::int32_t vocabulary)
{
    const CounterRandom random(5);
    std::vector<TokenizedDocument> documents(static_cast<std::size_t>(count));
    std::uint64_t at = 0;
    for (std::int64_t n = 0; n < count; ++n)
    {
        TokenizedDocument& document = documents[static_cast<std::size_t>(n)];
        document.index = n;
        const std::uint64_t length = n % 7 == 3 ? 0 : 1 + random.below(at++, 60);
        for (std::uint64_t t = 0; t < length; ++t)
            document.ids.push_back(
                static_cast<std::int32_t>(random.below(at++, static_cast<std::uint64_t>(vocabulary))));
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

Result<HeadExtractor> extractorOf(const std::string& model, const ExtractionOptions& options)
{
    JobContext job;
    HEADSCOPE_TRY(const ModelFiles files, openModel(test::golden(model)));
    return HeadExtractor::create(files, options, job);
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

} // namespace

class TestHeadExtractor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void blocksFollowLayersAndStages();
    void uncutStagesWhereHeadsDoNotDivide();
    void matchesGolden();
    void sameBitsOnAnyNumberOfThreads();
    void keptStepsArePassedOver();
    void laterLayersDoNotChangeEarlierOnes();
    void otherOptionsOfTheSameWeights();
    void meanLeavesInstructionOut();
    void stageThreeBeforeTheFinalNorm();
    void emptyDocumentsAreNaN();
    void nonFiniteVectorsAreCounted();
    void cancelStops();
    void sinkErrorEndsTheRun();
    void streamErrorEndsTheRun();
    void foreignTokenIdIsRefused();
    void badOptionsAreRefused();
    void changedModelIsAnError();
    void progressCountsDocuments();
};

void TestHeadExtractor::blocksFollowLayersAndStages()
{
    ExtractionOptions options;
    options.layers = {2, 0, 2};
    options.stages = {Stage::OutputSegment, Stage::HeadOutput, Stage::Contribution};
    const auto extractor = extractorOf("models/mistral_f32", options);
    HEADSCOPE_VERIFY_OK(extractor);
    const auto& blocks = extractor->blocks();
    QCOMPARE(blocks.size(), 6U);
    QCOMPARE(blocks[0].layer.value(), 0);
    QVERIFY(blocks[0].stage == Stage::HeadOutput && blocks[0].heads == 8 && blocks[0].dims == 16);
    QVERIFY(blocks[1].stage == Stage::OutputSegment && blocks[1].heads == 8 && blocks[1].dims == 16);
    QVERIFY(blocks[2].stage == Stage::Contribution && blocks[2].heads == 8 && blocks[2].dims == 128);
    QCOMPARE(blocks[3].layer.value(), 2);
}

void TestHeadExtractor::uncutStagesWhereHeadsDoNotDivide()
{
    ModelConfig config;
    config.layers = 1;
    config.heads = 3;
    config.headDim = 8;
    config.modelDim = 20;
    const auto blocks = extractionBlocks(config, {});
    HEADSCOPE_VERIFY_OK(blocks);
    QVERIFY((*blocks)[0].heads == 3 && (*blocks)[0].dims == 8);
    QVERIFY((*blocks)[1].heads == 1 && (*blocks)[1].dims == 20);
    QVERIFY((*blocks)[2].heads == 1 && (*blocks)[2].dims == 20);
}

void TestHeadExtractor::matchesGolden()
{
    const test::GoldenFile golden(test::golden("models/mistral_f32/expected.h5"));
    const auto offsets = golden.integers("texts/offsets");
    const auto ids = golden.integers("texts/ids");
    const auto stage1 = golden.floats("texts/stage1"); // [N, L, H, Dh]
    const auto stage3 = golden.floats("texts/stage3"); // [N, L, Dm]
    std::vector<TokenizedDocument> documents(offsets.size() - 1);
    for (std::size_t n = 0; n < documents.size(); ++n)
    {
        documents[n].index = static_cast<std::int64_t>(n);
        documents[n].ids.assign(ids.begin() + offsets[n], ids.begin() + offsets[n + 1]);
    }
    ExtractionOptions options;
    options.layers = {1};
    options.stages = {Stage::HeadOutput, Stage::OutputSegment};
    options.threads = 2;
    const auto extractor = extractorOf("models/mistral_f32", options);
    HEADSCOPE_VERIFY_OK(extractor);
    KeepingSink sink;
    JobContext job;
    HEADSCOPE_VERIFY_OK(extractor->run(streamOf(documents), sink, documents.size(), job));
    for (std::size_t n = 0; n < documents.size(); ++n)
        for (std::size_t i = 0; i < 128; ++i)
        {
            const auto& values = sink.m_documents[static_cast<std::int64_t>(n)].values;
            QVERIFY(std::abs(values[i] - stage1[(n * 3 + 1) * 128 + i]) < 1e-4);
            QVERIFY(std::abs(values[128 + i] - stage3[(n * 3 + 1) * 128 + i]) < 1e-4);
        }
}

void TestHeadExtractor::sameBitsOnAnyNumberOfThreads()
{
    const auto documents = randomDocuments(40, 352);
    ExtractionOptions options;
    options.stepTokens = 64;
    KeepingSink first;
    for (const int threads : {1, 2, 3})
    {
        options.threads = threads;
        const auto extractor = extractorOf("models/mistral_window", options);
        HEADSCOPE_VERIFY_OK(extractor);
        KeepingSink sink;
        JobContext job;
        const auto report = extractor->run(streamOf(documents), sink, 40, job);
        HEADSCOPE_VERIFY_OK(report);
        QCOMPARE(report->documents, 40);
        QCOMPARE(sink.m_documents.size(), 40U);
        if (threads == 1)
            first = sink;
        for (const auto& [index, document] : sink.m_documents)
            QVERIFY(sameBits(document.values, first.m_documents[index].values));
    }
}

void TestHeadExtractor::keptStepsArePassedOver()
{
    auto documents = randomDocuments(40, 352);
    ExtractionOptions options;
    options.stepTokens = 64;
    options.threads = 2;
    const auto extractor = extractorOf("models/mistral_window", options);
    HEADSCOPE_VERIFY_OK(extractor);
    JobContext job;
    KeepingSink whole;
    HEADSCOPE_VERIFY_OK(extractor->run(streamOf(documents), whole, 40, job));
    for (auto& document : documents)
        document.kept = document.index < 18 || document.index == 25 || (document.index >= 30 && document.index < 36);
    std::atomic<std::uint64_t> shown = 0;
    JobContext shownJob({}, [&](const Progress& progress) { shown = progress.done; });
    KeepingSink rest;
    const auto report = extractor->run(streamOf(documents), rest, 40, shownJob);
    HEADSCOPE_VERIFY_OK(report);
    QVERIFY(rest.m_calls < whole.m_calls - 2);
    QVERIFY(rest.m_documents.size() > 15); // what is kept is computed with others of its step, and not counted
    QCOMPARE(report->documents, 15);
    QCOMPARE(shown.load(), std::uint64_t{40});
    for (const auto& document : documents)
    {
        QVERIFY(document.kept || rest.m_documents.contains(document.index));
        QCOMPARE(whole.m_documents[document.index].digest, document.digest());
    }
    for (const auto& [index, document] : rest.m_documents)
        QVERIFY(sameBits(document.values, whole.m_documents[index].values));
}

void TestHeadExtractor::laterLayersDoNotChangeEarlierOnes()
{
    // Layers beyond the last one asked for are not computed, and the last one only where needed:
    // that must not show in the numbers.
    const auto documents = randomDocuments(12, 352);
    KeepingSink all, some;
    JobContext job;
    ExtractionOptions options;
    options.layers = {0, 1, 2};
    const auto full = extractorOf("models/mistral_window", options);
    HEADSCOPE_VERIFY_OK(full);
    HEADSCOPE_VERIFY_OK(full->run(streamOf(documents), all, 0, job));
    options.layers = {1};
    const auto part = extractorOf("models/mistral_window", options);
    HEADSCOPE_VERIFY_OK(part);
    QVERIFY(part->weightBytes() < full->weightBytes());
    HEADSCOPE_VERIFY_OK(part->run(streamOf(documents), some, 0, job));
    const std::size_t width = 3 * 64;
    for (const auto& [index, document] : some.m_documents)
        for (std::size_t i = 0; i < width && document.tokens > 0; ++i)
            QVERIFY(std::abs(document.values[i] - all.m_documents[index].values[width + i]) < 1e-5);
}

/// Weights that are loaded once serve other options to the same bits as those that are loaded for them.
void TestHeadExtractor::otherOptionsOfTheSameWeights()
{
    const auto documents = randomDocuments(12, 352);
    ExtractionOptions options;
    options.layers = {0, 2};
    const auto loaded = extractorOf("models/mistral_window", options);
    HEADSCOPE_VERIFY_OK(loaded);
    options.layers = {1};
    options.stages = {Stage::HeadOutput, Stage::OutputSegment};
    options.pooling = Pooling::Mean;
    QVERIFY(loaded->serves(options));
    const auto shared = loaded->withOptions(options);
    const auto own = extractorOf("models/mistral_window", options);
    HEADSCOPE_VERIFY_OK(shared);
    HEADSCOPE_VERIFY_OK(own);
    QCOMPARE(shared->weightBytes(), loaded->weightBytes());
    KeepingSink fromShared, fromOwn;
    JobContext job;
    HEADSCOPE_VERIFY_OK(shared->run(streamOf(documents), fromShared, 0, job));
    HEADSCOPE_VERIFY_OK(own->run(streamOf(documents), fromOwn, 0, job));
    QCOMPARE(fromShared.m_documents.size(), documents.size());
    for (const auto& [index, document] : fromOwn.m_documents)
        QVERIFY(document.tokens == 0 || sameBits(fromShared.m_documents[index].values, document.values));
    // Not loaded, or not to be had of loaded weights.
    options.layers = {2};
    QVERIFY(!own->serves(options));
    HEADSCOPE_VERIFY_ERROR(own->withOptions(options), ErrorCode::WrongUse, "loaded weights");
    options.layers = {0};
    options.memory.total = 1 << 30;
    QVERIFY(!loaded->serves(options));
    HEADSCOPE_VERIFY_OK(loaded->checkUnchanged());
}

void TestHeadExtractor::meanLeavesInstructionOut()
{
    std::vector<TokenizedDocument> documents = randomDocuments(3, 352);
    documents[0].ids = {5, 9, 11, 40, 7, 12};
    documents[0].promptTokens = 4;
    ExtractionOptions options;
    options.pooling = Pooling::Mean;
    options.stages = {Stage::HeadOutput};
    const auto mean = extractorOf("models/mistral_mqa", options);
    HEADSCOPE_VERIFY_OK(mean);
    JobContext job;
    KeepingSink sink;
    HEADSCOPE_VERIFY_OK(mean->run(streamOf(documents), sink, 0, job));
    // The mean over the last two tokens is that of the last tokens of the two prefixes.
    options.pooling = Pooling::Last;
    const auto last = extractorOf("models/mistral_mqa", options);
    HEADSCOPE_VERIFY_OK(last);
    std::vector<TokenizedDocument> prefixes(2);
    prefixes[0].ids = {5, 9, 11, 40, 7};
    prefixes[1].ids = documents[0].ids;
    prefixes[1].index = 1;
    KeepingSink ends;
    HEADSCOPE_VERIFY_OK(last->run(streamOf(prefixes), ends, 0, job));
    for (std::size_t i = 0; i < sink.m_documents[0].values.size(); ++i)
        QVERIFY(std::abs(sink.m_documents[0].values[i] -
                         (ends.m_documents[0].values[i] + ends.m_documents[1].values[i]) / 2) < 1e-5);
}

void TestHeadExtractor::stageThreeBeforeTheFinalNorm()
{
    const test::GoldenFile golden(test::golden("models/llama_mha/expected.h5"));
    const auto offsets = golden.integers("raw/offsets");
    const auto ids = golden.integers("raw/ids");
    const auto expected = golden.floats("raw/prenorm"); // [N, Dm]
    std::vector<TokenizedDocument> documents(1);
    documents[0].ids.assign(ids.begin() + offsets[1], ids.begin() + offsets[2]);
    ExtractionOptions options;
    options.stages = {Stage::OutputSegment};
    options.finalNorm = false;
    const auto extractor = extractorOf("models/llama_mha", options);
    HEADSCOPE_VERIFY_OK(extractor);
    JobContext job;
    KeepingSink sink;
    HEADSCOPE_VERIFY_OK(extractor->run(streamOf(documents), sink, 0, job));
    for (std::size_t i = 0; i < 64; ++i)
        QVERIFY(std::abs(sink.m_documents[0].values[i] - expected[64 + i]) < 1e-4);
}

void TestHeadExtractor::emptyDocumentsAreNaN()
{
    const auto documents = randomDocuments(15, 352);
    const auto extractor = extractorOf("models/mistral_mqa", {});
    HEADSCOPE_VERIFY_OK(extractor);
    JobContext job;
    KeepingSink sink;
    const auto report = extractor->run(streamOf(documents), sink, 15, job);
    HEADSCOPE_VERIFY_OK(report);
    QCOMPARE(report->empty, 2);
    QCOMPARE(report->nonFinite, 0);
    for (const auto& [index, document] : sink.m_documents)
    {
        QCOMPARE(hasFlag(document.flags, DocumentFlag::Empty), index % 7 == 3);
        for (const float value : document.values)
            QCOMPARE(std::isnan(value), index % 7 == 3);
    }
}

void TestHeadExtractor::nonFiniteVectorsAreCounted()
{
    ExtractionReport report;
    report.documents = 9;
    report.nonFiniteVectors = {{0, 2}, {1}};
    const std::vector<ExtractionBlock> blocks = {{LayerIndex(4), Stage::HeadOutput, 2, 8},
                                                 {LayerIndex(4), Stage::OutputSegment, 1, 20}};
    const auto lines = report.warnings(blocks);
    QCOMPARE(lines.size(), 2U);
    QCOMPARE(lines[0], std::string("layer 4, stage 1, head 2: NaN or infinity in 2 of 9 documents"));
    QVERIFY(report.warnings(blocks, 1)[1].find("1 more") != std::string::npos);

    // A model whose o_proj holds an infinity: stage 1 is sound, what follows is not.
    QTemporaryDir folder;
    const std::filesystem::path copy(folder.path().toStdString());
    std::filesystem::copy(test::golden("gguf/llama/llama-F32.gguf"), copy / "m.gguf");
    JobContext job;
    const auto files = openModel(copy / "m.gguf");
    HEADSCOPE_VERIFY_OK(files);
    const TensorInfo* o = files->find({TensorRole::O, files->config.layers - 1});
    QVERIFY(o != nullptr);
    {
        std::fstream stream(copy / "m.gguf", std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(static_cast<std::streamoff>(o->offset));
        const float infinity = INFINITY;
        stream.write(reinterpret_cast<const char*>(&infinity), sizeof(infinity));
    }
    const auto extractor = HeadExtractor::create(*files, {}, job);
    HEADSCOPE_VERIFY_OK(extractor);
    const auto documents = randomDocuments(6, 300);
    KeepingSink sink;
    const auto found = extractor->run(streamOf(documents), sink, 6, job);
    HEADSCOPE_VERIFY_OK(found);
    QCOMPARE(found->nonFinite, 5);
    QCOMPARE(found->nonFiniteVectors[0][0], 0);
    QCOMPARE(found->nonFiniteVectors[1][0], 5);
    QVERIFY(hasFlag(sink.m_documents[0].flags, DocumentFlag::NonFinite));
    QVERIFY(!hasFlag(sink.m_documents[3].flags, DocumentFlag::NonFinite));

    // Of those that are kept nothing is counted: they are told by the run that made them, or by that of their range.
    auto some = documents;
    some[0].kept = some[1].kept = true;
    const auto rest = extractor->run(streamOf(some), sink, 6, job);
    HEADSCOPE_VERIFY_OK(rest);
    QCOMPARE(rest->documents, 4);
    QCOMPARE(rest->nonFinite, 3);
    QCOMPARE(rest->nonFiniteVectors[1][0], 3);
    QCOMPARE(rest->firstNonFinite->document.value(), 2);
}

void TestHeadExtractor::cancelStops()
{
    const auto documents = randomDocuments(400, 352);
    ExtractionOptions options;
    options.stepTokens = 32;
    options.threads = 2;
    const auto extractor = extractorOf("models/mistral_mqa", options);
    HEADSCOPE_VERIFY_OK(extractor);
    std::stop_source stop;
    JobContext job(stop.get_token());
    KeepingSink sink;
    sink.m_onAdd = [&](int calls) -> Status {
        if (calls == 3)
            stop.request_stop();
        return {};
    };
    const auto report = extractor->run(streamOf(documents), sink, 400, job);
    QVERIFY(!report && report.error().code == ErrorCode::Cancelled);
    QVERIFY(sink.m_calls <= 4);
}

void TestHeadExtractor::sinkErrorEndsTheRun()
{
    const auto documents = randomDocuments(100, 352);
    ExtractionOptions options;
    options.stepTokens = 32;
    options.threads = 2;
    const auto extractor = extractorOf("models/mistral_mqa", options);
    HEADSCOPE_VERIFY_OK(extractor);
    JobContext job;
    KeepingSink sink;
    sink.m_onAdd = [](int) -> Status { return Error{ErrorCode::Resource, "the disk is full", {}, {}}; };
    const auto report = extractor->run(streamOf(documents), sink, 100, job);
    HEADSCOPE_VERIFY_ERROR(report, ErrorCode::Resource, "the disk is full");
    QCOMPARE(sink.m_calls, 1);
}

void TestHeadExtractor::streamErrorEndsTheRun()
{
    const auto extractor = extractorOf("models/mistral_mqa", {});
    HEADSCOPE_VERIFY_OK(extractor);
    JobContext job;
    KeepingSink sink;
    const TokenStream broken = []() -> Result<std::optional<TokenizedDocument>> {
        return Error{ErrorCode::BadFormat, "expected an object", "texts.jsonl", "line 3"};
    };
    HEADSCOPE_VERIFY_ERROR(extractor->run(broken, sink, 0, job), ErrorCode::BadFormat, "texts.jsonl: line 3");
}

void TestHeadExtractor::foreignTokenIdIsRefused()
{
    const auto extractor = extractorOf("models/mistral_mqa", {});
    HEADSCOPE_VERIFY_OK(extractor);
    std::vector<TokenizedDocument> documents(1);
    documents[0].ids = {4, 352};
    JobContext job;
    KeepingSink sink;
    HEADSCOPE_VERIFY_ERROR(extractor->run(streamOf(documents), sink, 1, job), ErrorCode::InvalidArgument,
                           "expected 0 to 351, found 352");
}

void TestHeadExtractor::badOptionsAreRefused()
{
    ExtractionOptions options;
    options.layers = {3};
    HEADSCOPE_VERIFY_ERROR(extractorOf("models/mistral_f32", options), ErrorCode::WrongUse,
                           "expected layers 0 to 2, found 3");
    options.layers = {};
    options.stages = {};
    HEADSCOPE_VERIFY_ERROR(extractorOf("models/mistral_f32", options), ErrorCode::WrongUse, "stage");
}

void TestHeadExtractor::changedModelIsAnError()
{
    QTemporaryDir folder;
    const std::filesystem::path copy = std::filesystem::path(folder.path().toStdString()) / "m.gguf";
    std::filesystem::copy(test::golden("gguf/llama/llama-Q8_0.gguf"), copy);
    JobContext job;
    const auto files = openModel(copy);
    HEADSCOPE_VERIFY_OK(files);
    const auto extractor = HeadExtractor::create(*files, {}, job);
    HEADSCOPE_VERIFY_OK(extractor);
    std::filesystem::last_write_time(copy, std::filesystem::last_write_time(copy) + std::chrono::seconds(5));
    const auto documents = randomDocuments(4, 300);
    KeepingSink sink;
    HEADSCOPE_VERIFY_ERROR(extractor->run(streamOf(documents), sink, 4, job), ErrorCode::BadFormat, "changed");
    // The header was read before the file shrank.
    std::filesystem::resize_file(copy, std::filesystem::file_size(copy) - 100);
    HEADSCOPE_VERIFY_ERROR(HeadExtractor::create(*files, {}, job), ErrorCode::BadFormat, "changed");
}

void TestHeadExtractor::progressCountsDocuments()
{
    const auto documents = randomDocuments(50, 352);
    ExtractionOptions options;
    options.stepTokens = 64;
    const auto extractor = extractorOf("models/mistral_mqa", options);
    HEADSCOPE_VERIFY_OK(extractor);
    std::vector<Progress> seen;
    JobContext job({}, [&](const Progress& progress) { seen.push_back(progress); });
    KeepingSink sink;
    HEADSCOPE_VERIFY_OK(extractor->run(streamOf(documents), sink, 50, job));
    QVERIFY(!seen.empty());
    QCOMPARE(seen.back().done, 50U);
    QCOMPARE(seen.back().total, 50U);
    QCOMPARE(seen.back().unit, std::string("documents"));
}

HEADSCOPE_TEST_GUILESS(TestHeadExtractor)
#include "tst_head_extractor.moc"
