// SPDX-License-Identifier: GPL-3.0-or-later
// Many edits of one model over the same documents: the recorded values of masks, and the bits of plain runs.
#include "model/net/run/edited_runs.h"

#include "tests/model/net/golden_network.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <atomic>
#include <map>
#include <mutex>
#include <stop_token>

using namespace headscope;

namespace
{

const test::GoldenFile& truth()
{
    static const test::GoldenFile file(test::golden("circuits/importance.h5"));
    return file;
}

std::vector<TokenizedDocument> documentsOf(const std::string& model)
{
    const test::VectorGroup group(truth(), model);
    std::vector<TokenizedDocument> documents;
    for (std::int64_t n = 0; n < group.documents(); ++n)
        documents.push_back({.index = n, .ids = group.ids(n)});
    return documents;
}

ExtractionOptions optionsOf(const std::string& model, int threads, std::int64_t stepTokens = 0)
{
    ExtractionOptions options;
    options.stages = {Stage::OutputSegment};
    options.pooling = truth().text(model, "pooling") == "mean" ? Pooling::Mean : Pooling::Last;
    options.threads = threads;
    options.stepTokens = stepTokens;
    return options;
}

Result<HeadExtractor> extractorOf(const std::string& model, int threads, std::int64_t stepTokens = 0)
{
    JobContext job;
    HEADSCOPE_TRY(const ModelFiles files, openModel(test::golden("models/" + model)));
    return HeadExtractor::create(files, optionsOf(model, threads, stepTokens), job);
}

/// The edits of all masks of a model; players are its heads, or its KV groups where there are fewer of them.
std::vector<ModelEdit> editsOf(const std::string& model, const ModelConfig& config)
{
    const auto bits = truth().integers(model + "/all/masks");
    const bool groups = truth().text(model, "players").starts_with("groups");
    const std::int64_t units = groups ? config.kvHeads : config.heads;
    const std::int64_t size = config.heads / units;
    std::vector<ModelEdit> edits;
    for (std::size_t at = 0; at < bits.size(); at += static_cast<std::size_t>(config.layers * units))
    {
        ModelEdit edit;
        edit.off.resize(static_cast<std::size_t>(config.layers));
        for (std::int64_t player = 0; player < config.layers * units; ++player)
            for (std::int64_t member = 0; member < size; ++member)
                if (bits[at + static_cast<std::size_t>(player)] == 0)
                    edit.off[static_cast<std::size_t>(player / units)].heads.emplace_back(player % units * size +
                                                                                          member);
        edits.push_back(std::move(edit));
    }
    return edits;
}

/// Keeps what it is given, by document.
class KeepingSink : public HeadVectorSink
{
public:
    Status add(std::span<const ExtractedDocument> documents) override
    {
        for (const ExtractedDocument& document : documents)
            values[document.index] = document.values;
        return {};
    }
    std::map<std::int64_t, std::vector<float>> values;
};

using Vectors = std::map<std::pair<std::size_t, std::size_t>, std::vector<float>>;

Result<Vectors> run(const HeadExtractor& extractor, std::span<const TokenizedDocument> documents,
                    std::span<const ModelEdit> edits)
{
    JobContext job;
    std::mutex mutex;
    Vectors found;
    HEADSCOPE_CHECK(extractor.runEdits(
        documents, edits,
        [&](const EditedVector& vector) {
            const std::scoped_lock lock(mutex);
            found[{vector.edit, vector.document}].assign(vector.values.begin(), vector.values.end());
        },
        job));
    return found;
}

} // namespace

class TestEditedRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void models_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"llama_mha", "mistral_f32"})
            QTest::newRow(name) << QString(QLatin1StringView(name));
    }

    void recordedValues_data() { models_data(); }
    void recordedValues()
    {
        QFETCH(QString, name);
        const std::string model = name.toStdString();
        const auto extractor = extractorOf(model, 2);
        HEADSCOPE_VERIFY_OK(extractor);
        const auto files = openModel(test::golden("models/" + model));
        HEADSCOPE_VERIFY_OK(files);
        const auto documents = documentsOf(model);
        const auto edits = editsOf(model, files->config);
        const auto found = run(*extractor, documents, edits);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->size(), documents.size() * edits.size());
        const auto values = truth().doubles(model + "/all/values");
        QCOMPARE(values.size(), edits.size());
        const std::size_t whole = edits.size() - 1; // the last mask keeps all
        double largest = 0;
        for (std::size_t edit = 0; edit < edits.size(); ++edit)
        {
            double mean = 0;
            for (std::size_t document = 0; document < documents.size(); ++document)
                mean += test::cosineOf(found->at({edit, document}), found->at({whole, document})) /
                        static_cast<double>(documents.size());
            largest = std::max(largest, std::abs(mean - values[edit]));
        }
        QVERIFY2(largest < 1e-5, qPrintable(QString::number(largest)));
    }

    /// What the layers below have left is what a whole pass computes.
    void bitsOfPlainRuns_data() { models_data(); }
    void bitsOfPlainRuns()
    {
        QFETCH(QString, name);
        const std::string model = name.toStdString();
        const auto extractor = extractorOf(model, 2, 40);
        HEADSCOPE_VERIFY_OK(extractor);
        const auto files = openModel(test::golden("models/" + model));
        HEADSCOPE_VERIFY_OK(files);
        const auto documents = documentsOf(model);
        const auto all = editsOf(model, files->config);
        const std::vector<ModelEdit> edits = {all.back(), all[all.size() - 2], all[1], all[all.size() / 2]};
        const auto found = run(*extractor, documents, edits);
        HEADSCOPE_VERIFY_OK(found);
        for (std::size_t edit = 0; edit < edits.size(); ++edit)
        {
            auto options = optionsOf(model, 1, 40);
            options.edit = edits[edit];
            const auto plain = extractor->withOptions(options);
            HEADSCOPE_VERIFY_OK(plain);
            KeepingSink sink;
            std::size_t next = 0;
            JobContext job;
            HEADSCOPE_VERIFY_OK(plain->run(
                [&]() -> Result<std::optional<TokenizedDocument>> {
                    return next == documents.size() ? std::nullopt : std::optional(documents[next++]);
                },
                sink, documents.size(), job));
            QCOMPARE(sink.values.size(), documents.size());
            for (std::size_t document = 0; document < documents.size(); ++document)
                QVERIFY(found->at({edit, document}) == sink.values.at(static_cast<std::int64_t>(document)));
        }
    }

    void threadsChangeNothing()
    {
        const std::string model = "llama_mha";
        const auto files = openModel(test::golden("models/" + model));
        HEADSCOPE_VERIFY_OK(files);
        const auto documents = documentsOf(model);
        const auto edits = editsOf(model, files->config);
        std::optional<Vectors> first;
        for (const int threads : {1, 2, 3})
        {
            const auto extractor = extractorOf(model, threads, 40);
            HEADSCOPE_VERIFY_OK(extractor);
            auto found = run(*extractor, documents, edits);
            HEADSCOPE_VERIFY_OK(found);
            if (first)
                QVERIFY(*found == *first);
            else
                first = std::move(*found);
        }
    }

    void documentsWithoutATokenHaveNoVector()
    {
        const auto extractor = extractorOf("llama_mha", 1);
        HEADSCOPE_VERIFY_OK(extractor);
        auto documents = documentsOf("llama_mha");
        documents[1].ids.clear();
        const std::vector<ModelEdit> edits(1);
        const auto found = run(*extractor, documents, edits);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->size(), documents.size() - 1);
        QVERIFY(!found->contains({0, 1}));
    }

    void aStopIsHeard()
    {
        const auto extractor = extractorOf("llama_mha", 2, 40);
        HEADSCOPE_VERIFY_OK(extractor);
        const auto documents = documentsOf("llama_mha");
        const std::vector<ModelEdit> edits(2000);
        std::stop_source stop;
        JobContext job(stop.get_token());
        std::atomic<int> count = 0;
        const Status status = extractor->runEdits(
            documents, edits,
            [&](const EditedVector& /*vector*/) {
                if (++count == 5)
                    stop.request_stop();
            },
            job);
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::Cancelled);
        QVERIFY(count < 100);
    }

    void onlyOneBlock()
    {
        JobContext job;
        const auto files = openModel(test::golden("models/llama_mha"));
        HEADSCOPE_VERIFY_OK(files);
        auto options = optionsOf("llama_mha", 1);
        options.stages = {Stage::HeadOutput, Stage::OutputSegment};
        const auto extractor = HeadExtractor::create(*files, options, job);
        HEADSCOPE_VERIFY_OK(extractor);
        const Status status = extractor->runEdits(
            documentsOf("llama_mha"), std::vector<ModelEdit>(1), [](const EditedVector&) {}, job);
        HEADSCOPE_VERIFY_ERROR(status, ErrorCode::WrongUse, "expected an extractor of one layer and stage");
    }

    void headsThatTheModelLacks()
    {
        const auto extractor = extractorOf("llama_mha", 1);
        HEADSCOPE_VERIFY_OK(extractor);
        const auto files = openModel(test::golden("models/llama_mha"));
        HEADSCOPE_VERIFY_OK(files);
        std::vector<ModelEdit> edits(1);
        edits[0].off.resize(static_cast<std::size_t>(files->config.layers));
        edits[0].off[0].heads = {HeadIndex(files->config.heads)};
        JobContext job;
        const Status status = extractor->runEdits(
            documentsOf("llama_mha"), edits, [](const EditedVector&) {}, job);
        HEADSCOPE_VERIFY_ERROR(status, ErrorCode::InvalidArgument, "layer 0: expected heads 1 to");
    }
};

HEADSCOPE_TEST_GUILESS(TestEditedRuns)
#include "tst_edited_runs.moc"
