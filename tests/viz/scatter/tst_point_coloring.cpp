// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/point_coloring.h"

#include "tests/viz/sample_values.h"

#include "viz/color/oklab.h"

#include <QtTest>

#include <limits>
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
    void byNumber();
};

void TestPointColoring::byHead()
{
    PointIds points;
    points.document = {0, 0, 0, 1};
    points.head = {0, 1, 8, 5};
    const HeadPalette palette(3, 3);
    const PointColoring coloring = colorByHead(points, palette, QStringLiteral("segment"));
    QCOMPARE(coloring.index, (std::vector<std::uint16_t>{0, 1, 8, 5}));
    QCOMPARE(coloring.colors.size(), std::size_t{9});
    QCOMPARE(coloring.colors[8], palette.color(HeadIndex(8)).rgb());
    QCOMPARE(coloring.legend.title, QStringLiteral("Segment"));
    const auto& legend = std::get<HeadLegend>(coloring.legend.content);
    QCOMPARE(legend.rows.size(), std::size_t{3}); // heads that are not on the map are not in the legend
    QCOMPARE(legend.rows[0].name, QStringLiteral("KV1"));
    QCOMPARE(legend.rows[0].range, QStringLiteral("1\u20132"));
    QCOMPARE(legend.rows[1].range, QStringLiteral("6"));
    QCOMPARE(legend.rows[2].heads, (std::vector<std::int64_t>{8}));
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
    const PointColoring coloring = colorByLabel(points, column, Theme::Light);
    QCOMPARE(coloring.index[3], coloring.index[4]);
    QVERIFY(coloring.index[0] != coloring.index[2]);
    QCOMPARE(QColor(coloring.colors[coloring.index[1]]), inks(Theme::Light).missing);
    QCOMPARE(coloring.index[5], coloring.index[1]); // a document beyond the column has no label
    const auto& legend = std::get<CategoryLegend>(coloring.legend.content);
    QCOMPARE(legend.entries.size(), std::size_t{3});
    QCOMPARE(legend.entries[0].name, QStringLiteral("common"));
    QCOMPARE(legend.entries[0].count, 3);
    QCOMPARE(legend.entries[2].code, -1);
    QCOMPARE(coloring.legend.title, QStringLiteral("Topic"));
}

void TestPointColoring::byNumber()
{
    const std::vector<float> values = {0, 1, 0.5F, std::numeric_limits<float>::quiet_NaN()};
    const ColorScale scale(sequentialMap(), {0, 1});
    const PointColoring coloring = colorByNumber(values, scale, QStringLiteral("tokens"), Theme::Light);
    QCOMPARE(coloring.colors[coloring.index[0]], scale.map().step(0));
    QCOMPARE(coloring.colors[coloring.index[1]], scale.map().step(255));
    QCOMPARE(coloring.index[3], std::uint16_t{0});
    QVERIFY(std::holds_alternative<NumberLegend>(coloring.legend.content));
}

QTEST_GUILESS_MAIN(TestPointColoring)
#include "tst_point_coloring.moc"
