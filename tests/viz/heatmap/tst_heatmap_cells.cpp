// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/heatmap/heatmap_cells.h"

#include <QTest>

#include <array>
#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::viz;

class TestHeatmapCells : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void poolsByHand()
    {
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
        constexpr float kInf = std::numeric_limits<float>::infinity();
        const MatrixF values(2, 5, {1, 2, kNan, 4, 5, -1, kInf, -3, -4, -5});
        const HeatmapCells cells(values.view());
        const std::array<std::int64_t, 1> first{0};
        const std::array<std::int64_t, 2> both{0, 1};
        QCOMPARE(cells.pooled(first, 1, 2, CellPooling::Mean), 2.0);
        QCOMPARE(cells.pooled(first, 0, 5, CellPooling::Mean), 3.0);
        QCOMPARE(cells.pooled(first, 0, 5, CellPooling::Largest), 5.0);
        QVERIFY(std::isnan(cells.pooled(first, 2, 3, CellPooling::Mean)));
        QVERIFY(std::isnan(cells.pooled(first, 2, 3, CellPooling::Largest)));
        QCOMPARE(cells.pooled(both, 0, 3, CellPooling::Mean), (1 + 2 - 1 - 3) / 4.0);
        QCOMPARE(cells.pooled(both, 1, 3, CellPooling::Largest), 2.0);
        QCOMPARE(cells.missing(0, 0, 5), 1);
        QCOMPARE(cells.missing(1, 2, 5), 0);
        QCOMPARE(HeatmapCells().rows(), 0);
    }
};

HEADSCOPE_TEST_GUILESS(TestHeatmapCells)
#include "tst_heatmap_cells.moc"
