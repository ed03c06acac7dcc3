// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/split_scores.h"

#include "model/analysis/statistics/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace headscope
{
namespace
{

/// Probability that |t| is below sqrt(degrees) tan(angle).
double studentInside(double angle, std::int64_t degrees)
{
    const bool odd = degrees % 2 == 1;
    const double square = std::cos(angle) * std::cos(angle);
    double term = odd ? std::cos(angle) : 1.0;
    double sum = degrees == 1 ? 0.0 : term;
    for (std::int64_t k = odd ? 3 : 2; k < degrees; k += 2)
    {
        term *= square * static_cast<double>(k - 1) / static_cast<double>(k);
        sum += term;
    }
    return odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
}

double meanOf(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

double studentQuantile(std::int64_t degrees)
{
    constexpr double kInside = 0.95;
    double low = 0;
    double high = std::numbers::pi / 2;
    for (int halving = 0; halving < 80; ++halving)
    {
        const double middle = (low + high) / 2;
        (studentInside(middle, degrees) < kInside ? low : high) = middle;
    }
    return std::sqrt(static_cast<double>(degrees)) * std::tan(low);
}

double studentP(double t, std::int64_t degrees)
{
    constexpr double kLeast = 1e-15;
    const double angle = std::atan(std::abs(t) / std::sqrt(static_cast<double>(degrees)));
    return std::clamp(1 - studentInside(angle, degrees), kLeast, 1.0);
}

Interval splitInterval(std::span<const double> shares, std::int64_t train, std::int64_t test, std::int64_t tested)
{
    const auto count = static_cast<double>(shares.size());
    const double mean = meanOf(shares);
    const auto documents = static_cast<double>(shares.size() > 1 ? tested : test);
    Interval interval = wilsonInterval(mean * documents, documents);
    if (shares.size() < 2 || train < 1)
        return interval;
    double squares = 0;
    for (const double share : shares)
        squares += (share - mean) * (share - mean);
    const double variance =
        squares / (count - 1) * (1 / count + static_cast<double>(test) / static_cast<double>(train));
    const double half = studentQuantile(std::ssize(shares) - 1) * std::sqrt(variance);
    interval.low = std::max(0.0, std::min(interval.low, mean - half));
    interval.high = std::min(1.0, std::max(interval.high, mean + half));
    return interval;
}

std::string splitIntervalMethod(std::int64_t splits)
{
    return splits > 1 ? fmt::format("corrected resampled t over {} splits, never narrower than the Wilson interval "
                                    "over the tested documents",
                                    splits)
                      : std::string("Wilson, over the test documents of one split");
}

double mergedSplitP(std::span<const double> p)
{
    std::vector<double> sorted(p.begin(), p.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted.size() == 1 ? sorted.front() : std::min(1.0, 2 * sorted[(sorted.size() - 1) / 2]);
}

} // namespace headscope
