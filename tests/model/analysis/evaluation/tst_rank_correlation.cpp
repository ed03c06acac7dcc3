// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/evaluation/rank_correlation.h"

#include "model/analysis/evaluation/resampled.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <array>
#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::test;

class TestRankCorrelation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheRecorded()
    {
        const GoldenFile file(golden("circuits/evaluation.h5"));
        const auto shape = file.shape("similarity/first");
        std::vector<float> values = file.floats("similarity/first");
        const auto more = file.floats("similarity/second");
        values.insert(values.end(), more.begin(), more.end());
        const MatrixF rows(2 * shape[0], shape[1], std::move(values));
        std::vector<std::int64_t> first;
        std::vector<std::int64_t> second;
        for (std::int64_t pair = 0; pair < shape[0]; ++pair)
        {
            first.push_back(pair);
            second.push_back(shape[0] + pair);
        }
        const std::vector<double> cosines = pairCosines(rows.view(), first, second);
        QVERIFY(absmax(cosines, file.doubles("similarity/cosine")) <= 1e-12);
        const auto floats = file.floats("similarity/gold");
        const std::vector<double> gold(floats.begin(), floats.end());
        const RankCorrelation ranks(cosines, gold);
        QVERIFY(std::abs(ranks.value() - file.doubles("similarity/spearman").front()) <= 1e-12);
        QVERIFY(std::abs(pearson(cosines, gold) - file.doubles("similarity/pearson").front()) <= 1e-12);
        JobContext job;
        const auto seed = static_cast<std::uint64_t>(file.integers("similarity/bootstrap/seed").front());
        const auto of = [&](std::int64_t, std::span<const std::int64_t> drawn) {
            std::vector<std::int32_t> times(gold.size(), drawn.empty() ? 1 : 0);
            for (const std::int64_t pair : drawn)
                ++times[static_cast<std::size_t>(pair)];
            return ranks.value(times);
        };
        const auto resampled = resampledMeasures(shape[0], 1, of, {1000, seed}, 2, job);
        HEADSCOPE_VERIFY_OK(resampled);
        const auto expected = file.doubles("similarity/bootstrap/spearman_ci");
        const Interval interval = intervalOf(*resampled, 0);
        QVERIFY(std::abs(interval.low - expected[0]) <= 1e-11 && std::abs(interval.high - expected[1]) <= 1e-11);
    }

    /// A resample's ranks are those of the list with repeats.
    void aResampleHasItsOwnRanks()
    {
        const std::array a = {3.0, 1.0, 2.0, 2.0};
        const std::array b = {1.0, 5.0, 4.0, 2.0};
        const std::array<double, 5> repeatedA = {3.0, 3.0, 2.0, 2.0, 2.0};
        const std::array<double, 5> repeatedB = {1.0, 1.0, 4.0, 2.0, 2.0};
        const std::array<std::int32_t, 4> times = {2, 0, 1, 2};
        QVERIFY(std::abs(RankCorrelation(a, b).value(times) - RankCorrelation(repeatedA, repeatedB).value()) < 1e-15);
    }

    void whatHasNoCorrelation()
    {
        const std::array a = {1.0, 1.0, 1.0};
        const std::array b = {1.0, 2.0, 3.0};
        QVERIFY(std::isnan(RankCorrelation(a, b).value()) && std::isnan(pearson(b, a)));
        QCOMPARE(RankCorrelation(b, b).value(), 1.0);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const MatrixF rows(3, 2, {1, 0, 0, 0, nan, 1});
        const auto cosines =
            pairCosines(rows.view(), std::array<std::int64_t, 2>{0, 0}, std::array<std::int64_t, 2>{1, 2});
        QVERIFY(std::isnan(cosines[0]) && std::isnan(cosines[1])); // a zero vector has a cosine with nothing
    }
};

HEADSCOPE_TEST_GUILESS(TestRankCorrelation)
#include "tst_rank_correlation.moc"
