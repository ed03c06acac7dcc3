// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/results/measures/direction_results.h"

#include <cstdint>

namespace headscope
{

struct DirectionOptions
{
    std::int64_t directions = 3; ///< principal components, at most the width of the vectors
    double ends = 0.1;           ///< share of the documents at each end, at most one half

    friend bool operator==(const DirectionOptions&, const DirectionOptions&) = default;
};

/// The first principal components of the vectors of documents, with the documents at both ends: at each end
/// max(1, floor(ends N)), equal positions by the lower document.
///
/// The interval of a share holds the direction fixed, since a change of the direction is of second order.
/// @param rows  [N, D]; rows with NaN or infinity are left out
/// @errors  InvalidArgument (fewer than 2 usable rows), Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    N D^2 multiply-adds in double, an eigen solve of D^3, and N log N for the ends
[[nodiscard]] Result<VectorDirections> vectorDirections(ConstMatrixView rows, const DirectionOptions& options,
                                                        int numThreads, JobContext& job);

} // namespace headscope
