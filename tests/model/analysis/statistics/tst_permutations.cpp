// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/permutations.h"

#include "model/analysis/statistics/draws.h"

#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

using namespace headscope;
using namespace headscope::test;

class TestPermutations : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void drawsAreSplitmix()
    {
        const GoldenFile file(golden("circuits/evaluation.h5"));
        const Draws draws(static_cast<std::uint64_t>(file.integers("random/seed")[0]));
        const auto below = file.integers("random/below_10");
        for (std::size_t i = 0; i < below.size(); ++i)
            QCOMPARE(draws.below(i, 10), below[i]);
        QCOMPARE(Draws(0).bits(0), std::uint64_t{0xE220A8397B1DCDAFULL}); // as published with the generator
    }

    void signsAreFlipped()
    {
        const GoldenFile file(golden("circuits/evaluation.h5"));
        const SignTest test = signFlipTest(file.integers("permutation/first"), file.integers("permutation/second"),
                                           static_cast<std::uint64_t>(file.integers("permutation/seed")[0]),
                                           file.integers("permutation/draws")[0]);
        QCOMPARE(test.statistic, file.integers("permutation/statistic")[0]);
        QVERIFY(std::abs(test.p - file.doubles("permutation/p")[0]) < 1e-12);
    }

    void labelsAreShuffled()
    {
        const std::vector<std::int32_t> truths = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
        const std::vector<std::int32_t> always(10, 1);
        QCOMPARE(shuffledHitsP(always, truths, 1), 1.0); // every shuffle is told as often
        std::vector<std::int32_t> predicted = truths;
        predicted[0] = 1;
        predicted[9] = 0; // 8 of 10 told; as many are by 26 of the 252 ways to choose five
        QVERIFY(std::abs(shuffledHitsP(predicted, truths, 1) - 26.0 / 252) < 0.02);
        QVERIFY(std::abs(shuffledHitsP(truths, truths, 1) - 1.0 / 252) < 0.004);
        QVERIFY(shuffledHitsP(truths, truths, 1, 99) >= 0.01); // never 0
    }

    void manyTests()
    {
        const GoldenFile file(golden("circuits/evaluation.h5"));
        std::vector<double> p = file.doubles("many/p");
        QVERIFY(absmax(benjaminiHochberg(p), file.doubles("many/q")) < 1e-13);
        p.insert(p.begin(), std::nan("")); // not tested: as if it were not there
        std::vector<double> q = benjaminiHochberg(p);
        QVERIFY(std::isnan(q.front()));
        q.erase(q.begin());
        QVERIFY(absmax(q, file.doubles("many/q")) < 1e-13);
    }

    void aValueAmongPermutedOnes()
    {
        const PermutationNull null = permutationNull(3.0, {1, 2, 3, 4, std::nan("")});
        QCOMPARE(null.permutations, std::int64_t{4});
        QCOMPARE(null.p, 3.0 / 5.0); // 3 and 4 are as large
        QCOMPARE(null.mean, 2.5);
        QCOMPARE(permutationNull(9.0, {1, 2, 3}).p, 0.25);
        QVERIFY(std::isnan(permutationNull(1.0, {}).p));
        QVERIFY(std::isnan(permutationNull(std::nan(""), {1}).p));
    }

    void labelsArePermutedAmongTheLabelled()
    {
        const std::vector<std::int32_t> labels{0, -1, 1, 1, -1, 2, 0, 2};
        bool moved = false;
        for (std::int64_t b = 0; b < 20; ++b)
        {
            std::vector<std::int32_t> permuted = permutedLabels(labels, Draws(7), b);
            QCOMPARE(permuted[1], -1);
            QCOMPARE(permuted[4], -1);
            moved = moved || permuted != labels;
            QVERIFY(std::is_permutation(permuted.begin(), permuted.end(), labels.begin()));
            QVERIFY(permuted == permutedLabels(labels, Draws(7), b));
        }
        QVERIFY(moved);
        // Indices have the order of the first permutation of as many labels.
        const std::vector<std::int64_t> order = shuffledIndices(Draws(7), 6);
        const std::vector<std::int32_t> places =
            permutedLabels(std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}, Draws(7), 0);
        QVERIFY(std::ranges::equal(order, places));
        QVERIFY(shuffledIndices(Draws(7), 0).empty());
    }

    /// Each of three labels comes first equally often.
    void everyOrderIsAsLikely()
    {
        std::vector<int> first(3);
        for (std::int64_t b = 0; b < 6000; ++b)
            ++first[static_cast<std::size_t>(permutedLabels(std::vector<std::int32_t>{0, 1, 2}, Draws(3), b)[0])];
        for (const int count : first)
            QVERIFY(count > 1850 && count < 2150); // 2000 and four standard deviations
    }
};

HEADSCOPE_TEST_GUILESS(TestPermutations)
#include "tst_permutations.moc"
