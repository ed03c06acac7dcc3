// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/block_search.h"
#include "model/analysis/neighbors/neighbors.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace headscope;

class BlockSearchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstSortedDistances_data();
    void againstSortedDistances();
    void inAnyOrderAndRange();
};

void BlockSearchTest::againstSortedDistances_data()
{
    QTest::addColumn<int>("offset");
    QTest::addColumn<bool>("cosine");
    QTest::newRow("euclidean") << 0 << false;
    QTest::newRow("cosine") << 0 << true;
    QTest::newRow("far from the origin") << 10'000 << false; // products cancel: centring must save them
}

void BlockSearchTest::againstSortedDistances()
{
    QFETCH(int, offset);
    QFETCH(bool, cosine);
    MatrixF rows = test::hardCloud(700, 20);
    for (float& value : rows.values())
        value += static_cast<float>(offset);
    const auto scales = cosine ? unitScales(rows.view(), 1) : std::vector<double>();
    JobContext job;
    const SearchPoints points(rows.view(), scales, {}, 2, job);
    BlockSearch search(points, 12);
    std::vector<std::int64_t> queries(50);
    for (std::size_t q = 0; q < queries.size(); ++q)
        queries[q] = static_cast<std::int64_t>(13 * q);
    search.start(queries);
    search.scan(0, 300);
    search.scan(300, 700);
    std::vector<double> squared(700);
    for (std::size_t at = 0; at < queries.size(); ++at)
    {
        const std::int64_t q = queries[at];
        distancesToAll(rows.view(), scales, q, squared);
        std::vector<std::int32_t> order(700);
        std::iota(order.begin(), order.end(), 0);
        std::erase(order, static_cast<std::int32_t>(q));
        std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            const double da = squared[static_cast<std::size_t>(a)];
            const double db = squared[static_cast<std::size_t>(b)];
            return da < db || (da == db && a < b);
        });
        const auto found = search.finish(static_cast<std::int64_t>(at));
        QCOMPARE(found.size(), std::size_t{12});
        for (std::size_t i = 0; i < found.size(); ++i)
        {
            QCOMPARE(found[i].second, order[i]);
            QCOMPARE(found[i].first, squared[static_cast<std::size_t>(order[i])]);
        }
    }
}

void BlockSearchTest::inAnyOrderAndRange()
{
    // Points laid out backwards, and only a part of them searched.
    const MatrixF rows = test::hardCloud(300, 6);
    std::vector<std::int32_t> order(300);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int32_t>(299 - i);
    JobContext job;
    const SearchPoints points(rows.view(), {}, order, 1, job);
    BlockSearch search(points, 4);
    search.start(std::vector<std::int64_t>{0}); // row 299
    search.scan(290, 300);                      // rows 9 .. 0
    const auto found = search.finish(0);
    QCOMPARE(found.size(), std::size_t{4});
    for (const auto& [distance, row] : found)
        QVERIFY(row < 10 && distance > 0);
    search.start(std::vector<std::int64_t>{5});
    search.scan(4, 6); // two points, one of them the query
    QCOMPARE(search.finish(0).size(), std::size_t{1});
}

HEADSCOPE_TEST_GUILESS(BlockSearchTest)
#include "tst_block_search.moc"
