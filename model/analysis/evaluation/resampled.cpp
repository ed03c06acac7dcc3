// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/evaluation/resampled.h"

#include "model/analysis/statistics/draws.h"
#include "model/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

Interval percentiles(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    std::ranges::sort(values);
    return {quantile(values, 0.025), quantile(values, 0.975)};
}

} // namespace

Result<Resampled> resampledMeans(const MatrixD& scores, const BootstrapOptions& options, int numThreads,
                                 JobContext& job)
{
    const auto units = static_cast<double>(scores.rows());
    const auto meanInto = [&](const auto& rows, std::span<double> means) {
        for (const std::int64_t row : rows)
        {
            const auto values = scores.row(row);
            for (std::size_t m = 0; m < means.size(); ++m)
                means[m] += values[m];
        }
        for (double& mean : means)
            mean /= units;
    };
    Resampled result;
    result.values.resize(static_cast<std::size_t>(scores.cols()));
    std::vector<std::int64_t> all(static_cast<std::size_t>(scores.rows()));
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<std::int64_t>(i);
    meanInto(all, result.values);
    result.resamples = MatrixD(options.resamples, scores.cols());
    const Draws draws(options.seed);
    parallelFor(numThreads, options.resamples, 1, [&](std::int64_t b, std::int64_t) {
        if (!job.stopRequested())
            meanInto(resample(draws, b, scores.rows()), result.resamples.row(b));
    });
    HEADSCOPE_CHECK(job.checkStop());
    return result;
}

Result<Resampled>
resampledMeasures(std::int64_t units, std::int64_t measures,
                  const std::function<double(std::int64_t measure, std::span<const std::int64_t> drawn)>& of,
                  const BootstrapOptions& options, int numThreads, JobContext& job)
{
    Resampled result;
    for (std::int64_t measure = 0; measure < measures; ++measure)
        result.values.push_back(of(measure, {}));
    result.resamples = MatrixD(options.resamples, measures);
    const Draws draws(options.seed);
    parallelFor(numThreads, options.resamples, 1, [&](std::int64_t b, std::int64_t) {
        if (job.stopRequested())
            return;
        const auto drawn = resample(draws, b, units);
        for (std::int64_t measure = 0; measure < measures; ++measure)
            result.resamples(b, measure) = of(measure, drawn);
    });
    HEADSCOPE_CHECK(job.checkStop());
    return result;
}

Interval intervalOf(const Resampled& resampled, std::int64_t measure)
{
    std::vector<double> values;
    for (std::int64_t b = 0; b < resampled.resamples.rows(); ++b)
        values.push_back(resampled.resamples(b, measure));
    return percentiles(std::move(values));
}

ResampledDifference differenceOf(const Resampled& resampled, std::int64_t measure, std::int64_t reference)
{
    ResampledDifference difference;
    difference.value =
        resampled.values[static_cast<std::size_t>(measure)] - resampled.values[static_cast<std::size_t>(reference)];
    std::vector<double> values;
    for (std::int64_t b = 0; b < resampled.resamples.rows(); ++b)
        if (const double value = resampled.resamples(b, measure) - resampled.resamples(b, reference);
            std::isfinite(value))
            values.push_back(value);
    if (values.empty() || !std::isfinite(difference.value))
    {
        difference.p = std::numeric_limits<double>::quiet_NaN();
        return difference;
    }
    const auto below = std::ranges::count_if(values, [](double value) { return value <= 0; });
    const auto above = std::ranges::count_if(values, [](double value) { return value >= 0; });
    difference.p = std::min(1.0, 2 * static_cast<double>(1 + std::min(below, above)) /
                                     static_cast<double>(1 + std::ssize(values)));
    difference.ci95 = percentiles(std::move(values));
    return difference;
}

} // namespace headscope
