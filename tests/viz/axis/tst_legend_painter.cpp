// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/legend_painter.h"

#include "tests/support/test_program.h"
#include "viz/color/head_palette.h"
#include "viz/color/inks.h"
#include "viz/color/oklab.h"
#include "viz/scatter/point_coloring.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <set>
#include <string>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

PointIds onePointPerHead(int heads)
{
    PointIds points;
    for (int head = 0; head < heads; ++head)
    {
        points.document.push_back(0);
        points.head.push_back(head);
    }
    return points;
}

Legend headLegend(int groups, int members)
{
    return colorByHead(onePointPerHead(groups * members), HeadPalette(groups, members), QStringLiteral("head")).legend;
}

Legend labelLegend(int categories, const std::string& name = "topic ")
{
    LabelColumn column;
    column.name = "topic";
    PointIds points;
    for (int i = 0; i < categories; ++i)
    {
        column.categories.push_back(name + std::to_string(i));
        column.codes.push_back(i);
        points.document.push_back(i);
        points.head.push_back(0);
    }
    return colorByLabel(points, column, InkTheme::Light).legend;
}

QImage painted(const LegendLayout& layout, const std::vector<LegendHit>& faded = {})
{
    QImage image(layout.size().toSize() + QSize(40, 40), QImage::Format_RGB32);
    image.fill(qRgb(255, 0, 255));
    QPainter painter(&image);
    layout.paint(painter, {20, 20}, faded);
    painter.end();
    return image;
}

/// Whether all of a picture's ink lies inside the legend's rectangle.
bool staysInside(const QImage& image, QSizeF size)
{
    const QRect inside(20, 20, static_cast<int>(size.width()), static_cast<int>(size.height()));
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (!inside.contains(x, y) && image.pixel(x, y) != qRgb(255, 0, 255))
                return false;
    return true;
}

/// Every target found by asking every pixel.
std::set<std::pair<int, std::int64_t>> allHits(const LegendLayout& layout)
{
    std::set<std::pair<int, std::int64_t>> hits;
    for (double y = 0; y < layout.size().height(); ++y)
        for (double x = 0; x < layout.size().width(); ++x)
            if (const auto hit = layout.hit({x, y}))
                hits.emplace(static_cast<int>(hit->kind), hit->index);
    return hits;
}

} // namespace

class TestLegendPainter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyHitHasItsBox();
    void headsAndGroupsAreHit();
    void nothingIsClipped_data();
    void nothingIsClipped();
    void longNamesAreWholeOnHover();
    void tooManyCategoriesAreSummedUp();
    void fadedItemsArePale();
    void hiddenNamesCanBeRead();
};

void TestLegendPainter::headsAndGroupsAreHit()
{
    const auto hits = allHits(LegendLayout(headLegend(8, 4), {}));
    for (std::int64_t head = 0; head < 32; ++head)
        QVERIFY(hits.count({static_cast<int>(LegendHit::Kind::Head), head}) == 1);
    for (std::int64_t group = 0; group < 8; ++group)
        QVERIFY(hits.count({static_cast<int>(LegendHit::Kind::Group), group}) == 1);
    QCOMPARE(hits.size(), std::size_t{40});
    QVERIFY(!LegendLayout(headLegend(8, 4), {}).hit({-1, -1}).has_value());
    // Heads that are groups of their own are heads.
    QCOMPARE(allHits(LegendLayout(headLegend(12, 1), {})).size(), std::size_t{12});
}

void TestLegendPainter::nothingIsClipped_data()
{
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind < 6; ++kind)
        QTest::addRow("legend %d", kind) << kind;
}

void TestLegendPainter::nothingIsClipped()
{
    QFETCH(int, kind);
    const std::vector<float> strengths = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const HeadPalette palette(3, 4);
    std::vector<Legend> legends = {
        headLegend(8, 4),
        headLegend(1, 40),
        headLegend(32, 1),
        labelLegend(12, "a label of many characters that goes on and on and on "),
        colorByStrength(onePointPerHead(12), strengths, palette, QStringLiteral("head")).legend,
        colorByNumber(strengths, ColorScale(sequentialMap(), {-1e-7, 123456}), QStringLiteral("tokens"),
                      InkTheme::Light)
            .legend};
    for (const bool card : {true, false})
        for (const double textPx : {8.0, 11.0, 16.0})
        {
            LegendStyle style;
            style.card = card;
            style.textPx = textPx;
            style.maxWidth = 22 * textPx;
            const LegendLayout layout(legends[static_cast<std::size_t>(kind)], style);
            QVERIFY(layout.size().width() <= style.maxWidth + 1);
            QVERIFY(staysInside(painted(layout), layout.size()));
        }
}

