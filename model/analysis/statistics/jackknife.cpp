// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/jackknife.h"

#include <cmath>

namespace headscope
{

Interval jackknifeInterval(double estimate, std::span<const double> leftOut)
{
    constexpr double kZ = 1.959963984540054; // 97.5% quantile of the normal distribution
    double count = 0;
    double sum = 0;
    for (const double value : leftOut)
    {
        count += std::isfinite(value) ? 1 : 0;
        sum += std::isfinite(value) ? value : 0.0;
    }
    if (count < 2 || !std::isfinite(estimate))
        return {};
    double squares = 0;
    for (const double value : leftOut)
        squares += std::isfinite(value) ? (value - sum / count) * (value - sum / count) : 0.0;
    const double half = kZ * std::sqrt((count - 1) / count * squares);
    return {estimate - half, estimate + half};
}

} // namespace headscope
