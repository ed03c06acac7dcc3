// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/maps/tsne_options.h"
#include "model/data/matrix.h"

#include <span>

namespace headscope
{

/// Refuses positions so far out that their differences leave float32.
/// @errors InvalidArgument
[[nodiscard]] Status checkPositions(const MatrixF& positions);

/// Where the points of a run begin, [P, 2]: principal components scaled so that the first has a standard
/// deviation of 1e-4, normal numbers of the same, or `given`; jittered as the options say.
/// @param rows    [P, D] finite
/// @param scales  from unitScales for the cosine metric, empty for the Euclidean
/// @errors ShapeMismatch, InvalidArgument (given positions that are no map), Cancelled
[[nodiscard]] Result<MatrixF> startPositions(ConstMatrixView rows, std::span<const double> scales,
                                             const TsneOptions& options, const MatrixF* given, int numThreads,
                                             JobContext& job);

} // namespace headscope
