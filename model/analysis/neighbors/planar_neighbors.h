// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>

namespace headscope
{

/// The k nearest neighbours of every point of a map, nearest first, itself excluded, ties by lower
/// index: exact, with squared distances in double from the differences of the float coordinates.
///
/// The points are sorted into square cells of about two; rings of cells around a point are searched
/// until none outside can hold a nearer one.
/// @param xy  [P, 2] finite
/// @param k   at least 1; at most P - 1 are found
/// @return    [P, min(k, P - 1)]
/// @errors  InvalidArgument (k < 1, a coordinate that is not finite), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    about 30 distances a neighbour for points spread evenly; quadratic in the number of
///          points that lie in one cell (all but a far outlier, or many at one place)
[[nodiscard]] Result<Matrix<std::int32_t>> planarNeighbors(ConstMatrixView xy, std::int64_t k, int numThreads,
                                                           JobContext& job);

} // namespace headscope
