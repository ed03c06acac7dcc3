// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/layer_measures.h"

#include "model/analysis/heads/redundancy.h"
#include "model/analysis/probe/probe.h"
#include "model/analysis/topics/topic_purity.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>

using namespace headscope;

namespace
{

constexpr std::int64_t kDocuments = 40;
constexpr std::int64_t kDims = 3;

/// Heads with a direction of their own, noise, and a push along dimension 2 for every second document.
HeadVectors telling(std::int64_t heads, std::int64_t constantHead = -1)
{
    const CounterRandom random(3);
    std::vector<float> values;
    for (std::int64_t document = 0; document < kDocuments; ++document)
        for (std::int64_t head = 0; head < heads; ++head)
            for (std::int64_t d = 0; d < kDims; ++d)
            {
                const double own = d == head % 2 ? 2.0 : 0.0;
                const double topic = d == 2 && document % 2 == 1 ? 3.0 : 0.0;
                const double noise = head == constantHead ? 0.0 : 0.4 * random.normal(values.size());
                values.push_back(static_cast<float>(own + (head == constantHead ? 0.0 : topic) + noise));
            }
    return {Stage::OutputSegment, LayerIndex(5), kDocuments, heads, kDims, std::move(values)};
}

std::vector<std::int32_t> parity()
{
    std::vector<std::int32_t> labels;
    for (std::int32_t i = 0; i < kDocuments; ++i)
        labels.push_back(i % 2);
    return labels;
}

} // namespace

