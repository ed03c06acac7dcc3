// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/neighbors/pair_search.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <vector>

using namespace headscope;

namespace
{

/// The k nearest of one row among the rows that `among` allows, by sorted distances.
template <class Among>
std::vector<std::int32_t> nearestAmong(const MatrixF& rows, std::int64_t row, std::size_t k, const Among& among)
{
    std::vector<double> squared(static_cast<std::size_t>(rows.rows()));
    distancesToAll(rows.view(), {}, row, squared);
    std::vector<std::int32_t> order;
    for (std::int32_t j = 0; j < rows.rows(); ++j)
    {
        if (j != row && among(j))
            order.push_back(j);
    }
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const double da = squared[static_cast<std::size_t>(a)];
        const double db = squared[static_cast<std::size_t>(b)];
        return da < db || (da == db && a < b);
    });
    order.resize(k);
    return order;
}

/// What the search finds, by row.
std::vector<std::vector<std::int32_t>> found(const SearchPoints& points, std::span<const std::int64_t> starts,
                                             std::vector<BlockPair> pairs, std::int64_t k, PointOrder order,
                                             int threads)
{
    std::vector<std::vector<std::int32_t>> nearest(static_cast<std::size_t>(points.count()));
    JobContext job;
    const auto keep = [&](std::int64_t position, std::span<const RankedNeighbor> ranked) {
        for (const RankedNeighbor& neighbor : ranked)
            nearest[static_cast<std::size_t>(points.row(position))].push_back(neighbor.second);
    };
    if (!searchPairs(points, starts, std::move(pairs), k, order, threads, job, keep))
        qFatal("the pairs were not searched");
    return nearest;
}

} // namespace

class PairSearchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void blocksCoverThePoints();
    void productsAreCounted();
    void unevenBlocks_data();
    void unevenBlocks();
    void someOfThePairs();
    void guessedLimits_data();
    void guessedLimits();
};

void PairSearchTest::blocksCoverThePoints()
{
    for (const std::int64_t points : {1, 255, 256, 257, 9000, 100'000, 1'000'000})
    {
        const auto starts = evenBlocks(points);
        QCOMPARE(starts.front(), 0);
        QCOMPARE(starts.back(), points);
        for (std::size_t b = 1; b < starts.size(); ++b)
            QVERIFY(starts[b] > starts[b - 1] && starts[b] - starts[b - 1] <= 2048);
    }
}

void PairSearchTest::productsAreCounted()
{
    const auto starts = evenBlocks(100'000);
    const double products = pairProducts(starts, allPairs(std::ssize(starts) - 1), 128);
    const double full = 1e10 * 128;
    QVERIFY(products > 0.5 * full && products < 0.51 * full);
}

void PairSearchTest::unevenBlocks_data()
{
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 3, 8})
        QTest::addRow("%d threads", threads) << threads;
}

void PairSearchTest::unevenBlocks()
{
    QFETCH(int, threads);
    MatrixF rows = test::hardCloud(1500, 12);
    for (std::int64_t i = 600; i < 640; ++i) // equal rows, more than k, in several blocks
        std::copy_n(rows.row(i - 590).begin(), 12, rows.row(i % 2 == 0 ? 1499 - i : i).begin());
    JobContext job;
    const SearchPoints points(rows.view(), {}, {}, threads, job);
    const std::vector<std::int64_t> starts = {0, 3, 300, 301, 1400, 1500};
    const auto nearest = found(points, starts, allPairs(5), 9, PointOrder::Grouped, threads);
    for (std::int64_t i = 0; i < rows.rows(); i += 11)
    {
        const auto expected = nearestAmong(rows, i, 9, [](std::int32_t) { return true; });
        QCOMPARE(nearest[static_cast<std::size_t>(i)], expected);
    }
}

void PairSearchTest::someOfThePairs()
{
    const MatrixF rows = test::hardCloud(900, 8);
    JobContext job;
    const SearchPoints points(rows.view(), {}, {}, 2, job);
    const std::vector<std::int64_t> starts = {0, 300, 600, 900};
    const auto nearest = found(points, starts, {{2, 2}, {0, 1}, {1, 1}, {0, 0}}, 5, PointOrder::Grouped, 2);
    for (const std::int64_t i : {0, 299, 300, 599})
        QCOMPARE(nearest[static_cast<std::size_t>(i)],
                 nearestAmong(rows, i, 5, [](std::int32_t j) { return j < 600; }));
    QCOMPARE(nearest[700], nearestAmong(rows, 700, 5, [](std::int32_t j) { return j >= 600; }));
}

void PairSearchTest::guessedLimits_data()
{
    QTest::addColumn<bool>("misleading");
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 3})
    {
        QTest::addRow("samples, %d threads", threads) << false << threads;
        QTest::addRow("no samples, %d threads", threads) << true << threads;
    }
}

/// Limits are guessed from a block. Where it is no sample of all points, they are too low, and the result is the same.
void PairSearchTest::guessedLimits()
{
    QFETCH(const bool, misleading);
    QFETCH(const int, threads);
    constexpr std::int64_t kPoints = 3000;
    MatrixF rows = test::hardCloud(kPoints, 6);
    for (std::int64_t i = 0; misleading && i < kPoints;
         ++i) // 30 near ones in the own block, the others of 60 elsewhere
        std::ranges::transform(rows.row(i), rows.row(i).begin(),
                               [&](float number) { return 1e-3F * number + static_cast<float>(i % 1500 / 30); });
    JobContext job;
    const SearchPoints points(rows.view(), {}, {}, threads, job);
    const std::vector<std::int64_t> starts = evenBlocks(kPoints);
    const auto nearest = found(points, starts, allPairs(std::ssize(starts) - 1), 40, PointOrder::Shuffled, threads);
    for (std::int64_t i = 0; i < kPoints; i += 7)
        QCOMPARE(nearest[static_cast<std::size_t>(i)], nearestAmong(rows, i, 40, [](std::int32_t) { return true; }));
}

HEADSCOPE_TEST_GUILESS(PairSearchTest)
#include "tst_pair_search.moc"
