// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/running_moments.h"

#include "model/analysis/statistics/split_scores.h"

#include <cmath>
#include <limits>

namespace headscope
{

void RunningMoments::add(double value)
{
    ++count;
    const double distance = value - mean;
    mean += distance / static_cast<double>(count);
    squares += distance * (value - mean);
}

double RunningMoments::variance() const
{
    return count < 2 ? std::numeric_limits<double>::quiet_NaN()
                     : squares / (static_cast<double>(count) - 1) / static_cast<double>(count);
}

Interval RunningMoments::ci95() const
{
    if (count < 2)
        return {};
    const double half = studentQuantile(count - 1) * std::sqrt(variance());
    return {mean - half, mean + half};
}

} // namespace headscope
