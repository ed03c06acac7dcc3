// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/probe/class_moments.h"
#include "model/analysis/probe/softmax_objective.h"

#include <cstdint>
#include <vector>

namespace headscope
{

/// S = V s V^T, the scatter of the rows that are undecided about a group of classes, about the means of these classes.
struct ClassScatter
{
    std::vector<std::int64_t> classes; ///< of the group
    std::int64_t rank = 0;
    std::vector<double> vectors;   ///< V, [D, rank]
    std::vector<double> variances; ///< s, [rank]
    double restVariance = 0;       ///< the mean along every other direction
};

/// All vectors of S, of all rows.
/// @param classes  all of the objective's
/// @cost  n D^2 multiply-adds and 9 D^3 flops
[[nodiscard]] ClassScatter fullScatter(const SoftmaxObjective& objective, const ClassMoments& moments,
                                       std::vector<std::int64_t> classes);

/// The 128 leading vectors of S by subspace iteration on a sample of the rows; rank 0 where every row is certain about
/// the group.
/// @cost  6 n' D 128 multiply-adds, n' <= 16,384 the rows of the sample
[[nodiscard]] ClassScatter leadingScatter(const SoftmaxObjective& objective, const ClassMoments& moments,
                                          std::vector<std::int64_t> classes);

} // namespace headscope
