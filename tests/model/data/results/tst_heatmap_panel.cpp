// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/heatmap_panel.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <limits>

using namespace headscope;

namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Four heads in two groups, two topics of 2 and 1 documents.
HeatmapPanel panel()
{
    HeatmapPanel made;
    auto heatmap = std::make_shared<Heatmap>();
    heatmap->values = MatrixF(5, 3);
    made.heatmap = heatmap;
    made.statistics.mean = {0.9, 0.1, 0.2, 0.5, kNaN};
    made.statistics.eta2 = {0.0, 0.3, kNaN, 0.8, 0.3};
    made.statistics.spearmanMean = {kNaN, 0.2, 0.9, 0.2};
    made.statistics.topicMean = MatrixD(5, 2, {0.9, 0.6, 0.1, 0.4, 0.2, 0.2, 0.5, kNaN, kNaN, kNaN});
    made.statistics.topicCount = Matrix<std::int64_t>(5, 2, {2, 1, 2, 1, 2, 1, 2, 0, 0, 0});
    made.heads.order = {3, 1, 0, 2};
    return made;
}

ModelInfo model()
{
    ModelInfo info;
    info.heads = 4;
    info.kvHeads = 2;
    return info;
}

} // namespace

class TestHeatmapPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsInEveryOrder()
    {
        using Rows = std::vector<std::int64_t>;
        QCOMPARE(heatmapRows(panel(), model(), HeatmapRows::Index), (Rows{1, 2, 3, 4}));
        // Group 2 counts by the head that has a mean.
        QCOMPARE(heatmapRows(panel(), model(), HeatmapRows::GroupMean), (Rows{3, 4, 1, 2}));
        QCOMPARE(heatmapRows(panel(), model(), HeatmapRows::FollowsFull), (Rows{3, 2, 4, 1}));
        QCOMPARE(heatmapRows(panel(), model(), HeatmapRows::Selectivity), (Rows{3, 1, 4, 2}));
        QCOMPARE(heatmapRows(panel(), model(), HeatmapRows::Clusters), (Rows{4, 2, 1, 3}));
    }

    void withoutStatisticsTheIndexHolds()
    {
        HeatmapPanel bare;
        bare.heatmap = panel().heatmap;
        for (const HeatmapRows order :
             {HeatmapRows::GroupMean, HeatmapRows::FollowsFull, HeatmapRows::Selectivity, HeatmapRows::Clusters})
            QCOMPARE(heatmapRows(bare, model(), order), (std::vector<std::int64_t>{1, 2, 3, 4}));
        QVERIFY(topicMeans(bare, TopicMeans::Mean).empty());
    }

    void contrastsByHand()
    {
        QCOMPARE(topicMeans(panel(), TopicMeans::Mean)(1, 1), 0.4);
        const MatrixD rest = topicMeans(panel(), TopicMeans::AgainstRest);
        QVERIFY(std::abs(rest(1, 0) - (0.1 - 0.4)) < 1e-12);
        QVERIFY(std::abs(rest(1, 1) - (0.4 - 0.1)) < 1e-12);
        QVERIFY(std::isnan(rest(3, 0))); // no other topic has a value
        QVERIFY(std::isnan(rest(4, 0)));
        const MatrixD full = topicMeans(panel(), TopicMeans::AgainstFull);
        QVERIFY(std::abs(full(1, 0) - (0.1 - 0.9)) < 1e-12);
        QCOMPARE(full(0, 1), 0.0);
    }
};

HEADSCOPE_TEST_GUILESS(TestHeatmapPanel)
#include "tst_heatmap_panel.moc"
