// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"
#include "model/kernels/edge_forces.h"
#include "model/kernels/half.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;

class EdgeForcesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstPlainLoops_data();
    void againstPlainLoops();
};

void EdgeForcesTest::againstPlainLoops_data()
{
    QTest::addColumn<bool>("half");
    QTest::addColumn<double>("degrees");
    QTest::newRow("float32") << false << 1.0;
    QTest::newRow("float16") << true << 1.0;
    QTest::newRow("float32, heavy tails") << false << 0.5;
    QTest::newRow("float16, light tails") << true << 4.0;
}

void EdgeForcesTest::againstPlainLoops()
{
    QFETCH(bool, half);
    QFETCH(double, degrees);
    constexpr std::int64_t kPoints = 300;
    constexpr std::int64_t kFirst = 120;
    const CounterRandom random(7);
    std::vector<float> xy;
    for (std::size_t i = 0; i < 2 * kPoints; ++i)
        xy.push_back(static_cast<float>(3 * random.normal(i)));
    std::vector<std::int32_t> start = {0};
    std::vector<std::int32_t> columns;
    std::vector<float> values;
    const std::vector<int> lengths = {0, 1, 15, 16, 17, 90, 133};
    for (std::size_t row = 0; row < lengths.size(); ++row)
    {
        for (int e = 0; e < lengths[row]; ++e)
        {
            const std::size_t at = columns.size();
            columns.push_back(static_cast<std::int32_t>(random.bits(1000 + at) % kPoints));
            values.push_back(floatFromHalf(halfFromFloat(static_cast<float>(random.uniform(5000 + at)))));
        }
        while (columns.size() % static_cast<std::size_t>(kEdgePadding) != 0)
        {
            columns.push_back(0);
            values.push_back(0);
        }
        start.push_back(static_cast<std::int32_t>(columns.size()));
    }
    std::vector<std::uint16_t> halves(values.size());
    halfFromFloats(values, halves);
    const auto rows = static_cast<std::int64_t>(lengths.size());
    const EdgeRows edges{start.data(), columns.data(), half ? nullptr : values.data(), halves.data(), 0.25F};
    const auto inverse = static_cast<float>(1 / degrees);
    std::vector<float> found(2 * lengths.size());
    std::vector<float> bare(2 * lengths.size());
    double logSum = 2;
    edgeForces(xy.data(), kFirst, rows, edges, inverse, found.data(), &logSum);
    edgeForces(xy.data(), kFirst, rows, edges, inverse, bare.data(), nullptr);
    QVERIFY(found == bare);
    double expectedLogs = 2;
    for (std::size_t row = 0; row < lengths.size(); ++row)
    {
        double pull[2] = {0, 0};
        const std::size_t self = 2 * (kFirst + row);
        for (auto e = static_cast<std::size_t>(start[row]); e < static_cast<std::size_t>(start[row + 1]); ++e)
        {
            const std::size_t other = 2 * static_cast<std::size_t>(columns[e]);
            const double dx = static_cast<double>(xy[self]) - static_cast<double>(xy[other]);
            const double dy = static_cast<double>(xy[self + 1]) - static_cast<double>(xy[other + 1]);
            const double q = 1 + (dx * dx + dy * dy) / degrees;
            const double p = 0.25 * static_cast<double>(values[e]);
            pull[0] += p / q * dx;
            pull[1] += p / q * dy;
            expectedLogs += p * std::log(q);
        }
        QVERIFY(std::abs(static_cast<double>(found[2 * row]) - pull[0]) < 2e-5);
        QVERIFY(std::abs(static_cast<double>(found[2 * row + 1]) - pull[1]) < 2e-5);
    }
    QVERIFY(std::abs(logSum - expectedLogs) < 1e-4);
}

HEADSCOPE_TEST_GUILESS(EdgeForcesTest)
#include "tst_edge_forces.moc"
