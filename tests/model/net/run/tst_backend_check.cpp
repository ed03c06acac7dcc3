// SPDX-License-Identifier: GPL-3.0-or-later
// Fault row 28: a device that does not compute what the CPU does is found out by the first documents of a run.
#include "model/net/run/backend_check.h"

#include "model/net/forward/cpu_operations.h"
#include "model/net/run/head_extractor.h"
#include "tests/model/net/golden_network.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QFileInfo>
#include <QTemporaryDir>

#include <fstream>
#include <limits>

using namespace headscope;
namespace fs = std::filesystem;

namespace
{

/// Counts what it is given.
class CountingSink : public HeadVectorSink
{
public:
    Status add(std::span<const ExtractedDocument> documents) override
    {
        m_documents += std::ssize(documents);
        return {};
    }
    std::int64_t m_documents = 0;
};

/// Documents of 1 to 40 tokens, the second one empty.
TokenStream someDocuments()
{
    return [index = std::int64_t{0}]() mutable -> Result<std::optional<TokenizedDocument>> {
        if (index == 12)
            return std::optional<TokenizedDocument>();
        TokenizedDocument document;
        document.index = index++;
        for (std::int64_t t = 0; document.index != 1 && t <= document.index * 7 % 40; ++t)
            document.ids.push_back(static_cast<std::int32_t>(5 + (document.index * 31 + t * 17) % 90));
        document.promptTokens = document.index % 3;
        return std::optional(std::move(document));
    };
}

/// A golden model in which one head of a layer asks for twice as much.
Result<fs::path> damagedModel(const fs::path& folder, std::int64_t layer, std::int64_t head)
{
    fs::copy(test::golden("models/mistral_f32"), folder / "model", fs::copy_options::recursive);
    HEADSCOPE_TRY(const ModelFiles files, openModel(folder / "model"));
    const TensorInfo* query = files.find({TensorRole::Q, layer, false});
    const auto count = static_cast<std::size_t>(files.config.headDim * files.config.modelDim);
    std::vector<float> rows(count);
    std::fstream file(files.directory.files[static_cast<std::size_t>(query->file)].path,
                      std::ios::in | std::ios::out | std::ios::binary);
    const auto place = static_cast<std::streamoff>(query->offset + static_cast<std::uint64_t>(head) * count * 4);
    file.seekg(place).read(reinterpret_cast<char*>(rows.data()), static_cast<std::streamsize>(count * 4));
    for (float& value : rows)
        value *= 2;
    file.seekp(place).write(reinterpret_cast<const char*>(rows.data()), static_cast<std::streamsize>(count * 4));
    return file.good() ? Result<fs::path>(folder / "model") : Error{ErrorCode::Resource, "the copy", {}, {}};
}

} // namespace

class TestBackendCheck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comparesInLengthsOfAHead();
    void comparesHalfPrecisionByTheCosine();
    void whatIsNotFiniteSaysNothing();
    void agreesOnEveryModel_data();
    void agreesOnEveryModel();
    void agreesOnADeepModel_data();
    void agreesOnADeepModel();
    void aWrongDeviceEndsTheRun();
    void isDoneOnce();
};

void TestBackendCheck::comparesInLengthsOfAHead()
{
    const std::vector<ExtractionBlock> blocks = {{LayerIndex(1), Stage::HeadOutput, 2, 3},
                                                 {LayerIndex(2), Stage::OutputSegment, 2, 2}};
    const std::vector<float> cpu = {3, 0, 4, 0, 0, 0.001F, 1, 1, 1, 1}; // the second head holds next to nothing
    auto device = cpu;
    QVERIFY(!backendDifference(blocks, device, cpu, Precision::F32));
    device[1] = 4e-4F; // of a length of 5
    device[4] = 2e-4F; // of the mean head's 3.5
    QVERIFY(!backendDifference(blocks, device, cpu, Precision::F32));
    device[1] = 6e-4F;
    auto found = backendDifference(blocks, device, cpu, Precision::F32);
    QVERIFY(found && found->block == 0 && found->head.value() == 0);
    QVERIFY(std::abs(found->value - 1.2e-4) < 1e-6);
    device[4] = -1e-3F; // further away, and in the other head
    found = backendDifference(blocks, device, cpu, Precision::F32);
    QVERIFY(found && found->head.value() == 1);
    device = cpu;
    device[9] = 1.01F;
    found = backendDifference(blocks, device, cpu, Precision::F32);
    QVERIFY(found && found->block == 1 && found->head.value() == 1);
}

