// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/safe_rank.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace
{

/// Probability that a sample holds at least `least` of k points.
double chanceOf(std::int64_t least, std::int64_t k, double share)
{
    double sum = 0;
    for (std::int64_t held = least; held <= k; ++held)
    {
        const auto n = static_cast<double>(k);
        const auto i = static_cast<double>(held);
        sum += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) + i * std::log(share) +
                        (n - i) * std::log1p(-share));
    }
    return sum;
}

} // namespace

class SafeRankTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isTheLowestThatIsSafe();
};

void SafeRankTest::isTheLowestThatIsSafe()
{
    for (const std::int64_t k : {1, 5, 90, 300})
    {
        for (const double share : {0.002, 0.03, 0.25, 0.6})
        {
            const std::int64_t rank = safeRank(k, share); // the point itself is the first
            QVERIFY(rank >= 2 && rank <= k + 2);
            QVERIFY(chanceOf(rank - 1, k, share) <= kMissedShare + 1e-9);
            QVERIFY(rank == 2 || chanceOf(rank - 2, k, share) > kMissedShare - 1e-9);
        }
    }
}

HEADSCOPE_TEST_GUILESS(SafeRankTest)
#include "tst_safe_rank.moc"
