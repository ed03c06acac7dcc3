// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/point_coloring.h"

#include "viz/color/category_palette.h"
#include "viz/color/color_difference.h"

#include "tests/viz/sample_values.h"

#include "tests/support/test_program.h"
#include "viz/color/oklab.h"

#include <QTest>

#include <limits>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

class TestPointColoring : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void byHead();
    void byStrength();
    void strengths();
    void byLabel();
    void labelsInAnotherOrder();
    void aThousandLabels();
    void labelsDifferInShape();
    void byNearestHead();
    void byNumber();
};

void TestPointColoring::byHead()
{
    PointIds points;
    points.document = {0, 0, 0, 1};
    points.head = {0, 1, 8, 5};
    const HeadPalette palette(3, 3);
    const PointColoring coloring = colorByHead(points, palette, QStringLiteral("head"));
    QCOMPARE(coloring.index, (std::vector<std::uint16_t>{0, 1, 8, 5}));
    QCOMPARE(coloring.colors.size(), std::size_t{9});
    QCOMPARE(coloring.colors[8], palette.color(HeadIndex(8)).rgb());
    QCOMPARE(coloring.legend.title, QStringLiteral("Head"));
    const auto& legend = std::get<HeadLegend>(coloring.legend.content);
    QCOMPARE(legend.rows.size(), std::size_t{3}); // heads that are not on the map are not in the legend
    QCOMPARE(legend.rows[0].name, QStringLiteral("KV1"));
    QCOMPARE(legend.rows[0].range, QStringLiteral("1\u20132"));
    QCOMPARE(legend.rows[1].range, QStringLiteral("6"));
    QCOMPARE(legend.rows[2].heads, (std::vector<std::int64_t>{8}));
    // Segments belong to no KV group: their rows are ranges of numbers, in the same colours.
    const PointColoring segments = colorByHead(points, palette, QStringLiteral("segment"));
    QCOMPARE(segments.colors, coloring.colors);
    QCOMPARE(segments.legend.title, QStringLiteral("Segment"));
    for (const HeadLegendRow& row : std::get<HeadLegend>(segments.legend.content).rows)
        QVERIFY(row.name.isEmpty() && !row.range.isEmpty());
}

void TestPointColoring::byStrength()
{
    PointIds points;
    points.document = {0, 1, 2, 3};
    points.head = {2, 2, 2, 2};
    const HeadPalette palette(3, 3);
    const std::vector<float> strengths = {1, 5, 3, std::numeric_limits<float>::quiet_NaN()};
    const PointColoring coloring = colorByStrength(points, strengths, palette, QStringLiteral("head"));
    const auto lightness = [&](std::size_t i) { return toOklch(QColor(coloring.colors[coloring.index[i]])).lightness; };
    QCOMPARE(QColor(coloring.colors[coloring.index[1]]), palette.color(HeadIndex(2)));
    QVERIFY(lightness(0) > lightness(2) && lightness(2) > lightness(1));
    QCOMPARE(coloring.index[3], coloring.index[0]);
    const auto& legend = std::get<StrengthLegend>(coloring.legend.content);
    QVERIFY(legend.low >= 1 && legend.high <= 5 && legend.low < legend.high);
}

void TestPointColoring::strengths()
{
    const HeadVectors vectors(Stage::HeadOutput, LayerIndex(0), 2, 2, 2, {3, 4, 0, 0, 6, 8, 1, 0});
    PointIds points;
    points.document = {1, 0, 0};
    points.head = {0, 0, 1};
    QCOMPARE(strengthsOfPoints(points, vectors), (std::vector<float>{10, 5, 0}));
}

void TestPointColoring::byLabel()
{
    PointIds points;
    points.document = {0, 1, 2, 3, 3, 9};
    points.head = {0, 0, 0, 0, 1, 0};
    LabelColumn column;
    column.name = "topic";
    column.codes = {0, -1, 1, 1};
    column.categories = {"rare", "common", "unused"};
    const PointColoring coloring = colorByLabel(points, column, InkTheme::Light);
    QCOMPARE(coloring.index[3], coloring.index[4]);
    QVERIFY(coloring.index[0] != coloring.index[2]);
    QCOMPARE(QColor(coloring.colors[coloring.index[1]]), inks(InkTheme::Light).missing);
    QCOMPARE(coloring.index[5], coloring.index[1]); // a document beyond the column has no label
    const auto& legend = std::get<CategoryLegend>(coloring.legend.content);
    QCOMPARE(legend.entries.size(), std::size_t{3});
    QCOMPARE(legend.entries[0].name, QStringLiteral("rare"));
    QCOMPARE(legend.entries[0].count, 1);
    QCOMPARE(legend.entries[1].count, 2); // documents: one of them has a point of two heads
    // As cards and heatmaps have them: by the place of the label, however often it occurs.
    const CategoryPalette palette(3, InkTheme::Light);
    QCOMPARE(QColor(legend.entries[0].color), palette.color(0));
    QCOMPARE(QColor(legend.entries[1].color), palette.color(1));
    QCOMPARE(legend.unit, QStringLiteral("documents"));
    QCOMPARE(legend.entries[2].code, -1);
    QCOMPARE(coloring.legend.title, QStringLiteral("Topic"));
}

