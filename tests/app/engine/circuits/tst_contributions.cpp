// SPDX-License-Identifier: GPL-3.0-or-later
// What vectors are made of: the parts of running models against recorded ones.
#include "app/engine/circuits/residual_weights.h"
#include "model/analysis/circuits/contributions.h"
#include "model/net/run/head_extractor.h"
#include "tests/model/net/golden_network.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <atomic>
#include <stop_token>

using namespace headscope;

namespace
{

const test::GoldenFile& truth()
{
    static const test::GoldenFile file(test::golden("circuits/contributions.h5"));
    return file;
}

Pooling poolingOf(const std::string& name)
{
    for (const Pooling pooling : {Pooling::Last, Pooling::First, Pooling::Mean})
        if (poolingName(pooling) == name)
            return pooling;
    return Pooling::Last;
}

/// A model with its documents of the truth, taken apart.
struct Apart
{
    std::unique_ptr<HeadExtractor> extractor;
    ResidualModel model;
    std::vector<TokenizedDocument> documents;
    std::vector<PooledSummands> summands;
};

Result<Apart> takeApart(const std::string& name, Pooling pooling, int threads, std::int64_t stepTokens = 0)
{
    JobContext job;
    HEADSCOPE_TRY(const ModelFiles files, openModel(test::golden("models/" + name)));
    ExtractionOptions options;
    options.stages = {Stage::OutputSegment};
    options.pooling = pooling;
    options.threads = threads;
    options.stepTokens = stepTokens;
    HEADSCOPE_TRY(auto extractor, HeadExtractor::create(files, options, job));
    Apart apart;
    apart.extractor = std::make_unique<HeadExtractor>(std::move(extractor));
    HEADSCOPE_TRY(apart.model, engine::residualModel(apart.extractor->weights()));
    const test::VectorGroup group(truth(), name);
    for (std::int64_t n = 0; n < group.documents(); ++n)
        apart.documents.push_back({.index = n, .ids = group.ids(n)});
    apart.summands.resize(apart.documents.size());
    HEADSCOPE_CHECK(apart.extractor->traceDocuments(
        apart.documents,
        [&apart](std::size_t document, const ResidualTrace& trace) -> Status {
            apart.summands[document] = poolSummands(apart.model, trace);
            return {};
        },
        job));
    return apart;
}

/// Vectors of length 1 along those of the documents, without a mean if there is one.
MatrixD directionsOf(const Apart& apart, const MeanSummands* mean, std::vector<double>& norms)
{
    MatrixD directions(std::ssize(apart.summands), apart.model.modelDim);
    for (std::int64_t i = 0; i < directions.rows(); ++i)
    {
        const auto& embedding = apart.summands[static_cast<std::size_t>(i)].embedding;
        const auto row = directions.row(i);
        for (std::size_t d = 0; d < row.size(); ++d)
            row[d] = static_cast<double>(embedding[d]) - (mean != nullptr ? mean->embedding[d] : 0);
        norms.push_back(std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0)));
        for (double& value : row)
            value /= norms.back();
    }
    return directions;
}

/// Largest distance from the recorded effects, in lengths of the documents' vectors; and of the sums from the lengths.
double effectsError(const std::vector<PartValues>& found, const std::string& group, const std::vector<double>& norms,
                    const std::vector<double>& lengths)
{
    double largest = 0;
    const auto compare = [&](const std::string& name, const auto& valuesOf) {
        const auto expected = truth().doubles(group + "/" + name);
        const std::size_t width = expected.size() / found.size();
        for (std::size_t i = 0; i < found.size(); ++i)
        {
            const auto own = valuesOf(found[i]);
            if (own.size() != width)
                largest = INFINITY;
            for (std::size_t k = 0; k < width && k < own.size(); ++k)
                largest = std::max(largest, std::abs(own[k] - expected[i * width + k]) / lengths[i]);
        }
    };
    compare("token", [](const PartValues& each) { return std::vector{each.token}; });
    compare("heads", [](const PartValues& each) { return each.heads.values(); });
    compare("o_bias", [](const PartValues& each) { return each.outputBias; });
    compare("mlp", [](const PartValues& each) { return each.mlp; });
    if (truth().has(group + "/norm_bias"))
        compare("norm_bias", [](const PartValues& each) { return each.normBias.values(); });
    for (std::size_t i = 0; i < found.size(); ++i)
        largest = std::max(largest, std::abs(found[i].sum() - norms[i]) / lengths[i]);
    return largest;
}

} // namespace

