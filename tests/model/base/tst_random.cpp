// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <set>

using namespace headscope;

class TestRandom : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Known answers published with the generator (Random123, kat_vectors, philox4x32 10).
    void philoxKnownAnswers()
    {
        QCOMPARE(CounterRandom(0, 0).words(0),
                 (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
        const std::uint64_t all = ~std::uint64_t{0};
        QCOMPARE(CounterRandom(all, all).words(all),
                 (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    }

    void momentsAreThoseAsked()
    {
        const CounterRandom random(7, 3);
        double sum = 0;
        double normalSum = 0;
        double normalSquares = 0;
        constexpr int kCount = 100'000;
        for (std::uint64_t i = 0; i < kCount; ++i)
        {
            const double u = random.uniform(i);
            QVERIFY(u >= 0 && u < 1);
            sum += u;
            const double z = random.normal(i);
            normalSum += z;
            normalSquares += z * z;
        }
        QVERIFY(std::abs(sum / kCount - 0.5) < 0.005);
        QVERIFY(std::abs(normalSum / kCount) < 0.015);
        QVERIFY(std::abs(normalSquares / kCount - 1) < 0.02);
    }

    void belowStaysBelow()
    {
        const CounterRandom random(1);
        std::set<std::uint64_t> seen;
        for (std::uint64_t i = 0; i < 1'000; ++i)
            seen.insert(random.below(i, 6));
        QCOMPARE(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5}));
        QCOMPARE(random.below(9, 1), std::uint64_t{0});
    }

    void permutationHoldsEveryNumberOnceAndFollowsTheSeed()
    {
        const auto a = permutation(1'000, CounterRandom(1));
        const auto b = permutation(1'000, CounterRandom(1));
        const auto c = permutation(1'000, CounterRandom(2));
        QCOMPARE(a, b);
        QVERIFY(a != c);
        QCOMPARE(std::set<std::int64_t>(a.begin(), a.end()).size(), std::size_t{1'000});
        QVERIFY(permutation(0, CounterRandom(1)).empty());
    }
};

HEADSCOPE_TEST_GUILESS(TestRandom)
#include "tst_random.moc"
