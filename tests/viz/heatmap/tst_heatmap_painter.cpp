// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_painter.h"

#include "viz/heatmap/heatmap_scale.h"

#include "tests/support/test_program.h"
#include "tests/viz/sample_values.h"
#include "viz/color/head_palette.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::viz;

class TestHeatmapPainter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void letters();
    void scaleIsCentred();
    void cellsAreFoundAgain();
    void outsideIsNoCell();
    void colorsAreThoseOfTheScale();
    void saysWhenPixelsAreMeans();
    void colourBarHasATitleAndNamesWhite();
    void nothingLeavesTheBox_data();
    void nothingLeavesTheBox();
};

void TestHeatmapPainter::letters()
{
    QCOMPARE(topicLetter(0), QStringLiteral("A"));
    QCOMPARE(topicLetter(25), QStringLiteral("Z"));
    QCOMPARE(topicLetter(26), QStringLiteral("AA"));
    QCOMPARE(topicLetter(27 * 26), QStringLiteral("AAA"));
}

void TestHeatmapPainter::scaleIsCentred()
{
    const ColorScale scale = heatmapScale({-0.2, 0.8}, InkTheme::Light);
    QVERIFY(std::abs(*scale.centre() - 0.3) < 1e-12);
    QVERIFY(qBlue(scale.color(-0.2)) > qRed(scale.color(-0.2)));
    QVERIFY(qRed(scale.color(0.8)) > qBlue(scale.color(0.8)));
    Heatmap nothing = test::sampleHeatmap(2, 1, 2);
    for (float& value : nothing.values.values())
        value = std::numeric_limits<float>::quiet_NaN();
    QCOMPARE(heatmapLimits(nothing), (ScaleLimits{-1, 1}));
}

void TestHeatmapPainter::cellsAreFoundAgain()
{
    const Heatmap heatmap = test::sampleHeatmap(12, 4, 9);
    const HeatmapLayout layout(heatmap, test::sampleModel(12, 3), QRectF(10, 20, 700, 400), {});
    for (std::int64_t row = 0; row <= 12; ++row)
        for (std::int64_t column = 0; column < 36; ++column)
        {
            const QRectF cell = layout.cellRect({row, column});
            QVERIFY(layout.plot().adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(cell));
            QVERIFY(layout.cellAt(cell.center()) == (HeatmapCell{row, column}));
        }
}

void TestHeatmapPainter::outsideIsNoCell()
{
    const Heatmap heatmap = test::sampleHeatmap(4, 2, 5);
    const HeatmapLayout layout(heatmap, test::sampleModel(4, 2), QRectF(0, 0, 500, 300), {});
    QVERIFY(!layout.cellAt({0, 0}).has_value());
    const double gap = (layout.topicRect(0).right() + layout.topicRect(1).left()) / 2;
    QVERIFY(layout.topicRect(1).left() > layout.topicRect(0).right());
    QVERIFY(!layout.cellAt({gap, layout.plot().center().y()}).has_value());
    QVERIFY(layout.cellRect({0, 99}).isNull());
    QVERIFY(layout.topicRect(7).isNull());
    QVERIFY(!HeatmapLayout().cellAt({0, 0}).has_value());
}

void TestHeatmapPainter::colorsAreThoseOfTheScale()
{
    const Heatmap heatmap = test::sampleHeatmap(6, 2, 8);
    const ModelInfo info = test::sampleModel(6, 2);
    for (const double dpr : {1.0, 2.0})
    {
        QImage image(QSize(600, 300) * dpr, QImage::Format_RGB32);
        image.setDevicePixelRatio(dpr);
        image.fill(Qt::white);
        const HeatmapLayout layout(heatmap, info, QRectF(0, 0, 600, 300), {});
        QPainter painter(&image);
        HeatmapPainter(layout).paint(painter, dpr);
        painter.end();
        for (std::int64_t row = 0; row <= 6; ++row)
            for (std::int64_t column = 0; column < 16; ++column)
            {
                const QPointF middle = layout.cellRect({row, column}).center() * dpr;
                QCOMPARE(image.pixel(middle.toPoint()),
                         layout.scale().color(static_cast<double>(heatmap.values(row, column))));
            }
        const QPointF strip(layout.plot().left() - 4, layout.rowRect(5).center().y());
        QCOMPARE(QColor(image.pixel((strip * dpr).toPoint())), HeadPalette(info).color(HeadIndex(4)));
    }
}

void TestHeatmapPainter::saysWhenPixelsAreMeans()
{
    const Heatmap heatmap = test::sampleHeatmap(4, 2, 400);
    const HeatmapLayout layout(heatmap, test::sampleModel(4, 2), QRectF(0, 0, 300, 200), {});
    QVERIFY(layout.columnsPerPixel(1) > 2.5);
    QVERIFY(layout.note(1).contains(QStringLiteral("mean")));
    QVERIFY(layout.note(8).isEmpty());
}

void TestHeatmapPainter::colourBarHasATitleAndNamesWhite()
{
    QCOMPARE(heatmapScaleTitle(), QStringLiteral("cosine"));
    QCOMPARE(scaleMiddle(scaleOf({ScaleChoice::Kind::Diverging, {-0.2, 0.6}, 0}, InkTheme::Light)), 0.0);
    QCOMPARE(scaleMiddle(scaleOf({ScaleChoice::Kind::Sequential, {0, 1}, 0}, InkTheme::Light)), 0.5);
    // Ink above the bar, right of the cells.
    const Heatmap heatmap = test::sampleHeatmap(8, 3, 10);
    const QRect box(0, 0, 500, 300);
    HeatmapStyle style;
    style.scale = scaleOf({ScaleChoice::Kind::Diverging, {-0.5, 0.5}, 0}, InkTheme::Light);
    const HeatmapLayout layout(heatmap, test::sampleModel(8, 2), box, style);
    QImage image(box.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    HeatmapPainter(layout).paint(painter, 1);
    painter.end();
    const int right = static_cast<int>(std::ceil(layout.plot().right())) + 2;
    int dark = 0;
    for (int y = 0; y < static_cast<int>(layout.plot().top()) - 1; ++y)
        for (int x = right; x < box.width(); ++x)
            dark += qGray(image.pixel(x, y)) < 140 ? 1 : 0;
    QVERIFY2(dark > 20, qPrintable(QString::number(dark)));
}

void TestHeatmapPainter::nothingLeavesTheBox_data()
{
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("topics");
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << 32 << 8 << QSize(700, 420);
    QTest::newRow("one head") << 1 << 1 << QSize(300, 160);
    QTest::newRow("many topics") << 8 << 40 << QSize(640, 460);
    QTest::newRow("low") << 32 << 8 << QSize(500, 170);
}

void TestHeatmapPainter::nothingLeavesTheBox()
{
    QFETCH(int, heads);
    QFETCH(int, topics);
    QFETCH(QSize, size);
    const Heatmap heatmap = test::sampleHeatmap(heads, topics, 6);
    QImage image(size + QSize(60, 60), QImage::Format_RGB32);
    image.fill(Qt::white);
    const QRect box(QPoint(30, 30), size);
    const HeatmapLayout layout(heatmap, test::sampleModel(heads, heads >= 8 ? heads / 4 : 1), box, {});
    QPainter painter(&image);
    HeatmapPainter(layout).paint(painter, 1);
    painter.end();
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (!box.contains(x, y))
                QVERIFY2(image.pixel(x, y) == qRgb(255, 255, 255), qPrintable(QStringLiteral("%1,%2").arg(x).arg(y)));
}

HEADSCOPE_TEST(TestHeatmapPainter)
#include "tst_heatmap_painter.moc"
