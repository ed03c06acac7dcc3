// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/probe/softmax_objective.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// What the rows of one label h add to the Hessian of the softmax objective, near C S_h (x) A_h by the leading vectors
/// of both: S_h is the scatter of the rows about the origin, weighted by how undecided they are, A_h the mean of
/// diag p_i - p_i p_i^T, rows weighted by their squared lengths.
struct LabelCurvature
{
    static constexpr std::int64_t kMaxVectors = 2048; ///< of all labels
    static constexpr std::int64_t kMaxOfLabel = 128;
    /// Rows that the vectors of all labels are learned from.
    static constexpr std::int64_t kMaxRows = 32'768;

    double doubt = 0;              ///< sum_i sum_k p_ik (1 - p_ik)
    MatrixF modes;                 ///< of A_h, scaled by the roots of C and their values, [at most 4, stride]
    MatrixF vectors;               ///< of S_h, scaled, [at most kMaxOfLabel + 1, D]; the mean first
    double meanOne = 0;            ///< the mean's place along the intercept
    std::vector<double> curvature; ///< sum_i e_i p_ik (1 - p_ik), [stride]
};

/// Of the point that the objective evaluated last. Without vectors where every row is certain.
/// @param rows    of the label, ascending
/// @param energy  squared lengths of all rows about the mean, [n]
/// @threads on the calling thread
/// @cost    K^2 multiply-adds a row, 3 n' D r for the vectors, n' the rows of the sample, r their number
[[nodiscard]] LabelCurvature labelCurvature(const SoftmaxObjective& objective, std::span<const std::int64_t> rows,
                                            std::span<const double> energy);

} // namespace headscope
