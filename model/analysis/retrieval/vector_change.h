// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/results/switch_off_results.h"

#include <cstdint>

namespace headscope
{

/// Nearest documents that a change is judged by, where there are as many.
inline constexpr std::int64_t kChangeNeighbors = 10;

/// How vectors of the same documents differ: the cosine of each with itself, and how many of its nearest (by the
/// cosine, itself excluded, ties: the lower place) are among the nearest afterwards. Means have the bootstrap's
/// interval by document.
/// @param before, after  [N, D] finite numbers, N at least 2
/// @param seed           of the resamples
/// @errors ShapeMismatch (other rows or lengths), InvalidArgument (fewer than two documents, numbers that are not
///         finite), Cancelled
/// @cost   2 N^2 D / 2 multiply-adds
[[nodiscard]] Result<VectorChange> vectorChange(ConstMatrixView before, ConstMatrixView after, std::uint64_t seed,
                                                int numThreads, JobContext& job);

} // namespace headscope
