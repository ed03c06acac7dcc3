// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/label_probe.h"

#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/split_scores.h"
#include "tests/support/memory_limit.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace headscope;

namespace
{

constexpr std::int64_t kHeads = 3;
constexpr std::int64_t kDims = 6;
const std::vector<std::int64_t> kAllHeads = {0, 1, 2};

/// Labels 0 of three quarters of the documents, 1 and 2 of an eighth each; head 1 alone holds them.
struct Case
{
    explicit Case(std::int64_t documents, std::uint64_t seed = 1, double strength = 3)
    {
        const Draws draws(seed);
        for (std::int64_t n = 0; n < documents; ++n)
        {
            const std::int64_t eighth = draws.below(static_cast<std::uint64_t>(n), 8);
            labels.push_back(eighth < 6 ? 0 : static_cast<std::int32_t>(eighth - 5));
        }
        std::vector<float> values;
        std::uint64_t counter = 1'000'000;
        for (std::int64_t n = 0; n < documents; ++n)
            for (std::int64_t h = 0; h < kHeads; ++h)
                for (std::int64_t d = 0; d < kDims; ++d)
                {
                    const double noise = static_cast<double>(draws.bits(counter++) >> 11U) * 0x1p-53 - 0.5;
                    const bool told = h == 1 && d == labels[static_cast<std::size_t>(n)];
                    values.push_back(static_cast<float>(noise + (told ? strength : 0)));
                }
        vectors = HeadVectors(Stage::HeadOutput, LayerIndex(4), documents, kHeads, kDims, std::move(values));
    }

    HeadVectors vectors;
    std::vector<std::int32_t> labels;
};

} // namespace

class TestLabelProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyTheHeadThatHoldsIt()
    {
        const Case data(240);
        JobContext job;
        const auto told = probeLabels(data.vectors, kAllHeads, data.labels, {}, 2, job);
        HEADSCOPE_VERIFY_OK(told);
        QCOMPARE(told->classes, std::int64_t{3});
        QCOMPARE(told->trainDocuments, std::int64_t{192});
        QCOMPARE(told->testDocuments, std::int64_t{48});
        QVERIFY(told->majority > 0.55 && told->majority < 0.95);
        QVERIFY(std::abs(told->balancedMajority - 1.0 / 3) < 1e-12);
        QCOMPARE(told->heads.size(), std::size_t{3});
        const LabelScore& holds = told->heads[1];
        QVERIFY(holds.accuracy > 0.95 && holds.balancedAccuracy > 0.9 && holds.q < 0.05);
        for (const std::size_t other : {0U, 2U})
        {
            // As right as the commonest label, which is no knowledge: the balanced accuracy says so, and q.
            const LabelScore& none = told->heads[other];
            QVERIFY(none.accuracy > 0.5 && none.balancedAccuracy < 0.55 && none.q > 0.05);
            QVERIFY(none.ci95.low < told->majority && told->majority < none.ci95.high);
        }
        QVERIFY(told->full.accuracy > 0.95 && told->full.head == -1 && std::isnan(told->full.q));
        QVERIFY(holds.p <= holds.q && holds.converged);
        const auto alone = probeLabels(data.vectors, kAllHeads, data.labels, {}, 1, job);
        HEADSCOPE_VERIFY_OK(alone);
        for (std::size_t h = 0; h < 3; ++h)
            QVERIFY(alone->heads[h].first.hits == told->heads[h].first.hits && alone->heads[h].p == told->heads[h].p);
    }

    void severalSplits()
    {
        const Case data(120);
        JobContext job;
        const auto told = probeLabels(data.vectors, kAllHeads, data.labels, {}, 2, job, 4);
        HEADSCOPE_VERIFY_OK(told);
        const auto one = probeLabels(data.vectors, kAllHeads, data.labels, {}, 1, job);
        HEADSCOPE_VERIFY_OK(one);
        QVERIFY(one->full.splits.size() == 1 && std::isnan(one->full.splitSd) && one->testedDocuments == 24);
        std::vector<double> p;
        double majority = 0;
        for (std::size_t h = 0; h < 3; ++h)
        {
            QCOMPARE(told->heads[h].splits.size(), std::size_t{4});
            QCOMPARE(told->heads[h].first.accuracy, one->heads[h].accuracy);
            QCOMPARE(told->heads[h].first.p, one->heads[h].p);
            double mean = 0;
            double balanced = 0;
            p.clear();
            majority = 0;
            for (std::uint64_t split = 0; split < 4; ++split)
            {
                ProbeOptions options;
                options.seed += split;
                const auto alone = probeLabels(data.vectors, kAllHeads, data.labels, options, 1, job);
                HEADSCOPE_VERIFY_OK(alone);
                QCOMPARE(told->heads[h].splits[split], alone->heads[h].accuracy);
                mean += alone->heads[h].accuracy / 4;
                balanced += alone->heads[h].balancedAccuracy / 4;
                majority += alone->majority / 4;
                p.push_back(alone->heads[h].p);
            }
            // All numbers are of the mean, and the interval holds it: that of a split alone need not.
            QVERIFY(std::abs(told->heads[h].accuracy - mean) < 1e-12);
            QVERIFY(std::abs(told->heads[h].balancedAccuracy - balanced) < 1e-12);
            QCOMPARE(told->heads[h].p, mergedSplitP(p));
            const Interval interval = splitInterval(told->heads[h].splits, 96, 24, told->testedDocuments);
            QVERIFY(interval.low == told->heads[h].ci95.low && interval.high == told->heads[h].ci95.high);
            QVERIFY(interval.low < mean && mean < interval.high + 1e-12);
        }
        QVERIFY(std::abs(told->majority - majority) < 1e-12 && told->firstMajority == one->majority);
        QVERIFY(told->chance() >= told->majority && told->chance() >= 1.0 / 3);
        QVERIFY(told->testedDocuments > 24 && told->testedDocuments <= 96);
        QVERIFY(told->heads[0].splitSd > 0);
        QCOMPARE(told->full.splits.size(), std::size_t{4});
    }

    /// Without a label in the vectors, a head that looks better than naming the commonest is rare.
    void labelsThatNobodyHolds()
    {
        int found = 0;
        JobContext job;
        for (std::uint64_t seed = 1; seed <= 40; ++seed)
        {
            const Case data(120, seed, 0);
            const auto told = probeLabels(data.vectors, kAllHeads, data.labels, {}, 2, job);
            HEADSCOPE_VERIFY_OK(told);
            for (const LabelScore& head : told->heads)
                found += head.p <= 0.05 && head.accuracy > told->majority ? 1 : 0;
        }
        QVERIFY2(found <= 6, qPrintable(QString::number(found))); // of 120
    }

    void documentsThatTakeNoPart()
    {
        Case data(80);
        data.labels[3] = -1;
        std::vector<float> values(data.vectors.values().begin(), data.vectors.values().end());
        values[static_cast<std::size_t>(5 * kHeads * kDims)] = std::numeric_limits<float>::quiet_NaN(); // head 0
        const HeadVectors spoiled(Stage::HeadOutput, LayerIndex(4), 80, kHeads, kDims, std::move(values));
        JobContext job;
        const auto told = probeLabels(spoiled, kAllHeads, data.labels, {}, 1, job);
        HEADSCOPE_VERIFY_OK(told);
        QCOMPARE(told->leftOut, std::int64_t{1});
        QCOMPARE(told->trainDocuments + told->testDocuments, std::int64_t{78});
        const std::vector<std::int64_t> others = {1, 2};
        QCOMPARE(probeLabels(spoiled, others, data.labels, {}, 1, job)->leftOut, std::int64_t{0});
        const std::vector<std::int32_t> same(80, 2);
        HEADSCOPE_VERIFY_ERROR(probeLabels(spoiled, others, same, {}, 1, job), ErrorCode::InvalidArgument,
                               "at least 2 different labels among the documents, found 1");
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token());
        const auto none = probeLabels(spoiled, others, data.labels, {}, 2, stopped);
        QVERIFY(!none && none.error().code == ErrorCode::Cancelled);
    }

    /// As many labels as documents: refused before anything is computed.
    void moreLabelsThanMemoryHolds()
    {
        constexpr std::int64_t kMany = 20'000;
        const HeadVectors vectors(Stage::HeadOutput, LayerIndex(4), kMany, 1, 1, std::vector<float>(kMany, 1.0F));
        std::vector<std::int32_t> labels(kMany);
        std::iota(labels.begin(), labels.end(), 0);
        JobContext job;
        const test::MemoryLimit limit(500'000'000);
        const auto told = probeLabels(vectors, std::vector<std::int64_t>{0}, labels, {}, 2, job);
        HEADSCOPE_VERIFY_ERROR(told, ErrorCode::OutOfMemory,
                               "predicting 20000 labels of 20000 documents by 1 head needs about");
        QVERIFY(told.error().message.find("fewer labels") != std::string::npos);
    }
};

HEADSCOPE_TEST_GUILESS(TestLabelProbe)
#include "tst_label_probe.moc"