void TestLegendPainter::longNamesAreWholeOnHover()
{
    const std::string name = "a label of many characters that goes on and on and on ";
    LegendStyle style;
    style.maxWidth = 180;
    const LegendLayout layout(labelLegend(3, name), style);
    QString found;
    for (double x = 0; x < layout.size().width() && found.isEmpty(); ++x)
        found = layout.elidedNameAt({x, layout.size().height() - 20});
    QCOMPARE(found, QString::fromStdString(name + "2"));
    style.maxWidth = 900;
    const LegendLayout wide(labelLegend(3, name), style);
    for (double x = 0; x < wide.size().width(); ++x)
        QVERIFY(wide.elidedNameAt({x, wide.size().height() - 20}).isEmpty());
}

void TestLegendPainter::tooManyCategoriesAreSummedUp()
{
    LegendStyle style;
    style.maxHeight = 200;
    const LegendLayout layout(labelLegend(1000), style);
    QVERIFY(layout.size().height() <= 201);
    QVERIFY(allHits(layout).size() >= 5);
    style.maxHeight = 10; // no room at all: the last line remains
    QVERIFY(LegendLayout(labelLegend(1000), style).size().height() < 80);
}

void TestLegendPainter::fadedItemsArePale()
{
    const LegendLayout layout(headLegend(3, 3), {});
    const QImage plain = painted(layout);
    const QImage faded = painted(layout, {{LegendHit::Kind::Head, 4}});
    QVERIFY(plain != faded);
    // Only that head's swatch changes.
    for (int y = 0; y < plain.height(); ++y)
        for (int x = 0; x < plain.width(); ++x)
            if (plain.pixel(x, y) != faded.pixel(x, y))
            {
                const auto hit = layout.hit({x - 20 + 0.5, y - 20 + 0.5});
                QVERIFY(hit && hit->kind == LegendHit::Kind::Head && hit->index == 4);
            }
}

/// On the screen, in both themes: 4.5 and more between the letters of what is hidden and their ground.
void TestLegendPainter::hiddenNamesCanBeRead()
{
    for (const InkTheme theme : {InkTheme::Light, InkTheme::Dark})
    {
        LegendStyle style;
        style.theme = theme;
        style.ground = false;
        const QColor ground = inks(theme).card;
        const LegendLayout layout(labelLegend(3), style);
        QImage image((layout.size() * 4).toSize(), QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(4); // the middle of a stroke is a pixel of its whole colour
        image.fill(ground);
        QPainter painter(&image);
        const LegendHit hidden = layout.hits()[1];
        layout.paint(painter, {0, 0}, {hidden});
        painter.end();
        const QRectF box = layout.boxOf(hidden).value_or(QRectF());
        double best = 1;
        for (int y = static_cast<int>(4 * box.top()); y < static_cast<int>(4 * box.bottom()); ++y)
            for (int x = static_cast<int>(4 * (box.left() + 24)); x < static_cast<int>(4 * box.right()); ++x)
                best = std::max(best, contrastRatio(image.pixelColor(x, y), ground));
        QVERIFY2(best >= 4.5, qPrintable(QString::number(best)));
    }
}

/// In reading order, and what lies in the middle of a box is what the box is of.
void TestLegendPainter::everyHitHasItsBox()
{
    for (const Legend& legend : {headLegend(8, 4), headLegend(12, 1), labelLegend(20)})
    {
        const LegendLayout layout(legend, {});
        const std::vector<LegendHit> hits = layout.hits();
        QVERIFY(hits.size() >= 12u);
        double top = 0;
        for (const LegendHit& hit : hits)
        {
            const auto box = layout.boxOf(hit);
            QVERIFY(box.has_value());
            QVERIFY(box->top() >= top);
            top = box->top();
            if (hit.kind != LegendHit::Kind::Group) // its heads lie above it
                QCOMPARE(layout.hit(box->center()), hit);
        }
    }
    QVERIFY(!LegendLayout(labelLegend(3), {}).boxOf({LegendHit::Kind::Category, 9}).has_value());
}

HEADSCOPE_TEST(TestLegendPainter)
#include "tst_legend_painter.moc"