class TestLayerMeasures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheSingleAnalyses()
    {
        const HeadVectors vectors = telling(3);
        const std::vector<std::int64_t> heads = {0, 1, 2};
        const auto labels = parity();
        LayerOptions options;
        options.neighbors = 4;
        JobContext job;
        const auto measures = measureLayer(vectors, heads, 3, labels, options, 2, job);
        HEADSCOPE_VERIFY_OK(measures);
        QVERIFY(measures->missing.empty());
        QCOMPARE(measures->layer.value(), 5);
        QVERIFY(measures->stage == Stage::OutputSegment);
        const auto probe = probeHeads(gatherPoints(vectors, allIndices(kDocuments), heads, 1), heads, 3,
                                      Stage::OutputSegment, LayerIndex(5), options.probe, 1, job);
        HEADSCOPE_VERIFY_OK(probe);
        QCOMPARE(measures->accuracy, probe->accuracy);
        QCOMPARE(measures->accuracyCi95.low, probe->ci95Low);
        QCOMPARE(measures->accuracyMethod, probe->ci95Method);
        QCOMPARE(measures->effectiveRows, probe->effectiveRows);
        QCOMPARE(measures->testDocuments, probe->testRows / 3); // a row of each of the three
        QCOMPARE(measures->accuracyChance, 1.0 / 3);
        const auto purity = topicPurity(vectors, labels, {.neighbors = 4}, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QCOMPARE(measures->purity, purity->share);
        QVERIFY(measures->purity > 0.9);
        QCOMPARE(measures->purityNull.p, 1.0 / 1000); // labels that are planted
        QCOMPARE(measures->purityCi95.low, purity->ci95.low);
        QVERIFY(measures->purityCi95.low <= measures->purity && measures->purity <= measures->purityCi95.high);
        const auto redundancy = headRedundancy(vectors, {}, 1, job);
        HEADSCOPE_VERIFY_OK(redundancy);
        const MatrixD& cka = redundancy->cka;
        QCOMPARE(measures->redundancy, (cka(0, 1) + cka(0, 2) + cka(1, 2)) / 3);
        QCOMPARE(measures->redundancyPairs, 3);
        QCOMPARE(measures->redundancyCi95.low, redundancy->meanCkaCi95.low);
        options.cka = CkaMethod::Biased;
        const auto biased = measureLayer(vectors, heads, 3, labels, options, 2, job);
        HEADSCOPE_VERIFY_OK(biased);
        const auto usual = headCka(vectors, CkaMethod::Biased, 1, job);
        HEADSCOPE_VERIFY_OK(usual);
        QCOMPARE(biased->redundancy, usual->meanCka);
        QVERIFY(biased->redundancy != measures->redundancy);
        QVERIFY(std::isnan(biased->redundancyCi95.low));
    }

    void chosenHeadsAlone()
    {
        const HeadVectors vectors = telling(4);
        const std::vector<std::int64_t> heads = {1, 3};
        JobContext job;
        const auto measures = measureLayer(vectors, heads, 2, parity(), {}, 1, job);
        HEADSCOPE_VERIFY_OK(measures);
        const auto all = std::make_shared<const HeadVectors>(vectors);
        const auto cka = headCka(*takeHeads(all, heads), CkaMethod::Debiased, 1, job);
        HEADSCOPE_VERIFY_OK(cka);
        QCOMPARE(measures->redundancy, cka->cka(0, 1));
        QCOMPARE(measures->heads, 2);
    }

    void otherLabelsChangeThePurityAlone()
    {
        const HeadVectors vectors = telling(3);
        const std::vector<std::int64_t> heads = {0, 1, 2};
        JobContext job;
        LayerOptions options;
        const auto none = measureLayer(vectors, heads, 3, {}, options, 1, job);
        HEADSCOPE_VERIFY_OK(none);
        QCOMPARE(none->missing.size(), std::size_t{1});
        const auto labelled = withPurity(*none, vectors, heads, parity(), 4, 1, job);
        HEADSCOPE_VERIFY_OK(labelled);
        options.neighbors = 4;
        const auto fresh = measureLayer(vectors, heads, 3, parity(), options, 1, job);
        HEADSCOPE_VERIFY_OK(fresh);
        QVERIFY(labelled->missing.empty());
        QCOMPARE(labelled->purity, fresh->purity);
        QCOMPARE(labelled->accuracy, fresh->accuracy);
        QCOMPARE(labelled->redundancy, fresh->redundancy);
        QCOMPARE(labelled->options.neighbors, 4);
    }

    void headWithoutVariance()
    {
        JobContext job;
        const auto measures = measureLayer(telling(3, 1), allIndices(3), 3, parity(), {}, 1, job);
        HEADSCOPE_VERIFY_OK(measures);
        QCOMPARE(measures->redundancyPairs, 1); // heads 1 and 3
        QVERIFY(std::isfinite(measures->redundancy));
    }

    void oneHeadAndNoLabels()
    {
        JobContext job;
        const auto measures = measureLayer(telling(1), allIndices(1), 1, {}, {}, 1, job);
        HEADSCOPE_VERIFY_OK(measures);
        QVERIFY(std::isnan(measures->accuracy) && std::isnan(measures->purity) && std::isnan(measures->redundancy));
        QCOMPARE(measures->missing.size(), std::size_t{3});
    }

    void labelsOfNobody()
    {
        JobContext job;
        const std::vector<std::int32_t> none(kDocuments, -1);
        const auto measures = measureLayer(telling(2), allIndices(2), 2, none, {}, 1, job);
        HEADSCOPE_VERIFY_OK(measures);
        QVERIFY(std::isnan(measures->purity) && std::isfinite(measures->accuracy));
        QCOMPARE(measures->missing.size(), std::size_t{1});
        QVERIFY(measures->missing.front().find("found 0") != std::string::npos);
    }

    void refusals()
    {
        JobContext job;
        HEADSCOPE_VERIFY_ERROR(measureLayer(telling(2), std::vector<std::int64_t>{2}, 2, {}, {}, 1, job),
                               ErrorCode::InvalidArgument, "found 3");
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token());
        HEADSCOPE_VERIFY_ERROR(measureLayer(telling(2), allIndices(2), 2, parity(), {}, 1, stopped),
                               ErrorCode::Cancelled, "");
    }
};

HEADSCOPE_TEST_GUILESS(TestLayerMeasures)
#include "tst_layer_measures.moc"
