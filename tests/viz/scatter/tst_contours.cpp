// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/scatter/contours.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <stop_token>
#include <utility>
#include <vector>

using namespace headscope::viz;

namespace
{

ScalarField field(std::int64_t columns, std::int64_t rows, double (*value)(double x, double y))
{
    ScalarField made{columns, rows, 2.0, {}};
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            made.values.push_back(static_cast<float>(value(static_cast<double>(column), static_cast<double>(row))));
    return made;
}

} // namespace

class TestContours : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHillHasACircle();
    void linesAreClosed_data();
    void linesAreClosed();
    void openWaysAreJoinedFromTheirMiddle();
    void levelHoldsItsShare();
    void densityKeepsColoursApart();
    void fewPointsHaveNoOutline();
};

void TestContours::aHillHasACircle()
{
    // The cone 10 - r around (20, 15) is 4 on a circle of radius 6; cells are 2 pixels wide.
    const ScalarField cone = field(41, 31, [](double x, double y) { return 10 - std::hypot(x - 20, y - 15); });
    const QList<QLineF> lines = contourLines(cone, 4);
    QVERIFY(lines.size() > 30);
    double length = 0;
    for (const QLineF& line : lines)
    {
        for (const QPointF& end : {line.p1(), line.p2()})
            QVERIFY(std::abs(std::hypot(end.x() / 2 - 20.5, end.y() / 2 - 15.5) - 6) < 0.1);
        length += line.length();
    }
    QVERIFY(std::abs(length / (2 * 2 * 6 * 3.14159265) - 1) < 0.02);
    QVERIFY(contourLines(cone, 11).isEmpty());
}

void TestContours::linesAreClosed_data()
{
    QTest::addColumn<double>("level");
    for (const double level : {-0.7, -0.2, 0.05, 0.3, 0.9})
        QTest::newRow(qPrintable(QString::number(level))) << level;
}

/// Every end of a piece is the end of exactly one other, also at saddles and at the rim.
void TestContours::linesAreClosed()
{
    QFETCH(double, level);
    const ScalarField waves =
        field(37, 29, [](double x, double y) { return std::sin(1.1 * x) * std::cos(1.3 * y) + 0.01 * x; });
    const QList<QLineF> lines = contourLines(waves, static_cast<float>(level));
    QVERIFY(!lines.isEmpty());
    std::map<std::pair<double, double>, int> ends;
    for (const QLineF& line : lines)
        for (const QPointF& end : {line.p1(), line.p2()})
            ++ends[{end.x(), end.y()}];
    for (const auto& [place, count] : ends)
        QCOMPARE(count % 2, 0);
    qsizetype walked = 0;
    for (const QPolygonF& way : joined(lines))
    {
        QVERIFY(way.isClosed());
        walked += way.size() - 1;
    }
    QCOMPARE(walked, lines.size());
}

void TestContours::openWaysAreJoinedFromTheirMiddle()
{
    const QPointF a(0, 0), b(1, 0), c(2, 1), d(5, 5);
    const auto ways = joined({{b, c}, {a, b}, {d, c}});
    QCOMPARE(ways.size(), 1);
    QCOMPARE(ways[0].size(), 4);
    QVERIFY((ways[0].front() == a && ways[0].back() == d) || (ways[0].front() == d && ways[0].back() == a));
    QVERIFY(joined({}).isEmpty());
}

void TestContours::levelHoldsItsShare()
{
    const ScalarField steps{4, 1, 1, {1, 5, 3, 1}};
    QCOMPARE(levelHolding(steps, 0.5), 5.0F);
    QCOMPARE(levelHolding(steps, 0.7), 3.0F);
    QCOMPARE(levelHolding(steps, 1.0), 1.0F);
}

void TestContours::densityKeepsColoursApart()
{
    std::vector<float> xy;
    std::vector<std::uint16_t> index;
    for (int i = 0; i < 60; ++i)
    {
        const bool second = i % 2 == 1;
        xy.insert(xy.end(), {second ? 4.0F : -4.0F, 0.0F});
        index.push_back(second ? 1 : 0);
    }
    const std::vector<QRgb> colors = {0xff2060c0, 0xffc04020};
    ScatterData data;
    data.xy = xy;
    data.index = index;
    data.colors = colors;
    const ViewTransform view({0, 0}, 10, {160, 120});
    const auto fields = densityByColor(data, view, 2, 2);
    QCOMPARE(fields.size(), 2u);
    for (std::size_t color = 0; color < 2; ++color)
    {
        const auto& values = fields[color].values;
        const auto peak = std::ranges::max_element(values) - values.begin();
        const double x = (static_cast<double>(peak % fields[color].columns) + 0.5) * 2;
        QVERIFY(std::abs(x - (color == 0 ? 40 : 120)) <= 2);
    }
    const auto again = densityByColor(data, view, 2, 1);
    QCOMPARE(again[1].values, fields[1].values);
    // A job that is stopped looks at no point.
    std::stop_source stopped;
    stopped.request_stop();
    for (const ScalarField& field : densityByColor(data, view, 2, 2, headscope::JobContext(stopped.get_token())))
        QVERIFY(std::ranges::all_of(field.values, [](float value) { return value == 0; }));
}

void TestContours::fewPointsHaveNoOutline()
{
    const std::vector<float> xy = {0, 0, 1, 1};
    ScatterData data;
    data.xy = xy;
    QVERIFY(densityByColor(data, ViewTransform({0, 0}, 10, {160, 120}), 2, 1)[0].values.empty());
}

HEADSCOPE_TEST_GUILESS(TestContours)
#include "tst_contours.moc"
