// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/evaluation/resampled.h"

#include "model/analysis/statistics/intervals.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <limits>
#include <stop_token>

using namespace headscope;
using namespace headscope::test;

class TestResampled : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Means are what the bootstrap of one measure gives, on any number of threads.
    void equalsTheBootstrapOfOne()
    {
        MatrixD scores(20, 2);
        for (std::int64_t i = 0; i < 20; ++i)
        {
            scores(i, 0) = static_cast<double>(i * i % 7);
            scores(i, 1) = 0.5;
        }
        JobContext job;
        const auto found = resampledMeans(scores, {200, 9}, 1, job);
        HEADSCOPE_VERIFY_OK(found);
        const auto mean = [&scores](std::span<const std::int64_t> drawn) {
            double sum = 0;
            for (const std::int64_t row : drawn)
                sum += scores(row, 0);
            return sum / static_cast<double>(drawn.size());
        };
        const BootstrapInterval expected = bootstrapInterval(20, mean, {200, 9});
        QCOMPARE(intervalOf(*found, 0).low, expected.ci95.low);
        QCOMPARE(intervalOf(*found, 0).high, expected.ci95.high);
        QCOMPARE(found->values[1], 0.5);
        for (const int threads : {2, 3})
        {
            const auto again = resampledMeans(scores, {200, 9}, threads, job);
            HEADSCOPE_VERIFY_OK(again);
            QVERIFY(again->resamples == found->resamples);
        }
    }

    void differencesArePaired()
    {
        MatrixD scores(30, 3);
        for (std::int64_t i = 0; i < 30; ++i)
        {
            scores(i, 0) = static_cast<double>(i % 5);
            scores(i, 1) = scores(i, 0) + 0.25; // always better, by as much
            scores(i, 2) = scores(i, 0) + (i % 2 == 0 ? 1.0 : -1.0);
        }
        JobContext job;
        const auto found = resampledMeans(scores, {999, 3}, 2, job);
        HEADSCOPE_VERIFY_OK(found);
        const ResampledDifference better = differenceOf(*found, 1, 0);
        QVERIFY(std::abs(better.value - 0.25) < 1e-12 && std::abs(better.ci95.low - 0.25) < 1e-12);
        QCOMPARE(better.p, 2.0 / 1000);
        const ResampledDifference even = differenceOf(*found, 2, 0);
        QVERIFY(even.value == 0 && even.p > 0.5 && even.ci95.low < 0 && even.ci95.high > 0);
        QCOMPARE(differenceOf(*found, 0, 0).p, 1.0);
    }

    void resamplesWithoutAValueAreLeftOut()
    {
        JobContext job;
        const auto of = [](std::int64_t measure, std::span<const std::int64_t> drawn) {
            const bool has = drawn.empty() || drawn.front() != 0;
            return measure == 0 && has ? 2.0 : std::numeric_limits<double>::quiet_NaN();
        };
        const auto found = resampledMeasures(4, 2, of, {100, 1}, 2, job);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(intervalOf(*found, 0).low == 2 && intervalOf(*found, 0).high == 2);
        QVERIFY(std::isnan(intervalOf(*found, 1).low) && std::isnan(differenceOf(*found, 1, 0).p));
        std::stop_source source;
        source.request_stop();
        JobContext stopped(source.get_token());
        QVERIFY(resampledMeasures(4, 2, of, {100, 1}, 1, stopped).error().code == ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestResampled)
#include "tst_resampled.moc"
