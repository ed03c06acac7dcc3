// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/line_pool.h"

#include "tests/support/attention_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace headscope;
using namespace headscope::viz;

namespace
{

LinePool poolOf(const AttentionRun& run, std::initializer_list<std::int64_t> heads, bool withoutFirst)
{
    std::vector<LineSource> sources;
    for (const std::int64_t head : heads)
        for (const HeadWeights& each : run.weights)
            if (each.layer == LayerIndex(0) && each.head == HeadIndex(head))
                sources.push_back({ShownWeights(each.rows, run.causal, withoutFirst), QColor(Qt::red)});
    return LinePool(std::move(sources));
}

} // namespace

class TestLinePool : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutTheFirstEachRowIsWhole()
    {
        const auto run = test::makeAttentionRun();
        const ShownWeights shown(run->weights[0].rows, true, true);
        for (std::int64_t row = 1; row < 17; ++row)
        {
            double sum = 0;
            for (std::int64_t column = 0; column < 17; ++column)
                sum += static_cast<double>(shown(row, column));
            QVERIFY(std::abs(sum - 1) < 1e-4);
            QCOMPARE(shown(row, 0), 0.0F);
            QCOMPARE(shown.raw(row, 0), run->weights[0].rows->row(row)[0]);
        }
        for (std::int64_t column = 0; column < 17; ++column)
            QCOMPARE(shown(0, column), 0.0F); // the first token has nothing but itself
    }

    void everyWeightThatCountsIsALine()
    {
        const auto run = test::makeAttentionRun();
        const LinePool pool = poolOf(*run, {2}, false);
        std::int64_t expected = 0;
        const MatrixF& rows = *run->weightsOf(LayerIndex(0), HeadIndex(2));
        for (const float weight : rows.values())
            expected += weight >= LinePool::kMinWeight ? 1 : 0;
        QCOMPARE(pool.count(), expected);
        const LineChoice all = pool.strongest({0, 17}, 10'000);
        QCOMPARE(all.seen, expected);
        QCOMPARE(all.left, 0);
        QVERIFY(std::is_sorted(all.lines.begin(), all.lines.end(),
                               [](const TokenLine& one, const TokenLine& other) { return one.weight < other.weight; }));
    }

    void theStrongestAreKept()
    {
        const auto run = test::makeAttentionRun();
        const LinePool pool = poolOf(*run, {3, 4}, true);
        const LineChoice all = pool.strongest({0, 17}, 10'000);
        const LineChoice some = pool.strongest({0, 17}, 20);
        QCOMPARE(std::ssize(some.lines), 20);
        QCOMPARE(some.left, all.seen - 20);
        const auto key = [](const TokenLine& line) { return std::tuple(line.reading, line.read, line.source); };
        std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t>> best;
        for (auto line = all.lines.end() - 20; line != all.lines.end(); ++line)
            best.insert(key(*line));
        for (const TokenLine& line : some.lines)
            QVERIFY(best.contains(key(line)));
    }

    /// Of a long text only lines that begin or end in the part in view are asked for.
    void linesThatEndInTheViewAreSeen()
    {
        const auto run = test::makeAttentionRun({.tokens = 60, .layers = 1});
        const LinePool pool = poolOf(*run, {3}, false);
        const LineChoice part = pool.strongest({20, 30}, 10'000);
        std::int64_t expected = 0;
        for (const TokenLine& line : pool.strongest({0, 60}, 10'000).lines)
            expected += (line.reading >= 20 && line.reading < 30) || (line.read >= 20 && line.read < 30) ? 1 : 0;
        QCOMPARE(part.seen, expected);
        QVERIFY(part.seen < pool.count());
    }

    void fromAndToATokenAreComplete()
    {
        const auto run = test::makeAttentionRun();
        const LinePool pool = poolOf(*run, {5}, false);
        std::int64_t from = 0;
        std::int64_t to = 0;
        for (std::int64_t token = 0; token < 17; ++token)
        {
            for (const TokenLine& line : pool.from(token))
                QCOMPARE(std::int64_t(line.reading), token);
            for (const TokenLine& line : pool.to(token))
                QCOMPARE(std::int64_t(line.read), token);
            from += std::ssize(pool.from(token));
            to += std::ssize(pool.to(token));
        }
        QCOMPARE(from, pool.count());
        QCOMPARE(to, pool.count());
        QVERIFY(pool.from(17).empty());
        QVERIFY(pool.from(-1).empty());
    }

    void nothingToDrawIsNoTrouble()
    {
        const LinePool pool;
        QCOMPARE(pool.count(), 0);
        QCOMPARE(pool.strongest({0, 10}, 5).seen, 0);
        QVERIFY(pool.from(0).empty());
        QVERIFY(pool.to(0).empty());
    }
};

HEADSCOPE_TEST(TestLinePool)
#include "tst_line_pool.moc"
