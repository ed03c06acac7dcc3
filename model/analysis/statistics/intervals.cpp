// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/intervals.h"

#include "model/base/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headscope
{

Interval wilsonInterval(std::int64_t hits, std::int64_t count)
{
    constexpr double kZ = 1.959963984540054; // 97.5 % quantile of the normal distribution
    if (count == 0)
        return {0, 1};
    const auto n = static_cast<double>(count);
    const double p = static_cast<double>(hits) / n;
    const double centre = (p + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
    const double half = kZ / (1 + kZ * kZ / n) * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
    return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

Interval bootstrapShare(std::int64_t hits, std::int64_t count, std::uint64_t seed, int resamples)
{
    if (count <= 0)
        return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    std::vector<double> shares;
    for (int sample = 0; sample < resamples; ++sample)
    {
        // Documents are alike but for hit or miss, so drawing one is drawing whether it is a hit.
        const CounterRandom random(seed, static_cast<std::uint64_t>(sample));
        std::int64_t drawn = 0;
        for (std::int64_t i = 0; i < count; ++i)
            drawn += random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(count)) <
                             static_cast<std::uint64_t>(hits)
                         ? 1
                         : 0;
        shares.push_back(static_cast<double>(drawn) / static_cast<double>(count));
    }
    std::sort(shares.begin(), shares.end());
    const auto quantile = [&shares](double q) {
        const double place = q * static_cast<double>(shares.size() - 1);
        const auto below = static_cast<std::size_t>(std::floor(place));
        const auto above = std::min(below + 1, shares.size() - 1);
        const double fraction = place - static_cast<double>(below);
        return shares[below] * (1 - fraction) + shares[above] * fraction;
    };
    return {quantile(0.025), quantile(0.975)};
}

} // namespace headscope
