// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/split_scores.h"

#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

using namespace headscope;

namespace
{

/// Shares of right answers of `splits` splits of documents that are right or wrong on their own.
struct DrawnSplits
{
    DrawnSplits(const Draws& draws, std::uint64_t at, std::int64_t splits)
    {
        constexpr std::int64_t kDocuments = 100;
        std::vector<std::int32_t> right(kDocuments);
        for (std::int64_t n = 0; n < kDocuments; ++n)
            right[static_cast<std::size_t>(n)] = draws.below(at + static_cast<std::uint64_t>(n), 10) < 7 ? 1 : 0;
        std::vector<std::int32_t> places(kDocuments);
        std::iota(places.begin(), places.end(), 0);
        std::vector<bool> seen(kDocuments);
        for (std::int64_t split = 0; split < splits; ++split)
        {
            const auto order = permutedLabels(places, Draws(at + 77), split);
            double hits = 0;
            for (std::size_t i = 0; i < 20; ++i)
            {
                hits += right[static_cast<std::size_t>(order[i])];
                seen[static_cast<std::size_t>(order[i])] = true;
            }
            shares.push_back(hits / 20);
        }
        tested = std::count(seen.begin(), seen.end(), true);
    }

    std::vector<double> shares;
    std::int64_t tested = 0;
};

} // namespace

class TestSplitScores : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Against the printed tables.
    void quantiles()
    {
        const std::array<std::pair<std::int64_t, double>, 7> known = {{{1, 12.706205},
                                                                       {2, 4.302653},
                                                                       {3, 3.182446},
                                                                       {4, 2.776445},
                                                                       {9, 2.262157},
                                                                       {30, 2.042272},
                                                                       {99, 1.984217}}};
        for (const auto& [degrees, value] : known)
        {
            QVERIFY2(std::abs(studentQuantile(degrees) - value) < 1e-6, qPrintable(QString::number(degrees)));
            QVERIFY2(std::abs(studentP(value, degrees) - 0.05) < 1e-7, qPrintable(QString::number(degrees)));
            QCOMPARE(studentP(-value, degrees), studentP(value, degrees));
        }
        QCOMPARE(studentP(0, 7), 1.0);
        QVERIFY(std::abs(studentP(3, 2) - 0.09546596626670911) < 1e-14); // 1 - 3 / sqrt(11)
        QCOMPARE(studentP(1e300, 30), 1e-15);
    }

    void ofTheMean()
    {
        const std::vector<double> shares = {0.79, 0.63, 0.50, 0.47, 0.66};
        const Interval interval = splitInterval(shares, 154, 38, 130);
        QVERIFY(std::abs((interval.low + interval.high) / 2 - 0.61) < 1e-12); // around the mean, not the first
        // 2.776445 sqrt(0.01675 (1 / 5 + 38 / 154)), by hand.
        QVERIFY(std::abs(interval.high - 0.61 - 0.240176) < 1e-5);
        // Splits that all say the same know no more than their documents.
        const std::vector<double> same(10, 1.0);
        const Interval full = splitInterval(same, 80, 20, 90);
        QVERIFY(full.high == 1 && std::abs(full.low - wilsonInterval(90, 90).low) < 1e-12);
        const Interval one = splitInterval(std::vector<double>{0.75}, 80, 20, 20);
        QVERIFY(std::abs(one.low - wilsonInterval(15, 20).low) < 1e-12);
        QVERIFY(splitIntervalMethod(1).find("Wilson, ") == 0 && splitIntervalMethod(10).find("10 splits") > 0);
    }

    /// Where the answers do not depend on the training it covers what it should.
    void covers()
    {
        const Draws draws(5);
        int held = 0;
        constexpr int kTrials = 400;
        for (int trial = 0; trial < kTrials; ++trial)
        {
            const DrawnSplits drawn(draws, static_cast<std::uint64_t>(trial) * 1000, 10);
            const Interval interval = splitInterval(drawn.shares, 80, 20, drawn.tested);
            held += interval.low <= 0.7 && 0.7 <= interval.high ? 1 : 0;
        }
        QVERIFY2(held >= kTrials * 93 / 100, qPrintable(QString::number(held)));
    }

    void mergedP()
    {
        QCOMPARE(mergedSplitP(std::vector<double>{0.2}), 0.2);
        QCOMPARE(mergedSplitP(std::vector<double>{0.3, 0.01, 0.02}), 0.04);
        QCOMPARE(mergedSplitP(std::vector<double>{0.3, 0.01, 0.02, 0.04}), 0.04); // the lower middle one
        QCOMPARE(mergedSplitP(std::vector<double>{0.9, 0.6, 0.7}), 1.0);
        // Of p that mean nothing, whatever they share, few are small.
        const Draws draws(9);
        int small = 0;
        for (std::uint64_t trial = 0; trial < 1000; ++trial)
        {
            std::vector<double> p;
            const double common = static_cast<double>(draws.below(trial * 20, 1000) + 1) / 1000;
            for (std::uint64_t split = 0; split < 10; ++split)
                p.push_back(split % 2 == 0 ? common
                                           : static_cast<double>(draws.below(trial * 20 + split, 1000) + 1) / 1000);
            small += mergedSplitP(p) <= 0.05 ? 1 : 0;
        }
        QVERIFY2(small <= 65, qPrintable(QString::number(small)));
    }
};

HEADSCOPE_TEST_GUILESS(TestSplitScores)
#include "tst_split_scores.moc"
