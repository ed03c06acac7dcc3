// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace headscope
{

/// Intrinsic dimension by the two nearest neighbours; NaN of fewer than three distinct rows, and where no row has its
/// second neighbour farther than the first.
struct IntrinsicDimension
{
    std::int64_t distinct = 0;                                    ///< rows after equal ones were merged
    double fit = std::numeric_limits<double>::quiet_NaN();        ///< the slope, a tenth of the ratios discarded
    double fitAll = std::numeric_limits<double>::quiet_NaN();     ///< the slope, the largest ratio alone discarded
    double likelihood = std::numeric_limits<double>::quiet_NaN(); ///< (n - 1) / sum ln mu of all ratios
};

/// The first row of each group of equal rows, ascending; -0 equals 0.
[[nodiscard]] std::vector<std::int64_t> distinctRows(ConstMatrixView rows);

/// TwoNN: with mu = r2 / r1 of Euclidean distances, ascending, and F_i = i / n, the slope through the origin of
/// -ln(1 - F) on ln mu.
/// @param rows  [N, D] finite
/// @errors  Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    exact neighbours: N^2 D / 2 multiply-adds
/// @source  Facco et al. 2017, doi 10.1038/s41598-017-11873-y; likelihood: Denti et al. 2022
[[nodiscard]] Result<IntrinsicDimension> intrinsicDimension(ConstMatrixView rows, int numThreads, JobContext& job);

} // namespace headscope
