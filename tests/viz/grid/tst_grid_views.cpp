// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_views.h"

#include "tests/support/test_program.h"
#include "tests/viz/sample_set.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::viz;

class TestGridViews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fittedViewsHoldEveryPoint()
    {
        auto set = headscope::test::sampleSet();
        for (float& value : set->maps[3].map.xy.values())
            value *= 0.01F; // a map that stayed small fills its cell too
        const GridContents contents = gridContents(*set, HeadPalette(3, 2));
        const auto views = fittedViews(*set, contents, QSizeF(120, 80));
        QCOMPARE(views.size(), contents.cells.size());
        for (std::size_t i = 0; i < views.size(); ++i)
        {
            const MatrixF& xy = set->maps[contents.cells[i].map].map.xy;
            double top = 80;
            for (std::int64_t point = 0; point < xy.rows(); ++point)
            {
                const QPointF place = views[i].screenFromData(
                    QPointF(static_cast<double>(xy(point, 0)), static_cast<double>(xy(point, 1))));
                QVERIFY(QRectF(0, 0, 120, 80).contains(place));
                top = std::min(top, place.y());
            }
            QVERIFY(top < 12);
        }
    }

    void alikeViewsShowTheSamePart()
    {
        const ViewTransform fit(QPointF(1, 2), 10, QSizeF(100, 80));
        const ViewTransform other(QPointF(-5, 7), 40, QSizeF(100, 80));
        const ViewTransform view = fit.zoomedAt(QPointF(20, 30), 3).panned(QPointF(5, -9));
        const ViewTransform alike = alikeView(view, fit, other);
        QVERIFY(std::abs(alike.scale() / other.scale() - 3) < 1e-12);
        // What lay at a pixel of the fitted view lies at the same pixel of both now.
        for (const QPointF pixel : {QPointF(0, 0), QPointF(50, 40), QPointF(90, 10)})
        {
            const QPointF a = view.screenFromData(fit.dataFromScreen(pixel));
            const QPointF b = alike.screenFromData(other.dataFromScreen(pixel));
            QVERIFY(std::hypot(a.x() - b.x(), a.y() - b.y()) < 1e-9);
        }
        QCOMPARE(alikeView(fit, fit, other), other);
    }

    void nothingToSee()
    {
        auto set = headscope::test::sampleSet(4, 1);
        QVERIFY(anythingToSee(*set));
        for (MapOfSet& each : set->maps)
            for (float& value : each.map.xy.values())
                value = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(!anythingToSee(*set));
        QCOMPARE(fittedViews(*set, gridContents(*set, HeadPalette(1, 1)), QSizeF(50, 50)).size(), std::size_t{3});
    }
};

HEADSCOPE_TEST_GUILESS(TestGridViews)
#include "tst_grid_views.moc"
