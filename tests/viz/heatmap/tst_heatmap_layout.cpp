// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "tests/viz/golden_image.h"
#include "tests/viz/sample_values.h"
#include "viz/axis/text.h"
#include "viz/heatmap/heatmap_painter.h"

#include <QPainter>
#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

/// A chain: 0 with 1, then with 2, ...
ClusterTree chain(std::int64_t leaves)
{
    ClusterTree tree;
    tree.order.resize(static_cast<std::size_t>(leaves));
    std::iota(tree.order.begin(), tree.order.end(), 0);
    std::int64_t node = 0;
    for (std::int64_t leaf = 1; leaf < leaves; ++leaf)
    {
        tree.joins.push_back({node, leaf, static_cast<double>(leaf)});
        node = leaves + leaf - 1;
    }
    return tree;
}

} // namespace

/// The part of a heatmap that fills its place: zoom, order of rows, trees, pale columns.
class TestHeatmapLayout : public QObject
{
    Q_OBJECT

private:
    Heatmap m_heatmap = test::sampleHeatmap(12, 4, 30);
    ModelInfo m_info = test::sampleModel(12, 3);
    QRectF m_box{10, 10, 600, 300};

private Q_SLOTS:
    void initTestCase() { m_heatmap.stage = Stage::HeadOutput; } // heads, which fall into groups

    /// A title that is wider than the cells has a line of its own: that of the colour bar is below it.
    void titlesAreApart()
    {
        m_heatmap.layer = LayerIndex(m_info.layers - 1);
        for (const double width : {160.0, 200.0, 260.0, 600.0})
        {
            HeatmapStyle style;
            style.textPx = 8;
            const HeatmapLayout layout(m_heatmap, m_info, QRectF(0, 0, width, 200), style);
            const QRectF title = layout.places().title;
            const QRectF bar = layout.places().bar;
            QVERIFY2(title.right() <= bar.left() || bar.top() - lineHeight(textFont(style.textPx - 1)) - 2 >=
                                                        title.bottom() - 1,
                     qPrintable(QString::number(width)));
        }
    }

    void zoomKeepsTheColumnUnderThePointer()
    {
        HeatmapLayout layout(m_heatmap, m_info, m_box, {});
        for (const std::int64_t column : {0, 31, 64, 119})
        {
            static_cast<void>(layout.setWindow({}));
            const double x = layout.cellRect({3, column}).center().x();
            for (int step = 0; step < 8; ++step)
            {
                static_cast<void>(layout.setWindow(layout.zoomedAt(x, 1.3)));
                QVERIFY2(std::abs(layout.cellRect({3, column}).center().x() - x) <
                             0.5 * layout.cellRect({0, 0}).width(),
                         qPrintable(QString::number(column)));
                QCOMPARE(layout.cellAt({x, layout.plot().top() + 1})->column, column);
            }
            for (int step = 0; step < 12; ++step)
                static_cast<void>(layout.setWindow(layout.zoomedAt(x, 1 / 1.3)));
            QCOMPARE(layout.window().zoom, 1.0);
            QCOMPARE(layout.window().firstColumn, 0.0);
        }
    }

    void windowsStayInside()
    {
        HeatmapLayout layout(m_heatmap, m_info, m_box, {});
        QCOMPARE(layout.setWindow({0.1, -5, 0.2, -3}), HeatmapWindow());
        QCOMPARE(layout.visibleShare(), (std::pair<double, double>(0, 1)));
        const HeatmapWindow far = layout.setWindow({4, 1000, 1e9, 1000});
        QVERIFY(std::abs(layout.topicRect(3).right() - layout.plot().right()) < 1e-6);
        QVERIFY(far.firstColumn > 85 && far.firstColumn < 95);
        QVERIFY(far.rowZoom < 10); // a row is never higher than the widest cell
        QVERIFY(std::abs(layout.rowRect(12).bottom() - layout.plot().bottom()) < 1e-6);
        QCOMPARE(layout.visibleColumns().second, 120);
        QVERIFY(std::abs(layout.visibleShare().first + layout.visibleShare().second - 1) < 1e-6);
        // The full row stays where it is.
        QCOMPARE(layout.cellAt({layout.plot().right() - 1, layout.plot().top() + 1})->row, 0);
        QVERIFY(layout.movedBy(60, 0).firstColumn < far.firstColumn);
        QVERIFY(layout.rowsZoomedAt(200, 0.5).rowZoom < far.rowZoom);
    }

