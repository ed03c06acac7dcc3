// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/measure_heads.h"

#include "app/results/atlas_provenance.h"
#include "model/analysis/heads/head_sums.h"
#include "model/analysis/heads/redundancy.h"
#include "model/analysis/statistics/permutations.h"
#include "model/analysis/topics/topic_purity.h"
#include "model/data/frame/frame_text.h"
#include "model/data/key_sharing.h"
#include "model/data/results/atlas_frame.h"
#include "tests/app/sample_cache.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace headscope;
using namespace headscope::desktop;

/// The measures of the atlas against direct computation on a small cache.
class TestMeasureHeads : public QObject
{
    Q_OBJECT

private:
    test::TemporaryFolder m_folder;
    std::shared_ptr<CacheReader> m_reader;
    std::shared_ptr<const DocumentSet> m_documents;

    [[nodiscard]] AtlasRequest request() const
    {
        AtlasRequest request;
        request.layers = {LayerIndex(11), LayerIndex(3), LayerIndex(7)};
        request.labels = HeatmapLabels{m_documents, "topic", "topic", {}, nullptr, {}};
        request.answers.permutations = 99;
        return request;
    }
    [[nodiscard]] const ModelInfo& model() const { return m_reader->info().header.model; }

    [[nodiscard]] HeadMeasures measured(const AtlasRequest& request) const
    {
        JobContext job;
        const auto done = measureHeads(
            *m_reader, request, [](const AtlasMeasured&) {}, job);
        HeadMeasures all;
        all.stage = request.stage;
        all.layers = model().layers;
        all.heads = model().heads;
        all.origin = m_reader->origin();
        if (done)
            all.measures = measuresOf(done->layers, model(), request.stage, all.origin);
        return all;
    }
    [[nodiscard]] std::shared_ptr<const HeadVectors> vectors(std::int64_t layer, Stage stage = Stage::HeadOutput) const
    {
        JobContext job;
        auto loaded = m_reader->load(LayerIndex(layer), stage, {}, job);
        return loaded ? *loaded : nullptr;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto path = m_folder.file("sample.h5");
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(path));
        auto reader = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(reader);
        m_reader = std::move(*reader);
        JobContext job;
        auto documents = m_reader->documents(job);
        HEADSCOPE_VERIFY_OK(documents);
        m_documents = *documents;
    }

    void layersThatTheCacheHasAreFilled()
    {
        const HeadMeasures all = measured(request());
        const HeadMeasure* const strength = all.find("mean_norm");
        QVERIFY(strength != nullptr);
        QCOMPARE(strength->known(), std::int64_t{3 * 9});
        for (std::int64_t layer = 0; layer < 12; ++layer)
            QCOMPARE(strength->has(layer, 0), layer == 3 || layer == 7 || layer == 11);
        for (const HeadMeasure& measure : all.measures)
        {
            QVERIFY2(measure.origin == m_reader->origin(), measure.key.c_str());
            QVERIFY2(measure.count > 0 && !measure.source.empty() && !measure.definition.empty(), measure.key.c_str());
        }
    }

    void vectorsAreThoseOfTheHeadsTab()
    {
        const HeadMeasures all = measured(request());
        for (const std::int64_t layer : {3, 7, 11})
        {
            const auto of = vectors(layer);
            JobContext job;
            const auto sums = HeadSums::collect(*of, {}, 1, 1, job);
            HEADSCOPE_VERIFY_OK(sums);
            const std::array<std::int64_t, 1> only = {0};
            for (const HeadStatistics& head : sums->statistics(only))
            {
                QCOMPARE(all.find("mean_norm")->at(layer, head.head), head.meanNorm);
                QCOMPARE(all.find("sd_norm")->at(layer, head.head), head.sdNorm);
                QCOMPARE(all.find("spread")->at(layer, head.head), head.spread);
                QCOMPARE(all.find("score")->at(layer, head.head), head.meanNorm * head.spread);
            }
            // The interval of a mean, by hand.
            double sum = 0;
            double squares = 0;
            for (std::int64_t document = 0; document < 48; ++document)
            {
                double norm = 0;
                for (const float value : of->vector(DocumentIndex(document), HeadIndex(4)))
                    norm += static_cast<double>(value) * value;
                sum += std::sqrt(norm);
                squares += norm;
            }
            const double mean = sum / 48;
            const double error = 1.959963984540054 * std::sqrt((squares - 48 * mean * mean) / 47 / 48);
            const Interval interval = all.find("mean_norm")->intervalAt(layer, 4);
            QVERIFY(std::abs(interval.low - (mean - error)) < 1e-5);
            QVERIFY(std::abs(interval.high - (mean + error)) < 1e-5);
        }
    }

    void likenessIsTheMeanOverTheOthers()
    {
        const HeadMeasures all = measured(request());
        JobContext job;
        const auto redundancy = headRedundancy(*vectors(7), {}, 1, job);
        HEADSCOPE_VERIFY_OK(redundancy);
        for (std::int64_t head = 0; head < 9; ++head)
        {
            double sum = 0;
            double group = 0;
            double others = 0;
            double overlap = 0;
            for (std::int64_t other = 0; other < 9; ++other)
            {
                if (other == head)
                    continue;
                sum += redundancy->cka(head, other);
                overlap += redundancy->neighborOverlap(head, other);
                (other / 3 == head / 3 ? group : others) += redundancy->cka(head, other);
            }
            QVERIFY(std::abs(all.find("cka_layer")->at(7, head) - sum / 8) < 1e-12);
            QVERIFY(std::abs(all.find("cka_group")->at(7, head) - group / 2) < 1e-12);
            QVERIFY(std::abs(all.find("cka_others")->at(7, head) - others / 6) < 1e-12);
            QVERIFY(std::abs(all.find("overlap")->at(7, head) - overlap / 8) < 1e-12);
        }
        QVERIFY(std::abs(all.find("overlap")->chance - 10.0 / 47) < 1e-12);
    }

    void labelsHaveChanceIntervalAndNull()
    {
        const HeadMeasures all = measured(request());
        const HeadMeasure* const match = all.find("match");
        QVERIFY(match != nullptr);
        QCOMPARE(match->chance, 0.25);
        QCOMPARE(match->count, std::int64_t{48});
        for (const char* key : {"match", "purity", "selectivity"})
        {
            const HeadMeasure* const measure = all.find(key);
            QVERIFY2(measure != nullptr, key);
            QVERIFY2(!measure->nullMethod.empty() && !measure->intervalMethod.empty(), key);
            const Interval interval = measure->intervalAt(7, 0);
            QVERIFY2(interval.low <= measure->at(7, 0) && measure->at(7, 0) <= interval.high, key);
            QVERIFY2(measure->p(7, 0) >= 0.01, key); // of 99 permutations
            QVERIFY2(measure->q(7, 0) >= measure->p(7, 0) - 1e-12, key);
        }
        // q is over all heads of the model, not over those of a layer.
        QCOMPARE(match->q.values().size(), match->p.values().size());
        const auto q = benjaminiHochberg(match->p.values());
        for (std::size_t i = 0; i < q.size(); ++i)
            QVERIFY((std::isnan(q[i]) && std::isnan(match->q.values()[i])) || q[i] == match->q.values()[i]);
        PurityOptions options;
        options.permutations = 99;
        JobContext job;
        const auto purity =
            topicPurity(*takeHeads(vectors(3), {5}), m_documents->labels.front().codes, options, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QCOMPARE(all.find("purity")->at(3, 5), purity->share);
        QCOMPARE(all.find("purity")->chance, purity->chance);
        QCOMPARE(all.find("purity")->p(3, 5), purity->null.p);
    }

    void leavingOutIsThatOfTheLayersMatch()
    {
        const HeadMeasures all = measured(request());
        JobContext job;
        const auto of = vectors(7);
        const auto topics = m_reader->topics("topic", LayerIndex(7), Stage::HeadOutput, job);
        HEADSCOPE_VERIFY_OK(topics);
        const auto match = HeadMatch::create(*of, *topics->vectors, m_documents->labels.front().codes, 1, 1, job);
        HEADSCOPE_VERIFY_OK(match);
        const auto whole = static_cast<double>(match->hits(allIndices(9), 1));
        for (std::int64_t head = 0; head < 9; ++head)
        {
            std::vector<std::int64_t> others = allIndices(9);
            std::erase(others, head);
            const double difference = (static_cast<double>(match->hits(others, 1)) - whole) / 48;
            QVERIFY(std::abs(all.find("left_out")->at(7, head) - difference) < 1e-12);
        }
    }

    void segmentsFallIntoNoGroups()
    {
        AtlasRequest asked = request();
        asked.stage = Stage::OutputSegment;
        const HeadMeasures all = measured(asked);
        QVERIFY(all.find("cka_layer") != nullptr);
        QCOMPARE(all.find("cka_group"), nullptr);
        QVERIFY(all.find("sd_norm")->definition.find("segment") != std::string::npos);
    }

    void withoutLabelsTheyAreNotThere()
    {
        AtlasRequest asked = request();
        asked.labels.column.clear();
        const HeadMeasures all = measured(asked);
        QVERIFY(all.find("mean_norm") != nullptr && all.find("cka_layer") != nullptr);
        for (const char* key : {"match", "purity", "selectivity", "follows", "left_out", "evenness"})
            QVERIFY2(all.find(key) == nullptr, key);
    }

    void shownDocumentsAloneAreMeasured()
    {
        AtlasRequest asked = request();
        asked.layers = {LayerIndex(7)};
        for (std::int64_t document = 0; document < 24; ++document)
            asked.documents.push_back(document);
        const HeadMeasures all = measured(asked);
        QCOMPARE(all.find("mean_norm")->count, std::int64_t{24});
        QCOMPARE(all.find("mean_norm")->allCount, std::int64_t{48});
        QCOMPARE(all.find("match")->count, std::int64_t{24});
        double sum = 0;
        for (std::int64_t document = 0; document < 24; ++document)
        {
            double norm = 0;
            for (const float value : vectors(7)->vector(DocumentIndex(document), HeadIndex(2)))
                norm += static_cast<double>(value) * value;
            sum += std::sqrt(norm);
        }
        QVERIFY(std::abs(all.find("mean_norm")->at(7, 2) - sum / 24) < 1e-5);
    }

    void threadsChangeNothing()
    {
        AtlasRequest asked = request();
        const HeadMeasures one = measured(asked);
        for (const int threads : {2, 3})
        {
            asked.numThreads = threads;
            const HeadMeasures more = measured(asked);
            QCOMPARE(more.measures.size(), one.measures.size());
            for (std::size_t i = 0; i < one.measures.size(); ++i)
                for (std::size_t at = 0; at < one.measures[i].value.values().size(); ++at)
                {
                    const double a = one.measures[i].value.values()[at];
                    const double b = more.measures[i].value.values()[at];
                    QVERIFY2((std::isnan(a) && std::isnan(b)) || a == b, one.measures[i].key.c_str());
                }
        }
    }

    void aStopKeepsWhatIsMeasured()
    {
        std::stop_source stop;
        JobContext job(stop.get_token());
        std::size_t published = 0;
        const auto done = measureHeads(
            *m_reader, request(),
            [&](const AtlasMeasured& so) {
                published = so.layers.size();
                stop.request_stop();
            },
            job);
        HEADSCOPE_VERIFY_OK(done);
        QVERIFY(done->stopped);
        QCOMPARE(published, std::size_t{1});
        QCOMPARE(done->layers.size(), std::size_t{1});
        QCOMPARE(done->layers.front()->layer, LayerIndex(11)); // in the order that was asked for
        std::stop_source before;
        before.request_stop();
        JobContext stopped(before.get_token());
        HEADSCOPE_VERIFY_ERROR(measureHeads(
                                   *m_reader, request(), [](const AtlasMeasured&) {}, stopped),
                               ErrorCode::Cancelled, "");
    }

    void layersThatAreNotThereAreNamed()
    {
        AtlasRequest asked = request();
        asked.layers = {LayerIndex(5), LayerIndex(7)};
        JobContext job;
        const auto done = measureHeads(
            *m_reader, asked, [](const AtlasMeasured&) {}, job);
        HEADSCOPE_VERIFY_OK(done);
        QCOMPARE(done->failures.size(), std::size_t{1});
        QCOMPARE(done->layers.size(), std::size_t{1});
        asked.layers.clear();
        HEADSCOPE_VERIFY_ERROR(measureHeads(
                                   *m_reader, asked, [](const AtlasMeasured&) {}, job),
                               ErrorCode::InvalidArgument, "no head vectors");
    }

    void probesTellLabelsOfEachHead()
    {
        AtlasRequest asked = request();
        asked.layers = {LayerIndex(7)};
        JobContext job;
        int published = 0;
        const auto measure = probeHeads(
            *m_reader, asked, 2, [&published](const HeadMeasure&) { ++published; }, job);
        HEADSCOPE_VERIFY_OK(measure);
        QCOMPARE(published, 1);
        QCOMPARE(measure->known(), std::int64_t{9});
        QVERIFY(measure->chance >= 0.25 && measure->at(7, 0) >= 0 && measure->at(7, 0) <= 1);
        QVERIFY(measure->intervalAt(7, 0).low <= measure->at(7, 0));
        asked.labels.column.clear();
        HEADSCOPE_VERIFY_ERROR(probeHeads(
                                   *m_reader, asked, 2, [](const HeadMeasure&) {}, job),
                               ErrorCode::InvalidArgument, "labels");
    }

    void theTableHasEveryNumber()
    {
        const HeadMeasures all = measured(request());
        const ModelInfo info = groupedAt(model(), Stage::HeadOutput);
        const auto table = atlasFrame(all, info);
        QCOMPARE(table.rows(), std::int64_t{27});
        const std::string csv = frameCsv(table).bytes();
        const std::string header = csv.substr(0, csv.find('\n'));
        for (const char* column : {"layer,head,kv group", "mean_norm,mean_norm low", "match p", "match q", "left_out"})
            QVERIFY2(header.find(column) != std::string::npos, (std::string(column) + " in " + header).c_str());
        QVERIFY(csv.find("\n3,1,1,") != std::string::npos); // layers from 0, heads from 1
        const auto provenance = atlasProvenance(all, info, "sample.h5");
        for (const auto& [name, value] : provenance.parameters())
            QVERIFY(!name.empty());
        QVERIFY(provenance.parameters().size() > all.measures.size());
        // Of shuffled labels it is 0 on average, so that it is read without them.
        const HeadMeasure* selectivity = all.find("selectivity");
        QVERIFY(selectivity != nullptr);
        QVERIFY2(selectivity->definition.find("eta squared without its bias") != std::string::npos,
                 selectivity->definition.c_str());
        // Points of the last layer at stage 3 are of normed vectors.
        const auto says = [&info](const HeadMeasures& measures, const char* name) {
            const auto parameters = atlasProvenance(measures, info, "sample.h5").parameters();
            return std::ranges::any_of(parameters, [name](const auto& each) { return each.first == name; });
        };
        HeadMeasures segments = all;
        segments.stage = Stage::OutputSegment;
        QVERIFY(!says(all, "last_layer") && says(segments, "last_layer"));
    }
};

HEADSCOPE_TEST_GUILESS(TestMeasureHeads)
#include "tst_measure_heads.moc"
