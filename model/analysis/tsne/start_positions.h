// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/maps/tsne_options.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// Refuses positions so far out that their differences leave float32.
/// @errors InvalidArgument
[[nodiscard]] Status checkPositions(const MatrixF& positions);

/// Where the points of a run begin.
struct TsneStartPlaces
{
    MatrixF xy;                   ///< [P, 2]
    std::int64_t equalPoints = 0; ///< points that were moved off an earlier point with the same vector
};

/// Where the points of a run begin: principal components scaled so that the first has a standard deviation of 1e-4,
/// normal numbers of the same, or `given`; jittered as the options say.
///
/// Points with bitwise equal vectors that this puts on one spot would stay there: forces between them are zero, and
/// those of others the same. All but the first of them are moved by normal noise of 1% of the start's standard
/// deviation along its wider coordinate, from the seed, as openTSNE moves all points. Others stay where they are.
/// @param rows    [P, D] finite
/// @param scales  from unitScales for the cosine metric, empty for the Euclidean
/// @errors ShapeMismatch, InvalidArgument (given positions that are no map), Cancelled
[[nodiscard]] Result<TsneStartPlaces> startPositions(ConstMatrixView rows, std::span<const double> scales,
                                                     const TsneOptions& options, const MatrixF* given, int numThreads,
                                                     JobContext& job);

} // namespace headscope
