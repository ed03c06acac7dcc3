// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/neighbors/block_search.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace headscope
{

/// Two blocks whose points are compared; first <= second.
using BlockPair = std::pair<std::int32_t, std::int32_t>;

/// Blocks of equal size for `points` points: large enough for products at full rate, small enough
/// that there are hundreds of pairs. Depends on the number of points alone.
/// @return first position of each block, then `points`
[[nodiscard]] std::vector<std::int64_t> evenBlocks(std::int64_t points);

/// How points come by their blocks.
enum class PointOrder
{
    Grouped,  ///< near points stand together
    Shuffled, ///< by chance: every block is a sample of all points
};

/// Every pair of `blocks` blocks, once.
[[nodiscard]] std::vector<BlockPair> allPairs(std::int64_t blocks);

/// Multiply-adds of the products that searchPairs computes.
[[nodiscard]] double pairProducts(std::span<const std::int64_t> starts, std::span<const BlockPair> pairs,
                                  std::int64_t dims);

/// Receives the k nearest of the point at a position, nearest first, ties by lower row; the span is valid during the
/// call. Called once for every point, on any thread.
using FoundNearest = std::function<void(std::int64_t position, std::span<const RankedNeighbor> nearest)>;

/// Bytes of the candidate lists of all points together.
[[nodiscard]] double candidateBytes(std::int64_t points, std::int64_t k);

/// Finds the k nearest of every point among the points of the blocks that its own block is paired
/// with. Each pair of blocks is multiplied once and its products are looked at from both sides.
///
/// Candidate lists of a block exist from its first pair until its last, when its points are ranked
/// and handed out; pairs run in an order that keeps this short. Then their memory goes back to the system, so that what
/// is kept of the neighbours takes its place. Of shuffled points what a block met first is a sample that tells how far
/// the k nearest probably reach: then few candidates are kept. A point whose k nearest turn out to reach farther is
/// compared with all others again.
/// @param starts  first position of each block, then the number of points
/// @param pairs   each at most once; a block that is not paired with itself finds no neighbours within it
/// @param order   Shuffled only with all pairs of blocks
/// @errors   Cancelled
/// @threads  uses `numThreads` threads; result independent of their number (CandidateRanker)
/// @cost     pairProducts() multiply-adds at the rate of gemmNT, and about a tenth of that
[[nodiscard]] Status searchPairs(const SearchPoints& points, std::span<const std::int64_t> starts,
                                 std::vector<BlockPair> pairs, std::int64_t k, PointOrder order, int numThreads,
                                 JobContext& job, const FoundNearest& found);

} // namespace headscope