void TestBackendCheck::comparesHalfPrecisionByTheCosine()
{
    const std::vector<ExtractionBlock> blocks = {{LayerIndex(0), Stage::HeadOutput, 2, 2}};
    const std::vector<float> cpu = {1, 0, 0, 1};
    QVERIFY(!backendDifference(blocks, std::vector<float>{1.01F, 0.02F, 0, 1}, cpu, Precision::Bf16));
    QVERIFY(backendDifference(blocks, std::vector<float>{1.01F, 0.02F, 0, 1}, cpu, Precision::F32));
    const auto found = backendDifference(blocks, std::vector<float>{1, 0, 0.1F, 1}, cpu, Precision::Bf16);
    QVERIFY(found && found->head.value() == 1);
    QVERIFY(found->value < 0.999 && found->value > 0.99);
    QVERIFY(backendDifference(blocks, std::vector<float>(4, 0.0F), cpu, Precision::F16));
}

void TestBackendCheck::whatIsNotFiniteSaysNothing()
{
    const std::vector<ExtractionBlock> blocks = {{LayerIndex(0), Stage::HeadOutput, 1, 2}};
    const std::vector<float> number = {1, 2};
    const std::vector<float> none = {1, std::numeric_limits<float>::quiet_NaN()};
    QVERIFY(!backendDifference(blocks, number, none, Precision::F32)); // the weights themselves overflow
    QVERIFY(!backendDifference(blocks, none, number, Precision::F16)); // told as an overflow
    QVERIFY(backendDifference(blocks, none, number, Precision::F32));
}

void TestBackendCheck::agreesOnEveryModel_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("half");
    for (const std::string& name : test::goldenModels())
        for (const bool half : {false, true})
            QTest::addRow("%s-%s", name.c_str(), half ? "bf16" : "f32") << QString::fromStdString(name) << half;
}

void TestBackendCheck::agreesOnEveryModel()
{
    QFETCH(const QString, name);
    QFETCH(const bool, half);
    const auto files = openModel(test::goldenModel(name.toStdString()));
    HEADSCOPE_VERIFY_OK(files);
    ExtractionOptions options;
    options.layers = test::allLayers(files->config);
    options.pooling = Pooling::Mean;
    options.backend.kind = Backend::Kind::Torch;
    options.backend.precision = half ? Precision::Bf16 : Precision::F32;
    JobContext job;
    const auto extractor = HeadExtractor::create(*files, options, job);
    HEADSCOPE_VERIFY_OK(extractor);
    CountingSink sink;
    const auto report = extractor->run(someDocuments(), sink, 12, job);
    HEADSCOPE_VERIFY_OK(report);
    QCOMPARE(sink.m_documents, 12);
    QVERIFY(report->unchecked.empty());
    QVERIFY(report->checkSeconds > 0);
    // Once for these weights: what it took is not taken off a later run.
    const auto again = extractor->run(someDocuments(), sink, 12, job);
    HEADSCOPE_VERIFY_OK(again);
    QCOMPARE(again->checkSeconds, 0.0);
    QVERIFY(again->seconds > 0);
}

void TestBackendCheck::agreesOnADeepModel_data()
{
    QTest::addColumn<bool>("half");
    QTest::newRow("f32") << false;
    QTest::newRow("bf16") << true;
}

