// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/neighbors/neighbor_search.h"

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

/// Prepares the approximate method of findNeighbors.
///
/// Every cell is compared with its p nearest cells, and with those that have it among theirs: a
/// pair of cells is multiplied once for both. The true neighbours of a sample of points tell, for
/// every p at once, what share of them would be found; the smallest p is taken whose share, less
/// two standard errors, reaches options.recall. When that costs nearly as much as all pairs, all
/// pairs are taken and the result is exact.
/// @param search  with rows, scales and k; its order, points, pairs and recall are filled
/// @errors   Cancelled
[[nodiscard]] Status prepareApproximately(const NeighborOptions& options, int numThreads, JobContext& job,
                                          NeighborSearch& search);

} // namespace headscope
