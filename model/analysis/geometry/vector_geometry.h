// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/matrix.h"
#include "model/data/results/measures/geometry_results.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// Mean cosine of the pairs of different rows, with a jackknife interval by row: (|S|^2 - n) / (n (n - 1)), S the sum
/// of the n unit rows. Rows of length 0 are left out; NaN of fewer than two others.
struct Anisotropy
{
    double value = VectorGeometry::kNone;
    Interval ci95;
};

/// @param rows  [N, D] finite
/// @param mean  [D] subtracted from every row; empty: nothing
/// @cost    N D operations, twice
/// @source  Ethayarajh 2019, doi 10.18653/v1/D19-1006; without the mean: Mu & Viswanath 2018
[[nodiscard]] Anisotropy anisotropy(ConstMatrixView rows, std::span<const double> mean);

/// The measures of one cloud of vectors. Zero vectors and those with NaN or infinity are left out and counted.
/// @param rows  [N, D]
/// @param seed  of the half of the vectors that the dimension is taken of once more
/// @errors  Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    2 N min(N, D) D operations, and exact neighbours: 5/8 N^2 D multiply-adds
[[nodiscard]] Result<VectorGeometry> vectorGeometry(ConstMatrixView rows, std::uint64_t seed, int numThreads,
                                                    JobContext& job);

/// The measures of some heads of a stage, and of these heads together.
/// @param heads  from 0, ascending, at least one
/// @errors  Cancelled, OutOfMemory
/// @threads uses numThreads threads; result independent of their number
[[nodiscard]] Result<LayerGeometry> layerGeometry(const HeadVectors& vectors, std::span<const std::int64_t> heads,
                                                  std::uint64_t seed, int numThreads, JobContext& job);

} // namespace headscope
