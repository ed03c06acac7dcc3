// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/cell_painter.h"

#include "tests/support/test_program.h"
#include "tests/viz/golden_image.h"
#include "tests/viz/sample_set.h"
#include "viz/grid/grid_layout.h"
#include "viz/grid/grid_points.h"
#include "viz/grid/grid_views.h"

#include <QTest>

using namespace headscope;
using namespace headscope::viz;

class TestCellPainter : public QObject
{
    Q_OBJECT

private:
    static constexpr QSize kSize{520, 240};
    GridPoints m_points;
    std::vector<PaintedCell> m_cells;

    QImage painted(InkTheme theme, double dpr, int threads)
    {
        CellPainter painter;
        QImage canvas;
        ScatterStyle style;
        style.theme = theme;
        painter.paint(canvas, kSize, dpr, m_cells, style, threads);
        return canvas;
    }

private Q_SLOTS:
    void init()
    {
        const auto set = headscope::test::sampleSet();
        const HeadPalette palette(3, 2);
        m_points.setPalette(palette);
        m_points.setSet(set);
        const GridContents contents = gridContents(*set, palette);
        const GridLayout layout(contents, QSizeF(kSize));
        const std::vector<ViewTransform> views = fittedViews(*set, contents, layout.plotSize());
        m_cells.clear();
        for (std::size_t i = 0; i < layout.count(); ++i)
            m_cells.push_back({layout.plot(i), m_points.data(contents.cells[i].map), views[i], 1});
    }

    void golden_data()
    {
        QTest::addColumn<InkTheme>("theme");
        QTest::newRow("grid_cells") << InkTheme(InkTheme::Light);
        QTest::newRow("grid_cells_dark") << InkTheme(InkTheme::Dark);
    }
    void golden()
    {
        QFETCH(InkTheme, theme);
        const QString name = QString::fromUtf8(QTest::currentDataTag());
        const QString differs = test::differsFromGolden(painted(theme, 1, 2), name);
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }

    void sameForAnyThreadCount()
    {
        for (const double dpr : {1.0, 1.5, 2.0})
        {
            const QImage one = painted(InkTheme::Light, dpr, 1);
            QCOMPARE(one.size(), QSize(static_cast<int>(520 * dpr), static_cast<int>(240 * dpr)));
            QCOMPARE(painted(InkTheme::Light, dpr, 2), one);
            QCOMPARE(painted(InkTheme::Light, dpr, 7), one);
        }
    }

    void pixelsOutsideOfCellsAreBackground()
    {
        const QImage image = painted(InkTheme::Dark, 1, 2);
        for (int x = 0; x < image.width(); ++x)
            QCOMPARE(image.pixelColor(x, 2), inks(InkTheme::Dark).background);
    }

    void cellsBeyondTheCanvasAreCut()
    {
        m_cells[0].box.moveTo(-30, -20);
        m_cells[1].box.moveTo(500, 230);
        QVERIFY(!painted(InkTheme::Light, 2, 2).isNull());
    }

    void nothingToPaint()
    {
        m_cells.clear();
        const QImage image = painted(InkTheme::Light, 1, 2);
        QCOMPARE(image.pixelColor(100, 100), inks(InkTheme::Light).background);
        CellPainter painter;
        QImage none;
        painter.paint(none, QSize(0, 0), 1, m_cells, {}, 1);
        QVERIFY(none.isNull());
    }
};

HEADSCOPE_TEST_GUILESS(TestCellPainter)
#include "tst_cell_painter.moc"
