// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/geometry/spatial_grid.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> randomPoints(int count, std::uint64_t seed)
{
    const CounterRandom random(seed);
    std::vector<float> xy;
    for (int i = 0; i < 2 * count; ++i)
        xy.push_back(static_cast<float>(10 * random.normal(static_cast<std::uint64_t>(i))));
    for (std::size_t i = 0; i < xy.size(); i += 97)
        xy[i] = kNan;
    return xy;
}

QPointF point(const std::vector<float>& xy, std::int64_t i)
{
    return {static_cast<double>(xy[static_cast<std::size_t>(2 * i)]),
            static_cast<double>(xy[static_cast<std::size_t>(2 * i + 1)])};
}

template <class Accept>
std::vector<std::int64_t> bruteForce(const std::vector<float>& xy, Accept accept)
{
    std::vector<std::int64_t> found;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(xy.size() / 2); ++i)
        if (std::isfinite(point(xy, i).x()) && std::isfinite(point(xy, i).y()) && accept(point(xy, i)))
            found.push_back(i);
    return found;
}

} // namespace

class TestSpatialGrid : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nearestAsBruteForce();
    void nearestAccepts();
    void regionsAsBruteForce();
    void polygonWithHole();
    void degenerate();
};

void TestSpatialGrid::nearestAsBruteForce()
{
    const std::vector<float> xy = randomPoints(3000, 1);
    const SpatialGrid grid(xy);
    const CounterRandom random(2);
    for (std::uint64_t trial = 0; trial < 300; ++trial)
    {
        const QPointF place(15 * random.normal(2 * trial), 15 * random.normal(2 * trial + 1));
        const double radius = trial % 3 == 0 ? 0.4 : 5;
        std::optional<std::int64_t> best;
        double bestSquared = radius * radius;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(xy.size() / 2); ++i)
        {
            const QPointF away = point(xy, i) - place;
            const double squared = QPointF::dotProduct(away, away);
            if (squared < bestSquared || (!best && squared == bestSquared))
            {
                best = i;
                bestSquared = squared;
            }
        }
        QVERIFY(grid.nearest(place, radius) == best);
    }
}

void TestSpatialGrid::nearestAccepts()
{
    const std::vector<float> xy = {0, 0, 1, 0, 1, 0, 5, 0};
    const SpatialGrid grid(xy);
    QCOMPARE(*grid.nearest({0.9, 0}, 3), 1); // the lower of two equal ones
    QCOMPARE(*grid.nearest({0.9, 0}, 3, [](std::int64_t i) { return i != 1; }), 2);
    QCOMPARE(*grid.nearest({0.9, 0}, 3, [](std::int64_t i) { return i == 0; }), 0);
    QVERIFY(!grid.nearest({0.9, 0}, 3, [](std::int64_t) { return false; }).has_value());
    QVERIFY(!grid.nearest({100, 100}, 3).has_value());
    QVERIFY(!grid.nearest({0, 0}, -1).has_value());
}

void TestSpatialGrid::regionsAsBruteForce()
{
    const std::vector<float> xy = randomPoints(3000, 3);
    const SpatialGrid grid(xy);
    const CounterRandom random(4);
    for (std::uint64_t trial = 0; trial < 60; ++trial)
    {
        const QPointF a(12 * random.normal(4 * trial), 12 * random.normal(4 * trial + 1));
        const QPointF b(12 * random.normal(4 * trial + 2), 12 * random.normal(4 * trial + 3));
        const QRectF box = QRectF(a, b).normalized();
        const auto inBox = [&](QPointF p) {
            return p.x() >= box.left() && p.x() <= box.right() && p.y() >= box.top() && p.y() <= box.bottom();
        };
        QVERIFY(grid.inRectangle(QRectF(a, b)) == bruteForce(xy, inBox));
        QVERIFY(grid.inCircle(a, 4) ==
                bruteForce(xy, [&](QPointF p) { return QPointF::dotProduct(p - a, p - a) <= 16; }));
        QPolygonF star; // crosses itself
        for (int i = 0; i < 5; ++i)
            star << a + 9 * QPointF(std::cos(i * 4 * M_PI / 5), std::sin(i * 4 * M_PI / 5));
        QVERIFY(grid.inPolygon(star) ==
                bruteForce(xy, [&](QPointF p) { return star.containsPoint(p, Qt::OddEvenFill); }));
    }
}

void TestSpatialGrid::polygonWithHole()
{
    const std::vector<float> xy = {1, 1, 5, 5, 9, 9, 20, 5};
    const SpatialGrid grid(xy);
    const QPolygonF ring({{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}, {4, 4}, {6, 4}, {6, 6}, {4, 6}, {4, 4}});
    QCOMPARE(grid.inPolygon(ring), (std::vector<std::int64_t>{0, 2}));
    QVERIFY(grid.inPolygon(QPolygonF({{0, 0}, {9, 9}})).empty());
}

void TestSpatialGrid::degenerate()
{
    QVERIFY(!SpatialGrid().nearest({0, 0}, 1).has_value());
    QVERIFY(SpatialGrid().inRectangle({0, 0, 1, 1}).empty());
    const std::vector<float> bad = {kNan, 1, 2, kNan};
    QCOMPARE(SpatialGrid(bad).count(), 0);
    const std::vector<float> same = {2, 3, 2, 3, 2, 3};
    const SpatialGrid grid(same);
    QCOMPARE(*grid.nearest({2.1, 3}, 1), 0);
    QCOMPARE(grid.inRectangle({0, 0, 10, 10}).size(), std::size_t{3});
    QCOMPARE(grid.inPolygon(QPolygonF({{0, 0}, {9, 0}, {9, 9}, {0, 9}})).size(), std::size_t{3});
    const std::vector<float> line = {0, 5, 1, 5, 2, 5};
    QCOMPARE(SpatialGrid(line).inRectangle({0.5, 0, 9, 9}), (std::vector<std::int64_t>{1, 2}));
    QCOMPARE(SpatialGrid(line).inRectangle({-1e300, -1e300, 2e300, 2e300}).size(), std::size_t{3});
}

HEADSCOPE_TEST_GUILESS(TestSpatialGrid)
#include "tst_spatial_grid.moc"
