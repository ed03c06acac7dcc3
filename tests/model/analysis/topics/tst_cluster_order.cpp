// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/cluster_order.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

using namespace headscope;

class TestClusterOrder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void smallInputs()
    {
        QVERIFY(clusterOrder(MatrixD()).empty());
        QCOMPARE(clusterOrder(MatrixD(1, 2, {1, 2})), (std::vector<std::int64_t>{0}));
        QCOMPARE(clusterOrder(MatrixD(2, 1, {1, 2})), (std::vector<std::int64_t>{1, 0})); // larger number first
    }

    void aLineIsSorted()
    {
        const MatrixD rows(6, 1, {5, 1, 3, 6, 2, 4});
        const auto order = clusterOrder(rows);
        for (std::size_t i = 0; i + 1 < order.size(); ++i)
            QVERIFY(rows(order[i], 0) > rows(order[i + 1], 0));
    }

    void likeRowsStandTogether()
    {
        const CounterRandom random(4);
        MatrixD rows(90, 5);
        for (std::int64_t row = 0; row < rows.rows(); ++row)
            for (std::int64_t column = 0; column < rows.cols(); ++column)
                rows(row, column) =
                    0.1 * random.normal(static_cast<std::uint64_t>(row * 5 + column)) + (column == row % 3 ? 4.0 : 0.0);
        const auto order = clusterOrder(rows);
        QCOMPARE(std::set<std::int64_t>(order.begin(), order.end()).size(), std::size_t{90});
        int changes = 0;
        for (std::size_t i = 0; i + 1 < order.size(); ++i)
            changes += order[i] % 3 != order[i + 1] % 3 ? 1 : 0;
        QCOMPARE(changes, 2);
        QCOMPARE(clusterOrder(rows), order);
    }

    void treeOfALine()
    {
        const ClusterTree tree = clusterTree(MatrixD(4, 1, {0, 1, 10, 12}));
        QCOMPARE(tree.order, clusterOrder(MatrixD(4, 1, {0, 1, 10, 12})));
        QCOMPARE(tree.joins.size(), std::size_t{3});
        QCOMPARE(tree.joins[0], (ClusterTree::Join{0, 1, 1.0}));
        QCOMPARE(tree.joins[1].height, 2.0);
        QCOMPARE(tree.joins[2], (ClusterTree::Join{4, 5, 10.5})); // mean of 10, 12, 9, 11
        QVERIFY(clusterTree(MatrixD(1, 1, {3})).joins.empty());
    }

    void everyClusterStandsTogether()
    {
        const CounterRandom random(9);
        MatrixD rows(40, 3);
        for (std::int64_t i = 0; i < 120; ++i)
            rows(i / 3, i % 3) = random.normal(static_cast<std::uint64_t>(i));
        const ClusterTree tree = clusterTree(rows);
        std::vector<std::set<std::int64_t>> nodes;
        std::vector<std::int64_t> place(40);
        for (std::size_t i = 0; i < 40; ++i)
        {
            nodes.push_back({static_cast<std::int64_t>(i)});
            place[static_cast<std::size_t>(tree.order[i])] = static_cast<std::int64_t>(i);
        }
        for (const ClusterTree::Join& join : tree.joins)
        {
            std::set<std::int64_t> all = nodes[static_cast<std::size_t>(join.first)];
            all.insert(nodes[static_cast<std::size_t>(join.second)].begin(),
                       nodes[static_cast<std::size_t>(join.second)].end());
            std::set<std::int64_t> places;
            for (const std::int64_t leaf : all)
                places.insert(place[static_cast<std::size_t>(leaf)]);
            QCOMPARE(*places.rbegin() - *places.begin() + 1, static_cast<std::int64_t>(places.size()));
            nodes.push_back(std::move(all));
        }
        QCOMPARE(nodes.back().size(), std::size_t{40});
    }

    /// Ward: the height of a join is the distance of the means, by the sizes of both.
    void heightsOfWard()
    {
        const CounterRandom random(4);
        MatrixD rows(60, 3);
        for (std::int64_t i = 0; i < 180; ++i)
            rows(i / 3, i % 3) = random.normal(static_cast<std::uint64_t>(i)) + (i / 3 < 20 ? 6 : 0);
        const ClusterTree tree = clusterTree(rows, Linkage::Ward);
        struct Node
        {
            double size = 1;
            std::array<double, 3> sum{};
        };
        std::vector<Node> nodes;
        for (std::int64_t row = 0; row < 60; ++row)
            nodes.push_back({1, {rows(row, 0), rows(row, 1), rows(row, 2)}});
        for (const ClusterTree::Join& join : tree.joins)
        {
            const Node a = nodes[static_cast<std::size_t>(join.first)];
            const Node b = nodes[static_cast<std::size_t>(join.second)];
            double squares = 0;
            Node all{a.size + b.size, {}};
            for (std::size_t i = 0; i < 3; ++i)
            {
                const double way = a.sum[i] / a.size - b.sum[i] / b.size;
                squares += way * way;
                all.sum[i] = a.sum[i] + b.sum[i];
            }
            QVERIFY(std::abs(join.height - std::sqrt(2 * a.size * b.size / all.size * squares)) < 1e-9);
            nodes.push_back(all);
        }
        QCOMPARE(nodes.back().size, 60.0);
        // The two clouds are joined last.
        const double halves[] = {nodes[static_cast<std::size_t>(tree.joins.back().first)].size,
                                 nodes[static_cast<std::size_t>(tree.joins.back().second)].size};
        QCOMPARE(std::min(halves[0], halves[1]), 20.0);
    }

    void equalAndBrokenRows()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const auto order = clusterOrder(MatrixD(5, 2, {1, 1, nan, 1, 1, 1, nan, nan, 1, 1}));
        auto sorted = order;
        std::sort(sorted.begin(), sorted.end());
        QCOMPARE(sorted, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
    }
};

HEADSCOPE_TEST_GUILESS(TestClusterOrder)
#include "tst_cluster_order.moc"
