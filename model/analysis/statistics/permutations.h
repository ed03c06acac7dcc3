// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Where a value stands among those of permutations. Values that are equal but for the order of their sums
/// count as equal: a permuted value within a relative 1e-12 of the observed one is at least as large.
/// @param permuted  one for each permutation; those that are not finite are left out and not counted
/// @source  p is never 0: Phipson & Smyth 2010 (doi 10.2202/1544-6115.1585)
[[nodiscard]] PermutationNull permutationNull(double observed, std::vector<double> permuted);

/// Whether two things that were measured on the same units differ: the sum of their differences against sums
/// with signs by fair coins.
struct SignTest
{
    std::int64_t statistic = 0; ///< sum of first - second
    double p = 1;               ///< two-sided
    std::int64_t draws = 0;
};

/// @param first, second  [n] hits or counts of each unit
/// @cost   draws x n coins
[[nodiscard]] SignTest signFlipTest(std::span<const std::int64_t> first, std::span<const std::int64_t> second,
                                    std::uint64_t seed, std::int64_t draws = 9999);

/// How often classes that are shuffled among the rows are told at least as often by the same predictions: of those that
/// say nothing of the classes all shares are equally likely, and those that always name the same class have p = 1.
/// @param predicted, truths  [n] classes
/// @return one-sided, never 0
/// @cost   draws x n random numbers
[[nodiscard]] double shuffledHitsP(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truths,
                                   std::uint64_t seed, std::int64_t draws = 1999);

/// What p values become when there are many of them: q, the share of false discoveries among those that are no larger.
/// NaN (not tested) stays NaN and is not counted.
/// @source  Benjamini & Hochberg 1995 (doi 10.1111/j.2517-6161.1995.tb02031.x)
[[nodiscard]] std::vector<double> benjaminiHochberg(std::span<const double> p);

} // namespace headscope
