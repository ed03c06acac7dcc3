// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// How often shuffledCorrelation permutes the points.
inline constexpr int kCorrelationShuffles = 10;

/// What the Procrustes correlation of two maps is when no point belongs to its partner any more: the points of one are
/// permuted among those of the same class, so that the arrangement of the classes alone is left. Mean over
/// kCorrelationShuffles permutations of a fixed seed.
/// @param from,onto  [P, 2] finite, row i of one belongs to row i of the other
/// @param classes    [P] (heads or segments); empty: one class of all
/// @errors  ShapeMismatch
/// @threads reentrant
/// @cost    O(P) a permutation
[[nodiscard]] Result<double> shuffledCorrelation(ConstMatrixView from, ConstMatrixView onto,
                                                 std::span<const std::int32_t> classes);

} // namespace headscope