    void rowsStandInTheirOrder()
    {
        HeatmapStyle style;
        style.rows = {12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
        const HeatmapLayout layout(m_heatmap, m_info, m_box, style);
        QVERIFY(layout.rowRect(12).top() < layout.rowRect(1).top());
        QCOMPARE(layout.cellAt(layout.cellRect({7, 50}).center())->row, 7);
        QCOMPARE(*layout.rowNameAt({layout.plot().left() - 4, layout.rowRect(2).center().y()}), 2);
        // Groups stand together, in whatever order.
        QCOMPARE(layout.groupNameAt({layout.box().left() + 1, layout.rowRect(12).center().y()}),
                 (std::vector<std::int64_t>{11, 10, 9, 8}));
        style.rows = {1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12};
        const HeatmapLayout torn(m_heatmap, m_info, m_box, style);
        QVERIFY(torn.groupNameAt({torn.box().left() + 1, torn.rowRect(12).center().y()}).empty());
        QVERIFY(!torn.rowNameAt({torn.plot().left() + 4, torn.rowRect(2).center().y()}).has_value());
        QCOMPARE(*layout.rowNameAt({layout.plot().left() - 4, layout.rowRect(0).center().y()}), 0);
    }

    /// Segments are in no group: their names are numbers alone, and maps under each other begin alike all the same.
    void segmentsStandAlone()
    {
        Heatmap segments = m_heatmap;
        segments.stage = Stage::OutputSegment;
        HeatmapStyle style;
        style.rows = {12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
        const HeatmapLayout heads(m_heatmap, m_info, m_box, style);
        const HeatmapLayout own(segments, m_info, m_box, style);
        QCOMPARE(own.groupNameAt({own.box().left() + 1, own.rowRect(12).center().y()}), std::vector<std::int64_t>{11});
        QVERIFY(own.plot().left() < heads.plot().left());
        style.leastLeft = heads.plot().left() - heads.box().left();
        const HeatmapLayout under(segments, m_info, m_box, style);
        QCOMPARE(under.plot().left(), heads.plot().left());
        QCOMPARE(under.plot().right(), heads.plot().right());
        QCOMPARE(under.cellAt(under.cellRect({7, 50}).center())->row, 7);
        QCOMPARE(*under.rowNameAt({under.plot().left() - 4, under.rowRect(2).center().y()}), 2);
        style.leastLeft = 1; // never less than the names need
        QCOMPARE(HeatmapLayout(segments, m_info, m_box, style).plot(), own.plot());
    }

    void lettersAreFound()
    {
        HeatmapStyle style;
        style.key = false;
        style.letters = true;
        const HeatmapLayout layout(m_heatmap, m_info, m_box, style);
        QCOMPARE(*layout.letterAt({layout.topicRect(2).center().x(), layout.plot().bottom() + 8}), 2);
        QVERIFY(!layout.letterAt({layout.topicRect(2).center().x(), layout.plot().bottom() - 8}).has_value());
        QCOMPARE(layout.topicOf(29), 0);
        QCOMPARE(layout.topicOf(30), 1);
    }

    void golden_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << QStringLiteral("heatmap_window") << static_cast<int>(InkTheme::Light);
        QTest::newRow("dark") << QStringLiteral("heatmap_window_dark") << static_cast<int>(InkTheme::Dark);
    }

    /// Zoomed in, rows by a tree, columns by trees, some columns lit.
    void golden()
    {
        QFETCH(QString, name);
        QFETCH(int, theme);
        Heatmap heatmap = m_heatmap;
        heatmap.columnTrees.assign(4, chain(30));
        heatmap.values(4, 40) = std::numeric_limits<float>::quiet_NaN();
        const ClusterTree heads = chain(12);
        HeatmapStyle style;
        style.theme = static_cast<InkTheme::Ground>(theme);
        style.title = false; // no text: fonts differ between machines
        style.key = false;
        style.colorBar = false;
        style.colorBarRoom = false;
        style.marks = true;
        style.tree = &heads;
        style.rows = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        style.scale = scaleOf({ScaleChoice::Kind::Diverging, {-0.4, 1}, 0.2}, style.theme);
        HeatmapLayout layout(heatmap, m_info, m_box, style);
        std::vector<std::uint8_t> lit(120, 0);
        for (const std::size_t column : {36U, 40U, 41U, 60U})
            lit[column] = 1;
        static_cast<void>(layout.setWindow({2.5, 33.5, 1, 0}));
        QImage image(620, 320, QImage::Format_RGB32);
        image.fill(inks(style.theme).background);
        QPainter painter(&image);
        HeatmapPainter(layout, nullptr, lit).paint(painter, 1);
        painter.end();
        const QRect cells = layout.plot().toAlignedRect().adjusted(0, -32, 44, 2); // with trees and marks
        const QString difference = test::differsFromGolden(image.copy(cells), name, 3, 0.005);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void largestKeepsSingleCells()
    {
        Heatmap heatmap = test::sampleHeatmap(4, 1, 4000);
        for (float& value : heatmap.values.values())
            value = 0;
        heatmap.values(2, 1234) = 1;
        for (const CellPooling pooling : {CellPooling::Mean, CellPooling::Largest})
        {
            HeatmapStyle style;
            style.pooling = pooling;
            style.limits = ScaleLimits{0, 1};
            const HeatmapLayout layout(heatmap, test::sampleModel(4, 1), m_box, style);
            QImage image(620, 320, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            HeatmapPainter(layout).paint(painter, 1);
            painter.end();
            // A cell is narrower than a pixel, and pixels begin at whole numbers: it may be the one beside.
            const QPointF at = layout.cellRect({2, 1234}).center();
            std::vector<int> full;
            for (int x = 0; x < image.width(); ++x)
                if (image.pixel(x, static_cast<int>(at.y())) == layout.scale().color(1))
                    full.push_back(x);
            QCOMPARE(!full.empty(), pooling == CellPooling::Largest);
            for (const int x : full)
                QVERIFY2(std::abs(x + 0.5 - at.x()) <= 1, qPrintable(QString::number(x - at.x())));
            QVERIFY(layout.note(1).contains(pooling == CellPooling::Largest ? QStringLiteral("largest")
                                                                            : QStringLiteral("mean")));
        }
    }
};

HEADSCOPE_TEST(TestHeatmapLayout)
#include "tst_heatmap_layout.moc"
