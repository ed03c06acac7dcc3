// SPDX-License-Identifier: GPL-3.0-or-later
// What is changed in a model while it runs, and layers that are read one at a time, in every family.
#include "model/net/run/head_extractor.h"
#include "model/net/run/layer_stream.h"
#include "tests/model/net/golden_network.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

using namespace headscope;

namespace
{

namespace fs = std::filesystem;

/// Values of all stages and layers, by document.
using Values = std::map<std::int64_t, std::vector<float>>;

class ValuesSink : public HeadVectorSink
{
public:
    Status add(std::span<const ExtractedDocument> documents) override
    {
        for (const ExtractedDocument& document : documents)
            values[document.index] = document.values;
        return {};
    }
    Values values;
};

/// Twelve texts of 1 to 30 tokens.
std::vector<TokenizedDocument> documentsFor(const ModelConfig& config)
{
    std::vector<TokenizedDocument> documents;
    std::int64_t id = 7;
    for (std::int64_t n = 0; n < 12; ++n)
    {
        TokenizedDocument document;
        document.index = n;
        const std::int64_t length = 1 + n * 29 / 11;
        for (std::int64_t t = 0; t < length; ++t)
            document.ids.push_back(
                static_cast<std::int32_t>(5 + (id = (id * 31 + 17) % 1009) % (config.vocabulary - 20)));
        documents.push_back(std::move(document));
    }
    return documents;
}

ExtractionOptions allStages(const ModelConfig& config)
{
    ExtractionOptions options;
    options.stages = {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment, Stage::Contribution};
    for (std::int64_t layer = 0; layer < config.layers; ++layer)
        options.layers.push_back(layer);
    options.pooling = Pooling::Mean;
    options.stepTokens = 64;
    return options;
}

Result<Values> extractWith(const ModelFiles& files, const ExtractionOptions& options)
{
    JobContext job;
    HEADSCOPE_TRY(const HeadExtractor extractor, HeadExtractor::create(files, options, job));
    const auto documents = documentsFor(files.config);
    ValuesSink sink;
    const auto stream = [&documents, next = std::size_t{0}]() mutable -> Result<std::optional<TokenizedDocument>> {
        return next == documents.size() ? std::optional<TokenizedDocument>() : std::optional(documents[next++]);
    };
    HEADSCOPE_TRY(const auto report, extractor.run(stream, sink, documents.size(), job));
    if (report.documents != std::ssize(documents))
        return Error{ErrorCode::Internal, "documents are missing", {}, {}};
    return std::move(sink.values);
}

bool sameBits(const Values& a, const Values& b)
{
    return a.size() == b.size() && std::ranges::all_of(a, [&b](const auto& each) {
               const auto& other = b.at(each.first);
               return each.second.size() == other.size() &&
                      std::memcmp(each.second.data(), other.data(), other.size() * sizeof(float)) == 0;
           });
}

/// max |a - b| / max |b|
double furthest(const std::vector<float>& a, const std::vector<float>& b)
{
    double most = 0;
    double largest = 1e-30;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    {
        most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
        largest = std::max(largest, std::abs(static_cast<double>(b[i])));
    }
    return a.size() == b.size() ? most / largest : 1.0;
}

/// Sets the columns of o_proj that read a head to zero, in the file.
void clearColumns(const ModelFiles& files, std::int64_t layer, std::int64_t head)
{
    const TensorInfo* o = files.find({TensorRole::O, layer});
    QVERIFY(o != nullptr);
    const auto size = static_cast<std::int64_t>(o->bytes / o->elements());
    const std::int64_t columns = files.config.heads * files.config.headDim;
    std::fstream file(files.directory.files[static_cast<std::size_t>(o->file)].path,
                      std::ios::in | std::ios::out | std::ios::binary);
    const std::string zero(static_cast<std::size_t>(size), '\0'); // of F32, F16 and BF16
    for (std::int64_t row = 0; row < files.config.modelDim; ++row)
        for (std::int64_t at = 0; at < files.config.headDim; ++at)
        {
            const std::int64_t column = head * files.config.headDim + at;
            const std::int64_t number = o->storedCols > 0 ? column * o->storedCols + row : row * columns + column;
            file.seekp(static_cast<std::streamoff>(o->offset) + number * size);
            file.write(zero.data(), size);
        }
    QVERIFY(file.good());
}

} // namespace

class TestFamilyFeatures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void regrouping_data() { models(); }
    void regrouping();
    void ablation_data() { models(); }
    void ablation();
    void streaming_data() { models(); }
    void streaming();

private:
    static void models()
    {
        QTest::addColumn<QString>("model");
        for (const auto& entry : fs::directory_iterator(test::golden("models")))
            QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }
};

