// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/joint_rows.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace headscope;

namespace
{

/// Neighbours of a point: `count` different ones, never itself, in no order.
std::vector<std::int32_t> neighborsOf(std::int64_t point, std::int64_t points, std::int64_t count)
{
    const CounterRandom random(static_cast<std::uint64_t>(point), 3);
    std::vector<std::int32_t> found;
    std::set<std::int64_t> seen = {point};
    for (std::uint64_t at = 0; static_cast<std::int64_t>(found.size()) < count; ++at)
    {
        // Half of them near, half anywhere, and point 0 popular.
        const auto draw = static_cast<std::int64_t>(random.bits(at) % static_cast<std::uint64_t>(points));
        const std::int64_t candidate = at % 2 == 0 ? (point + draw % 20) % points : at % 5 == 1 ? 0 : draw;
        if (seen.insert(candidate).second)
            found.push_back(static_cast<std::int32_t>(candidate));
    }
    return found;
}

double conditional(std::int64_t point, std::int32_t column)
{
    return CounterRandom(17).uniform(static_cast<std::uint64_t>(point * 100'000 + column));
}

/// The joint row of every point.
template <class T>
std::vector<std::vector<JointEdge<T>>> rowsOf(std::int64_t points, std::int64_t count, int threads)
{
    JointRows<T> rows(points, count);
    for (std::int64_t point = 0; point < points; ++point)
    {
        std::vector<JointEdge<T>> edges;
        for (const std::int32_t neighbor : neighborsOf(point, points, count))
            edges.push_back({neighbor, static_cast<T>(conditional(point, neighbor))});
        rows.setRow(point, edges);
    }
    std::vector<std::vector<JointEdge<T>>> joint(static_cast<std::size_t>(points));
    JobContext job;
    const auto take = [&](const Block& block, int, const typename JointRows<T>::RowOf& rowOf) {
        if (block.begin != block.index * JointRows<T>::kVisited || block.end > block.begin + JointRows<T>::kVisited)
            qFatal("blocks begin at multiples of their size");
        for (std::int64_t point = block.begin; point < block.end; ++point)
        {
            auto& own = joint[static_cast<std::size_t>(point)];
            if (!own.empty())
                qFatal("a point was visited twice");
            rowOf(point, own);
        }
    };
    if (!rows.visit(take, threads, job))
        qFatal("the rows were not visited");
    return joint;
}

} // namespace

class JointRowsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstPlainSums_data();
    void againstPlainSums();
    void sameOnAnyNumberOfThreads();
    void cancelled();
};

void JointRowsTest::againstPlainSums_data()
{
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("count");
    QTest::newRow("two points") << 2 << 1;
    QTest::newRow("everybody") << 30 << 29;
    QTest::newRow("several blocks and buckets") << 3500 << 13;
    QTest::newRow("several groups of buckets") << 60'000 << 3;
}

void JointRowsTest::againstPlainSums()
{
    QFETCH(int, points);
    QFETCH(int, count);
    const auto rows = rowsOf<double>(points, count, 2);
    std::vector<std::map<std::int32_t, double>> expected(static_cast<std::size_t>(points));
    for (std::int32_t i = 0; i < points; ++i)
    {
        for (const std::int32_t j : neighborsOf(i, points, count))
        {
            const double p = conditional(i, j) / (2.0 * points);
            expected[static_cast<std::size_t>(i)][j] += p;
            expected[static_cast<std::size_t>(j)][i] += p;
        }
    }
    for (std::int32_t i = 0; i < points; ++i)
    {
        const auto& row = rows[static_cast<std::size_t>(i)];
        const auto& own = expected[static_cast<std::size_t>(i)];
        QCOMPARE(row.size(), own.size());
        auto at = own.begin();
        for (const auto& [column, value] : row)
        {
            QCOMPARE(column, at->first);
            QVERIFY(std::abs(value - at->second) <= 1e-15);
            ++at;
        }
    }
}

void JointRowsTest::sameOnAnyNumberOfThreads()
{
    constexpr std::int64_t kPoints = 5000;
    const auto one = rowsOf<float>(kPoints, 9, 1);
    for (const int threads : {2, 3, 8})
    {
        const auto more = rowsOf<float>(kPoints, 9, threads);
        for (std::size_t i = 0; i < kPoints; ++i)
        {
            const auto& a = one[i];
            const auto& b = more[i];
            QVERIFY(std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& p, const auto& q) {
                return p.column == q.column && p.value == q.value;
            }));
        }
    }
}

void JointRowsTest::cancelled()
{
    std::stop_source stop;
    JobContext job(stop.get_token());
    JointRows<float> rows(3000, 2);
    for (std::int32_t point = 0; point < 3000; ++point)
    {
        std::vector<JointEdge<float>> edges = {{(point + 1) % 3000, 0.5F}, {(point + 2) % 3000, 0.5F}};
        rows.setRow(point, edges);
    }
    int visited = 0;
    const auto take = [&](const Block&, int, const JointRows<float>::RowOf&) {
        ++visited;
        stop.request_stop();
    };
    HEADSCOPE_VERIFY_ERROR(rows.visit(take, 1, job), ErrorCode::Cancelled, "");
    QCOMPARE(visited, 1); // the block that was begun, and no other
}

HEADSCOPE_TEST_GUILESS(JointRowsTest)
#include "tst_joint_rows.moc"
