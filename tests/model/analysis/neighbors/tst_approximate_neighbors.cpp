// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/approximate_neighbors.h"
#include "model/analysis/neighbors/neighbors.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <vector>

using namespace headscope;

class ApproximateNeighborsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cellsPartTheRows();
    void fewerPointsThanCells();
    void allEqual();
};

void ApproximateNeighborsTest::cellsPartTheRows()
{
    const auto clouds = test::headLikeClouds(2000, 16, 8);
    JobContext job;
    const auto cells = makeCells(clouds.vectors.view(), {}, 24, 1, 2, job);
    HEADSCOPE_VERIFY_OK(cells);
    QCOMPARE(cells->centres.rows(), 24);
    QCOMPARE(cells->start.front(), 0);
    QCOMPARE(cells->start.back(), 2000);
    QVERIFY(std::is_sorted(cells->start.begin(), cells->start.end()));
    const std::set<std::int32_t> rows(cells->order.begin(), cells->order.end());
    QCOMPARE(rows.size(), std::size_t{2000});
    const auto again = makeCells(clouds.vectors.view(), {}, 24, 1, 3, job);
    QVERIFY(again->order == cells->order);
    QVERIFY(makeCells(clouds.vectors.view(), {}, 24, 2, 2, job)->order != cells->order);
}

void ApproximateNeighborsTest::fewerPointsThanCells()
{
    const MatrixF rows = test::hardCloud(5, 3);
    JobContext job;
    const auto cells = makeCells(rows.view(), {}, 100, 1, 1, job);
    HEADSCOPE_VERIFY_OK(cells);
    QCOMPARE(cells->centres.rows(), 5);
    NeighborOptions options;
    options.k = 3;
    options.method = NeighborMethod::Approximate;
    const auto found = findNeighbors(rows.view(), options, 2, job);
    HEADSCOPE_VERIFY_OK(found);
    QCOMPARE(found->recall, 1.0);
    QCOMPARE(found->k(), 3);
}

void ApproximateNeighborsTest::allEqual()
{
    const MatrixF rows(400, 4, std::vector<float>(1600, 1.5F));
    NeighborOptions options;
    options.k = 6;
    options.method = NeighborMethod::Approximate;
    JobContext job;
    const auto found = findNeighbors(rows.view(), options, 2, job);
    HEADSCOPE_VERIFY_OK(found);
    for (const double squared : found->squared.values())
        QCOMPARE(squared, 0.0);
}

HEADSCOPE_TEST_GUILESS(ApproximateNeighborsTest)
#include "tst_approximate_neighbors.moc"