class TestContributions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedParts_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("pooling");
        for (const auto& [name, pooling] : {std::pair("mistral_f32", "last"),
                                            {"mistral_f32", "mean"},
                                            {"qwen3_f32", "last"},
                                            {"llama_mha", "last"},
                                            {"mistral_mqa", "last"},
                                            {"llama_obias", "last"},
                                            {"bert_f32", "mean"},
                                            {"bert_f32", "first"}})
            QTest::newRow((std::string(name) + " " + pooling).c_str())
                << QString(QLatin1StringView(name)) << QString(QLatin1StringView(pooling));
    }
    void recordedParts()
    {
        QFETCH(QString, name);
        QFETCH(QString, pooling);
        const std::string group = name.toStdString() + "/" + pooling.toStdString();
        const auto apart = takeApart(name.toStdString(), poolingOf(pooling.toStdString()), 2);
        HEADSCOPE_VERIFY_OK(apart);
        const auto embeddings = truth().floats(group + "/embedding");
        const auto dims = static_cast<std::size_t>(apart->model.modelDim);
        for (std::size_t i = 0; i < apart->summands.size(); ++i)
            QVERIFY(test::rowError(apart->summands[i].embedding, std::span(embeddings).subspan(i * dims, dims)) < 1e-4);
        JobContext job;
        std::vector<double> norms;
        const MatrixD own = directionsOf(*apart, nullptr, norms);
        const auto lengths = truth().doubles(group + "/norm");
        QVERIFY(test::relmax(norms, lengths) < 1e-5);
        const auto direct = effectsAlong(apart->model, apart->summands, own, nullptr, 2, job);
        HEADSCOPE_VERIFY_OK(direct);
        const double error = effectsError(*direct, group + "/direct", norms, lengths);
        QVERIFY2(error < 1e-5, qPrintable(QString::number(error)));
        const MeanSummands mean = meanSummands(apart->summands);
        std::vector<double> centredNorms;
        const MatrixD centred = directionsOf(*apart, &mean, centredNorms);
        QVERIFY(test::relmax(centredNorms, truth().doubles(group + "/centred_norm")) < 1e-4);
        const auto without = effectsAlong(apart->model, apart->summands, centred, &mean, 2, job);
        HEADSCOPE_VERIFY_OK(without);
        const double centredError = effectsError(*without, group + "/centred", centredNorms, lengths);
        QVERIFY2(centredError < 1e-5, qPrintable(QString::number(centredError)));
    }

    void recordedPairs_data() { recordedParts_data(); }
    void recordedPairs()
    {
        QFETCH(QString, name);
        QFETCH(QString, pooling);
        const std::string group = name.toStdString() + "/" + pooling.toStdString();
        const auto apart = takeApart(name.toStdString(), poolingOf(pooling.toStdString()), 2);
        HEADSCOPE_VERIFY_OK(apart);
        std::vector<double> norms;
        directionsOf(*apart, nullptr, norms);
        const auto places = truth().integers(group + "/pairs/documents");
        const auto cosines = truth().doubles(group + "/pairs/cosine");
        const auto matrices = truth().doubles(group + "/pairs/matrix");
        JobContext job;
        for (std::size_t pair = 0; pair < cosines.size(); ++pair)
        {
            const auto a = static_cast<std::size_t>(places[2 * pair]);
            const auto b = static_cast<std::size_t>(places[2 * pair + 1]);
            const auto found = pairContributions(parts(apart->model, apart->summands[a]),
                                                 parts(apart->model, apart->summands[b]), norms[a], norms[b], 2, job);
            HEADSCOPE_VERIFY_OK(found);
            const auto numbers = static_cast<std::ptrdiff_t>(matrices.size() / cosines.size());
            const auto first = matrices.begin() + static_cast<std::ptrdiff_t>(pair) * numbers;
            QVERIFY(test::absmax(found->values(), {first, first + numbers}) < 1e-5);
            const double sum = std::accumulate(found->values().begin(), found->values().end(), 0.0);
            QVERIFY(std::abs(sum - cosines[pair]) < 1e-5);
        }
    }

    void recordedPartsOfHeads_data()
    {
        QTest::addColumn<QString>("group");
        for (const char* group : {"mistral_mqa/last", "llama_obias/last", "qwen3_f32/last", "bert_f32/mean"})
            QTest::newRow(group) << QString(QLatin1StringView(group));
    }
    void recordedPartsOfHeads()
    {
        QFETCH(QString, group);
        const auto words = group.split('/');
        const auto apart = takeApart(words[0].toStdString(), poolingOf(words[1].toStdString()), 2);
        HEADSCOPE_VERIFY_OK(apart);
        const auto expected = truth().floats(group.toStdString() + "/parts/heads");
        const std::int64_t heads = apart->model.numLayers() * apart->model.heads;
        const auto dims = static_cast<std::size_t>(apart->model.modelDim);
        for (std::size_t i = 0; i < apart->summands.size(); ++i)
        {
            const MatrixD all = parts(apart->model, apart->summands[i]);
            for (std::int64_t head = 0; head < heads; ++head)
            {
                const std::vector<float> found(all.row(1 + head).begin(), all.row(1 + head).end());
                const std::size_t row = i * static_cast<std::size_t>(heads) + static_cast<std::size_t>(head);
                const double error = test::rowError(found, std::span(expected).subspan(row * dims, dims));
                QVERIFY2(error < 1e-4, qPrintable(QString::number(error)));
            }
        }
    }

    void recordedRawSummands_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"mistral_mqa", "llama_obias"})
            QTest::newRow(name) << QString(QLatin1StringView(name));
    }
    void recordedRawSummands()
    {
        QFETCH(QString, name);
        const std::string group = name.toStdString() + "/raw/";
        const auto apart = takeApart(name.toStdString(), Pooling::Last, 2);
        HEADSCOPE_VERIFY_OK(apart);
        const auto dims = static_cast<std::size_t>(apart->model.modelDim);
        const auto rms = truth().doubles(group + "rms");
        for (std::size_t i = 0; i < apart->summands.size(); ++i)
        {
            const RawSummands raw = rawSummands(apart->model, apart->summands[i]);
            QVERIFY(std::abs(raw.rms - rms[i]) < 1e-5 * rms[i]);
            const auto compare = [&](const char* dataset, std::span<const double> values) {
                const auto expected = truth().floats(group + dataset);
                double largest = 0;
                for (std::size_t row = 0; row < values.size(); row += dims)
                    largest = std::max(
                        largest,
                        test::rowError(std::vector<float>(values.begin() + static_cast<std::ptrdiff_t>(row),
                                                          values.begin() + static_cast<std::ptrdiff_t>(row + dims)),
                                       std::span(expected).subspan(i * values.size() + row, dims)));
                return largest;
            };
            QVERIFY(compare("token", raw.token) < 1e-4);
            QVERIFY(compare("heads", raw.heads.values()) < 1e-4);
            QVERIFY(compare("mlp", raw.mlp.values()) < 1e-4);
            QVERIFY(compare("prenorm", raw.sum) < 1e-4);
        }
    }

    /// What the directions that are carried back say is what the parts say that are carried on.
    void bothWaysAgree()
    {
        for (const char* name : {"qwen3_f32", "bert_f32"})
        {
            const auto apart = takeApart(name, Pooling::Mean, 1);
            HEADSCOPE_VERIFY_OK(apart);
            std::vector<double> norms;
            const MatrixD own = directionsOf(*apart, nullptr, norms);
            JobContext job;
            const auto direct = effectsAlong(apart->model, apart->summands, own, nullptr, 1, job);
            HEADSCOPE_VERIFY_OK(direct);
            const MatrixD all = parts(apart->model, apart->summands[2]);
            std::vector<double> products;
            for (std::int64_t part = 0; part < all.rows(); ++part)
                products.push_back(
                    std::inner_product(all.row(part).begin(), all.row(part).end(), own.row(2).begin(), 0.0));
            QVERIFY(test::absmax((*direct)[2].inOrder(), products) < 1e-12 * norms[2]);
        }
    }

    void threadsChangeNothing()
    {
        std::optional<std::vector<double>> first;
        for (const int threads : {1, 2, 3})
        {
            const auto apart = takeApart("mistral_f32", Pooling::Mean, threads, 40);
            HEADSCOPE_VERIFY_OK(apart);
            std::vector<double> norms;
            JobContext job;
            const auto found = effectsAlong(apart->model, apart->summands, directionsOf(*apart, nullptr, norms),
                                            nullptr, threads, job);
            HEADSCOPE_VERIFY_OK(found);
            std::vector<double> all;
            for (const PartValues& each : *found)
                for (const double value : each.inOrder())
                    all.push_back(value);
            if (first)
                QVERIFY(all == *first);
            first = std::move(all);
        }
    }

    void aStopIsHeard()
    {
        const auto apart = takeApart("llama_mha", Pooling::Last, 1);
        HEADSCOPE_VERIFY_OK(apart);
        std::stop_source stop;
        JobContext job(stop.get_token());
        const std::vector<TokenizedDocument> many(500, apart->documents.front());
        std::atomic<int> count = 0;
        const Status status = apart->extractor->traceDocuments(
            many,
            [&](std::size_t, const ResidualTrace&) -> Status {
                if (++count == 1)
                    stop.request_stop();
                return {};
            },
            job);
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::Cancelled);
        QVERIFY(count < 100);
        std::vector<double> norms;
        const auto effects =
            effectsAlong(apart->model, apart->summands, directionsOf(*apart, nullptr, norms), nullptr, 1, job);
        QVERIFY(!effects);
        QCOMPARE(effects.error().code, ErrorCode::Cancelled);
    }

    void documentsWithoutATokenHaveNoTrace()
    {
        const auto apart = takeApart("llama_mha", Pooling::Last, 1);
        HEADSCOPE_VERIFY_OK(apart);
        auto documents = apart->documents;
        documents[1].ids.clear();
        std::vector<std::size_t> seen;
        JobContext job;
        HEADSCOPE_VERIFY_OK(apart->extractor->traceDocuments(
            documents,
            [&seen](std::size_t document, const ResidualTrace&) -> Status {
                seen.push_back(document);
                return {};
            },
            job));
        QCOMPARE(seen.size(), documents.size() - 1);
        QVERIFY(std::ranges::find(seen, 1U) == seen.end());
    }

    void anExtractorOfSomethingElse()
    {
        JobContext job;
        const auto files = openModel(test::golden("models/llama_mha"));
        HEADSCOPE_VERIFY_OK(files);
        ExtractionOptions options;
        options.stages = {Stage::HeadOutput};
        const auto extractor = HeadExtractor::create(*files, options, job);
        HEADSCOPE_VERIFY_OK(extractor);
        const Status status = extractor->traceDocuments(
            {}, [](std::size_t, const ResidualTrace&) -> Status { return {}; }, job);
        HEADSCOPE_VERIFY_ERROR(status, ErrorCode::WrongUse, "expected an extractor of the embedding");
    }
};

HEADSCOPE_TEST_GUILESS(TestContributions)
#include "tst_contributions.moc"