/// Rounding adds up over layers: what is right must not be refused there.
void TestBackendCheck::agreesOnADeepModel()
{
    const QString model = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
    if (!QFileInfo::exists(model))
        QSKIP("the demo model is not here (packaging/fetch_model.sh fetches it)");
    QFETCH(const bool, half);
    const auto files = openModel(model.toStdString());
    HEADSCOPE_VERIFY_OK(files);
    ExtractionOptions options;
    options.layers = test::allLayers(files->config);
    options.backend.kind = Backend::Kind::Torch;
    options.backend.precision = half ? Precision::Bf16 : Precision::F32;
    JobContext job;
    const auto extractor = HeadExtractor::create(*files, options, job);
    HEADSCOPE_VERIFY_OK(extractor);
    CountingSink sink;
    HEADSCOPE_VERIFY_OK(extractor->run(someDocuments(), sink, 4, job));
}

/// The device has other weights than the CPU: as if it computed one head of one layer wrongly.
void TestBackendCheck::aWrongDeviceEndsTheRun()
{
    const QTemporaryDir folder;
    const auto damaged = damagedModel(folder.path().toStdString(), 1, 5);
    HEADSCOPE_VERIFY_OK(damaged);
    const auto right = test::load(test::golden("models/mistral_f32"), "cpu");
    HEADSCOPE_VERIFY_OK(right);
    ExtractionOptions options;
    options.layers = {0, 1, 2};
    const auto blocks = extractionBlocks(right->files.config, options);
    HEADSCOPE_VERIFY_OK(blocks);
    TapPlan plan;
    for (int layer = 0; layer < 3; ++layer)
        plan.layers.push_back({.headOutput = true, .projected = true, .output = true});
    JobContext job;
    for (const bool half : {false, true})
        for (const bool wrong : {true, false})
        {
            options.backend.kind = Backend::Kind::Torch;
            options.backend.precision = half ? Precision::Bf16 : Precision::F32;
            const auto device = test::load(wrong ? *damaged : fs::path(test::golden("models/mistral_f32")), "torch",
                                           options.backend.precision);
            HEADSCOPE_VERIFY_OK(device);
            BackendCheck check(right->network);
            CountingSink sink;
            const auto report = runExtraction({options, device->network, plan, *blocks, nullptr, &check},
                                              someDocuments(), sink, 12, job);
            if (!wrong)
            {
                HEADSCOPE_VERIFY_OK(report);
                continue;
            }
            HEADSCOPE_VERIFY_ERROR(report, ErrorCode::Resource, "layer 1, stage 1, head 6 differs");
            QVERIFY(report.error().message.find("--device cpu") != std::string::npos);
            QCOMPARE(sink.m_documents, 0); // nothing of it is kept
        }
}

/// Later runs of the same weights, of topic names for example, compare no more.
void TestBackendCheck::isDoneOnce()
{
    const auto right = test::load(test::golden("models/mistral_f32"), "cpu");
    HEADSCOPE_VERIFY_OK(right);
    const QTemporaryDir folder;
    const auto damaged = damagedModel(folder.path().toStdString(), 1, 5);
    HEADSCOPE_VERIFY_OK(damaged);
    const auto device = test::load(*damaged, "torch");
    HEADSCOPE_VERIFY_OK(device);
    ExtractionOptions options;
    options.layers = {1};
    options.backend.kind = Backend::Kind::Torch;
    const auto blocks = extractionBlocks(right->files.config, options);
    HEADSCOPE_VERIFY_OK(blocks);
    TapPlan plan;
    plan.layers = {{}, {.headOutput = true, .projected = true, .output = true}, {}};
    BackendCheck check(right->network);
    JobContext job;
    CountingSink sink;
    const ExtractionSetup setup{options, device->network, plan, *blocks, nullptr, &check};
    HEADSCOPE_VERIFY_ERROR(runExtraction(setup, someDocuments(), sink, 12, job), ErrorCode::Resource, "differs");
    HEADSCOPE_VERIFY_OK(runExtraction(setup, someDocuments(), sink, 12, job));
    QCOMPARE(sink.m_documents, 12);
}

HEADSCOPE_TEST_GUILESS(TestBackendCheck)
#include "tst_backend_check.moc"
