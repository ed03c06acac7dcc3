// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/attention/attention_run.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <vector>

namespace headscope
{

/// What the heads of one KV group do from one token.
struct GroupView
{
    std::vector<std::int64_t> heads; ///< [G] from 0
    std::int64_t keys = 0;           ///< n, tokens that it may read: up to itself, or all
    MatrixD scores;                  ///< [G, n] q.k / sqrt(Dh)
    MatrixD weights;                 ///< [G, n] their softmax
    MatrixD values;                  ///< [n, 2] value vectors in the plane of their two largest principal components
    MatrixD outputs;                 ///< [G, 2] the heads' outputs in that plane
    double share = 0; ///< of the variance of the values that the plane keeps, 0 to 1; 1 where they are all alike
    /// Largest |z - sum of weight times value| / |z| of the heads: how exactly the outputs are these mixtures.
    double deviation = 0;
};

/// Looks at a group in the vectors of one layer.
/// @param run     for causality and sizes
/// @param token   that reads, from 0
/// @param group   from 0; heads with keys and values of their own are groups of one
/// @errors  InvalidArgument (no such group or token, vectors of other sizes), Cancelled
/// @cost    n Dh^2 multiply-adds and an eigen solve of Dh^3
[[nodiscard]] Result<GroupView> groupView(const AttentionRun& run, const LayerVectors& vectors, std::int64_t group,
                                          std::int64_t token, JobContext& job);

/// Share of the weight of rows that lies on other tokens in `other`: total variation distance of each row behind the
/// first, mean. 0: the same rows, 1: no token in common.
/// @param weights, other  [T, T], of rows that sum to 1
/// @return NaN with fewer than two rows, or other sizes
[[nodiscard]] double movedAttention(ConstMatrixView weights, ConstMatrixView other);

} // namespace headscope
