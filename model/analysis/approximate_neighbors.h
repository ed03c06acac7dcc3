// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/neighbors.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Points grouped into cells of near ones, and the cells ordered so that near cells stand together.
struct Cells
{
    std::vector<std::int32_t> order; ///< [P] position -> row, cell after cell
    std::vector<std::int64_t> start; ///< [C + 1] first position of each cell
    MatrixF centres;                 ///< [C, D], of the rows, or of the unit rows
};

/// Groups rows by a seeded k-means on a sample, eight rounds, distances by blocked products.
/// @param scales  1 / length of each row for the cosine metric, empty for the Euclidean
/// @errors   Cancelled
/// @threads  uses `numThreads` threads; result independent of their number
[[nodiscard]] Result<Cells> makeCells(ConstMatrixView rows, std::span<const double> scales, std::int64_t numCells,
                                      std::uint64_t seed, int numThreads, JobContext& job);

/// The approximate method of findNeighbors: every cell's points are compared with those of the
/// nearest cells; their number grows until a checked sample of points reaches options.recall.
/// @errors   Cancelled
[[nodiscard]] Result<Neighbors> findApproximately(ConstMatrixView rows, std::span<const double> scales, std::int64_t k,
                                                  const NeighborOptions& options, int numThreads, JobContext& job);

} // namespace headscope