void TestPointColoring::labelsInAnotherOrder()
{
    PointIds points;
    points.document = {0, 1, 2, 3};
    points.head = {0, 0, 0, 0};
    const LabelColumn column{"topic", {0, 1, 1, 2}, {"a", "b", "c"}};
    const PointColoring usual = colorByLabel(points, column, InkTheme::Light);
    const std::vector<std::int32_t> order = {2, 0, 77, 2, -1}; // codes that are not there change nothing
    const PointColoring other = colorByLabel(points, column, InkTheme::Light, order);
    const auto& entries = std::get<CategoryLegend>(other.legend.content).entries;
    QCOMPARE(entries.size(), std::size_t{3});
    QCOMPARE(entries[0].code, 2);
    QCOMPARE(entries[1].code, 0);
    QCOMPARE(entries[2].code, 1);
    // A label keeps its colour, wherever it stands.
    const auto& before = std::get<CategoryLegend>(usual.legend.content).entries;
    QCOMPARE(before[0].code, 0);
    QCOMPARE(entries[0].color, before[2].color);
    QCOMPARE(entries[1].color, before[0].color);
    for (const CategoryLegendEntry& entry : entries)
        QCOMPARE(other.colors[entry.colorIndex], entry.color);
    QCOMPARE(other.colors[other.index[3]], entries[0].color);
}

void TestPointColoring::aThousandLabels()
{
    PointIds points;
    LabelColumn column{"topic", {}, {}};
    for (std::int32_t i = 0; i < 1000; ++i)
    {
        column.categories.push_back("label " + std::to_string(i));
        column.codes.push_back(i);
        points.document.push_back(i);
        points.head.push_back(0);
    }
    const PointColoring coloring = colorByLabel(points, column, InkTheme::Light);
    QCOMPARE(coloring.colors.size(), std::size_t{1001});
    QCOMPARE(coloring.shapes.size(), coloring.colors.size());
    // Colours repeat, but not with the same shape before all shapes had their turn.
    std::set<std::pair<QRgb, MarkerShape>> looks;
    for (std::size_t i = 1; i <= 512; ++i)
        looks.insert({coloring.colors[i], coloring.shapes[i]});
    QCOMPARE(looks.size(), std::size_t{512});
    std::set<std::uint16_t> indices(coloring.index.begin(), coloring.index.end());
    QCOMPARE(indices.size(), std::size_t{1000});
}

/// Twenty-five labels: those that a deuteranope takes for each other have other shapes, in points and legend.
void TestPointColoring::labelsDifferInShape()
{
    PointIds points;
    LabelColumn column{"topic", {}, {}};
    for (std::int32_t i = 0; i < 25; ++i)
    {
        column.categories.push_back("label " + std::to_string(i));
        column.codes.push_back(i);
        points.document.push_back(i);
        points.head.push_back(0);
    }
    const PointColoring coloring = colorByLabel(points, column, InkTheme::Light);
    QCOMPARE(coloring.shapes.size(), coloring.colors.size());
    const auto& entries = std::get<CategoryLegend>(coloring.legend.content).entries;
    for (const CategoryLegendEntry& entry : entries)
        QCOMPARE(entry.shape, coloring.shapes[entry.colorIndex]);
    for (std::size_t a = 0; a < entries.size(); ++a)
        for (std::size_t b = a + 1; b < entries.size(); ++b)
            QVERIFY(entries[a].shape != entries[b].shape ||
                    leastDeltaE(sightsOf(QColor(entries[a].color)), sightsOf(QColor(entries[b].color))) >= 10);
    // Another palette, the same points.
    const PointColoring grey = colorByLabel(points, column, {InkTheme::Light, PaletteKind::Grey});
    QCOMPARE(grey.index, coloring.index);
    for (const QRgb color : grey.colors)
        QVERIFY(std::abs(qRed(color) - qBlue(color)) < 12);
}

void TestPointColoring::byNearestHead()
{
    PointIds points;
    points.document = {0, 0, 1, 1};
    points.head = {0, 5, 0, 5};
    const std::vector<std::int32_t> nearest = {0, 5, 5, -1};
    const HeadPalette palette(2, 4);
    const PointColoring coloring = colorByNearestHead(points, nearest, palette, QStringLiteral("head"));
    QCOMPARE(coloring.colors[coloring.index[0]], palette.color(HeadIndex(0)).rgb());
    QCOMPARE(coloring.colors[coloring.index[2]], palette.color(HeadIndex(5)).rgb());
    QCOMPARE(QColor(coloring.colors[coloring.index[3]]), inks(InkTheme::Light).missing);
    QVERIFY(coloring.legend.hint.startsWith(QStringLiteral("25.0%")));
}

void TestPointColoring::byNumber()
{
    const std::vector<float> values = {0, 1, 0.5F, std::numeric_limits<float>::quiet_NaN()};
    const ColorScale scale(sequentialMap(), {0, 1});
    const PointColoring coloring = colorByNumber(values, scale, QStringLiteral("tokens"), InkTheme::Light);
    QCOMPARE(coloring.colors[coloring.index[0]], scale.map().step(0));
    QCOMPARE(coloring.colors[coloring.index[1]], scale.map().step(255));
    QCOMPARE(coloring.index[3], std::uint16_t{0});
    QVERIFY(std::holds_alternative<NumberLegend>(coloring.legend.content));
}

HEADSCOPE_TEST_GUILESS(TestPointColoring)
#include "tst_point_coloring.moc"
