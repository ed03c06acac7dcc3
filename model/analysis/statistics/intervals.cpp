// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/intervals.h"

#include "model/analysis/statistics/draws.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{

Interval wilsonInterval(double hits, double count)
{
    constexpr double kZ = 1.959963984540054; // 97.5% quantile of the normal distribution
    if (count <= 0)
        return {0, 1};
    const double p = hits / count;
    const double centre = (p + kZ * kZ / (2 * count)) / (1 + kZ * kZ / count);
    const double half = kZ / (1 + kZ * kZ / count) * std::sqrt(p * (1 - p) / count + kZ * kZ / (4 * count * count));
    // Where nothing or everything counts that end is 0 or 1, which rounding misses by an ulp.
    return {hits <= 0 ? 0.0 : std::max(0.0, centre - half), hits >= count ? 1.0 : std::min(1.0, centre + half)};
}

Interval withWidthAtEnds(const Interval& found, std::int64_t units)
{
    if (!std::isfinite(found.low) || !std::isfinite(found.high))
        return found;
    const auto count = static_cast<double>(units);
    return {std::clamp(found.low, 0.0, wilsonInterval(count, count).low),
            std::clamp(found.high, wilsonInterval(0, count).high, 1.0)};
}

ClusterShare clusterShare(std::span<const std::int64_t> right, std::span<const std::int64_t> rows)
{
    double clusters = 0;
    double count = 0;
    double hits = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        clusters += rows[i] > 0 ? 1 : 0;
        count += static_cast<double>(rows[i]);
        hits += static_cast<double>(right[i]);
    }
    if (count == 0)
        return {std::numeric_limits<double>::quiet_NaN(), 1, 0, {0, 1}};
    ClusterShare result;
    result.share = hits / count;
    double squares = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const double residual = static_cast<double>(right[i]) - result.share * static_cast<double>(rows[i]);
        squares += residual * residual;
    }
    const double independent = result.share * (1 - result.share) / count;
    if (hits == 0 || hits == count)
        result.designEffect = count / clusters; // nothing tells the rows of a cluster apart
    else if (clusters > 1)
        result.designEffect = std::max(1.0, clusters / (clusters - 1) * squares / (count * count) / independent);
    else
        result.designEffect = count;
    result.effectiveRows = count / result.designEffect;
    // One error says as little about how rows depend as none does: no row more may be right than with none wrong.
    result.ci95 = withWidthAtEnds(wilsonInterval(result.share * result.effectiveRows, result.effectiveRows),
                                  static_cast<std::int64_t>(clusters));
    return result;
}

BootstrapInterval bootstrapInterval(std::int64_t units,
                                    const std::function<double(std::span<const std::int64_t>)>& measure,
                                    const BootstrapOptions& options)
{
    BootstrapInterval result;
    if (units <= 0)
        return result;
    const Draws draws(options.seed);
    std::vector<double> values;
    for (int b = 0; b < options.resamples; ++b)
    {
        const double value = measure(resample(draws, b, units));
        if (std::isfinite(value))
            values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    result.undefined = options.resamples - static_cast<std::int64_t>(values.size());
    result.ci95 = {quantile(values, 0.025), quantile(values, 0.975)};
    return result;
}

double quantile(std::span<const double> sorted, double share)
{
    if (sorted.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double fraction = place - static_cast<double>(below);
    return sorted[below] * (1 - fraction) + sorted[above] * fraction;
}

} // namespace headscope
