// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/scatter/point_extent.h"

#include <QTest>

#include <limits>
#include <vector>

using namespace headscope::viz;
using Which = PointExtent::Which;

class TestPointExtent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pointsWithoutAPlaceAreCounted()
    {
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        const std::vector<float> xy{1, 2, kNan, 0, 3, -4, 5, kInfinity};
        const PointExtent extent = PointExtent::of(xy, {}, Which::All, 1);
        QCOMPARE(extent.notFinite, 2);
        QCOMPARE(extent.bounds, std::optional(QRectF(QPointF(1, -4), QPointF(3, 2))));
        QVERIFY(!PointExtent::of(std::vector<float>{kNan, kNan}, {}, Which::All, 1).bounds);
        QVERIFY(!PointExtent::of({}, {}, Which::All, 1).bounds);
    }

    void statesSayWhichCount()
    {
        const std::vector<float> xy{0, 0, 1, 1, 2, 2};
        const std::vector<PointState> states{PointState::Hidden, PointState::Dimmed, PointState::Shown};
        QCOMPARE(PointExtent::of(xy, states, Which::All, 1).bounds->topLeft(), QPointF(0, 0));
        QCOMPARE(PointExtent::of(xy, states, Which::NotHidden, 1).bounds->topLeft(), QPointF(1, 1));
        QCOMPARE(PointExtent::of(xy, states, Which::Shown, 1).bounds->topLeft(), QPointF(2, 2));
        QCOMPARE(PointExtent::of(xy, {}, Which::Shown, 1).bounds->topLeft(), QPointF(0, 0));
    }

    void anyNumberOfThreadsComesToTheSame()
    {
        std::vector<float> xy;
        for (int point = 0; point < 400'000; ++point)
            xy.insert(xy.end(), {static_cast<float>(point % 997), static_cast<float>((point * 7) % 1009)});
        for (int threads = 1; threads <= 3; ++threads)
            QCOMPARE(PointExtent::of(xy, {}, Which::All, threads).bounds,
                     std::optional(QRectF(QPointF(0, 0), QPointF(996, 1008))));
    }
};

HEADSCOPE_TEST_GUILESS(TestPointExtent)
#include "tst_point_extent.moc"
