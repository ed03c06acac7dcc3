// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>

namespace headscope
{

/// A two-sided interval; NaN twice where there is none.
struct Interval
{
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
};

/// How often labels are shuffled where nothing else is asked for: the q of one of 49 rows can still fall below 0.05.
inline constexpr std::int64_t kDefaultPermutations = 999;

/// What a number is when the thing it is said to measure is not there: its distribution over permutations.
struct PermutationNull
{
    double mean = std::numeric_limits<double>::quiet_NaN(); ///< of the permuted values
    double high = std::numeric_limits<double>::quiet_NaN(); ///< their 95% quantile
    /// (1 + permuted values at least as large) / (1 + permutations), never 0; NaN without a permutation.
    double p = std::numeric_limits<double>::quiet_NaN();
    std::int64_t permutations = 0;
};

} // namespace headscope