/// To the model's own number of groups: the same bits. To one for each head, which repeats: the same numbers.
void TestFamilyFeatures::regrouping()
{
    QFETCH(const QString, model);
    const auto files = openModel(model.toStdString());
    HEADSCOPE_VERIFY_OK(files);
    const ModelConfig& config = files->config;
    ExtractionOptions options = allStages(config);
    const auto plain = extractWith(*files, options);
    HEADSCOPE_VERIFY_OK(plain);
    options.edit.groups.assign(static_cast<std::size_t>(config.layers), config.kvHeads);
    const auto same = extractWith(*files, options);
    HEADSCOPE_VERIFY_OK(same);
    QVERIFY(sameBits(*same, *plain));
    options.edit.groups.assign(static_cast<std::size_t>(config.layers), config.heads);
    const auto repeated = extractWith(*files, options);
    HEADSCOPE_VERIFY_OK(repeated);
    for (const auto& [document, values] : *plain)
        QVERIFY(furthest(repeated->at(document), values) <= 1e-5);
    if (config.kvHeads == 1)
        return;
    options.edit.groups.assign(static_cast<std::size_t>(config.layers), 1);
    const auto merged = extractWith(*files, options);
    HEADSCOPE_VERIFY_OK(merged);
    QVERIFY(furthest(merged->at(11), plain->at(11)) > 1e-3); // it does something
}

/// A head that is ablated adds what it adds where o_proj does not read it: nothing. Its own stage 1 is zero then.
void TestFamilyFeatures::ablation()
{
    QFETCH(const QString, model);
    const QTemporaryDir folder;
    const fs::path copy = fs::path(folder.path().toStdString()) / "model";
    fs::copy(model.toStdString(), copy, fs::copy_options::recursive);
    const auto files = openModel(copy);
    HEADSCOPE_VERIFY_OK(files);
    const ModelConfig& config = files->config;
    ExtractionOptions options = allStages(config);
    const auto plain = extractWith(*files, options);
    HEADSCOPE_VERIFY_OK(plain);
    const std::int64_t head = config.heads - 2;
    options.edit.off.resize(static_cast<std::size_t>(config.layers));
    for (const std::int64_t layer : {std::int64_t{0}, config.layers - 1})
        options.edit.off[static_cast<std::size_t>(layer)].heads = {HeadIndex(head)};
    const auto ablated = extractWith(*files, options);
    HEADSCOPE_VERIFY_OK(ablated);
    QVERIFY(furthest(ablated->at(11), plain->at(11)) > 1e-3);
    options.edit = {};
    clearColumns(*files, 0, head);
    clearColumns(*files, config.layers - 1, head);
    const auto patched = openModel(copy);
    HEADSCOPE_VERIFY_OK(patched);
    const auto cleared = extractWith(*patched, options);
    HEADSCOPE_VERIFY_OK(cleared);
    const auto blocks = extractionBlocks(config, options);
    HEADSCOPE_VERIFY_OK(blocks);
    for (const auto& [document, values] : *ablated)
    {
        std::vector<float> expected = cleared->at(document);
        std::size_t at = 0;
        for (const ExtractionBlock& block : *blocks)
        {
            const bool edited = block.layer.value() == 0 || block.layer.value() == config.layers - 1;
            if (edited && block.stage == Stage::HeadOutput)
                std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(at) + head * block.dims, block.dims, 0.0F);
            at += static_cast<std::size_t>(block.heads * block.dims);
        }
        QCOMPARE(at, expected.size());
        QVERIFY2(furthest(values, expected) <= 1e-5, std::to_string(document).c_str());
    }
}

/// Layers that are read one at a time give the bits of those in memory.
void TestFamilyFeatures::streaming()
{
    QFETCH(const QString, model);
    const auto files = openModel(model.toStdString());
    HEADSCOPE_VERIFY_OK(files);
    ExtractionOptions options = allStages(files->config);
    const auto whole = extractWith(*files, options);
    HEADSCOPE_VERIFY_OK(whole);
    const auto blocks = extractionBlocks(files->config, options);
    HEADSCOPE_VERIFY_OK(blocks);
    std::int64_t values = 0;
    for (const ExtractionBlock& block : *blocks)
        values += block.heads * block.dims;
    options.memory.longestDocument = 30;
    options.memory.total = streamCosts(*files, files->config.layers - 1, values, options.threads)
                               .smallest(options.memory, options.stepTokens);
    const auto streamed = extractWith(*files, options);
    HEADSCOPE_VERIFY_OK(streamed);
    QVERIFY(sameBits(*streamed, *whole));
}

HEADSCOPE_TEST_GUILESS(TestFamilyFeatures)
#include "tst_family_features.moc"
