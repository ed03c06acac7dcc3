// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/pattern_clusters.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace headscope;

class TestPatternClusters : public QObject
{
    Q_OBJECT

private:
    /// 4 layers of 6 heads: even heads are sinks, odd ones of the upper half look at the token before, the others at
    /// both a little.
    static int kindOf(std::int64_t layer, std::int64_t head) { return head % 2 == 0 ? 0 : layer >= 2 ? 1 : 2; }

    static HeadMeasures planted()
    {
        HeadMeasures all;
        all.layers = 4;
        all.heads = 6;
        HeadMeasure first = measureOf("first_token", Stage::HeadOutput, 4, 6);
        HeadMeasure previous = measureOf("previous_token", Stage::HeadOutput, 4, 6);
        HeadMeasure flat = measureOf("confidence", Stage::HeadOutput, 4, 6);
        HeadMeasure other = measureOf("mean_norm", Stage::HeadOutput, 4, 6); // no attention: takes no part
        constexpr double kFirst[] = {0.9, 0.1, 0.5};
        constexpr double kPrevious[] = {0.05, 0.8, 0.1};
        for (std::int64_t layer = 0; layer < 4; ++layer)
            for (std::int64_t head = 0; head < 6; ++head)
            {
                const double noise = 0.004 * static_cast<double>((layer * 7 + head * 3) % 5);
                first.value(layer, head) = kFirst[kindOf(layer, head)] + noise;
                previous.value(layer, head) = kPrevious[kindOf(layer, head)] - noise;
                flat.value(layer, head) = 0.25;
                other.value(layer, head) = static_cast<double>(layer * 100 + head);
            }
        all.measures = {other, first, previous, flat};
        return all;
    }

private Q_SLOTS:
    void plantedClustersAreFound()
    {
        const HeadMeasures measures = planted();
        const auto found = clusterPatterns(measures, 3);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->used, (std::vector<std::string>{"first_token", "previous_token"})); // the flat one says nothing
        QCOMPARE(found->clusters.size(), std::size_t{3});
        QCOMPARE(found->clusters[0].heads, std::int64_t{12}); // the largest is the first
        for (std::int64_t layer = 0; layer < 4; ++layer)
            for (std::int64_t head = 0; head < 6; ++head)
                for (std::int64_t other = 0; other < 6; ++other)
                    QCOMPARE(found->cluster(layer, head) == found->cluster(0, other),
                             kindOf(layer, head) == kindOf(0, other));
        QVERIFY(found->clusters[0].mean[0] > 0.5); // sinks
        const HeadMeasure measure = patternMeasure(measures, *found);
        QVERIFY(measure.groups);
        QCOMPARE(measure.groupNames.size(), std::size_t{3});
        QCOMPARE(measure.known(), std::int64_t{24});
    }

    void meansAreInStandardDeviations()
    {
        const auto found = clusterPatterns(planted(), 3);
        HEADSCOPE_VERIFY_OK(found);
        for (std::size_t key = 0; key < found->used.size(); ++key)
        {
            double sum = 0;
            for (const auto& cluster : found->clusters)
                sum += static_cast<double>(cluster.heads) * cluster.mean[key];
            QVERIFY(std::abs(sum) < 1e-9); // of standardised numbers
        }
    }

    void neighboursInTheOrderAreAlike()
    {
        const auto found = clusterPatterns(planted(), 3);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->order.size(), std::size_t{24});
        QCOMPARE(std::set<HeadPlace>(found->order.begin(), found->order.end()).size(), std::size_t{24});
        int changes = 0;
        for (std::size_t i = 0; i < 24; ++i)
        {
            const HeadPlace& at = found->order[i];
            QCOMPARE(found->ranks[static_cast<std::size_t>(at.layer * 6 + at.head)], static_cast<std::int64_t>(i));
            if (i > 0)
                changes += found->cluster(at.layer, at.head) !=
                                   found->cluster(found->order[i - 1].layer, found->order[i - 1].head)
                               ? 1
                               : 0;
        }
        QCOMPARE(changes, 2); // each cluster stands together
    }

    void asManyAsAskedFor_data()
    {
        QTest::addColumn<int>("clusters");
        QTest::addColumn<int>("found");
        QTest::newRow("one") << 1 << 1;
        QTest::newRow("none is one") << 0 << 1;
        QTest::newRow("five") << 5 << 5;
        QTest::newRow("more than heads") << 100 << 24;
    }

    void asManyAsAskedFor()
    {
        QFETCH(int, clusters);
        QFETCH(int, found);
        const auto result = clusterPatterns(planted(), clusters);
        HEADSCOPE_VERIFY_OK(result);
        QCOMPARE(static_cast<int>(result->clusters.size()), found);
        QVERIFY(std::ranges::is_sorted(result->clusters, std::ranges::greater(), &PatternClusters::Cluster::heads));
        std::int64_t heads = 0;
        for (const auto& each : result->clusters)
            heads += each.heads;
        QCOMPARE(heads, std::int64_t{24});
    }

    void headsWithoutANumberAreLeftOut()
    {
        HeadMeasures measures = planted();
        measures.measures[1].value(0, 0) = std::nan("");
        const auto found = clusterPatterns(measures, 3);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(std::isnan(found->cluster(0, 0)));
        QCOMPARE(found->ranks[0], std::int64_t{-1});
        QCOMPARE(found->order.size(), std::size_t{23});
    }

    void withoutStatisticsThereIsNone()
    {
        HeadMeasures measures = planted();
        measures.measures.resize(1);
        HEADSCOPE_VERIFY_ERROR(clusterPatterns(measures, 3), ErrorCode::InvalidArgument, "attention statistics");
        measures.measures = {planted().measures[3]}; // equal for all heads
        HEADSCOPE_VERIFY_ERROR(clusterPatterns(measures, 3), ErrorCode::InvalidArgument, "attention statistics");
    }
};

HEADSCOPE_TEST_GUILESS(TestPatternClusters)
#include "tst_pattern_clusters.moc"
