// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/neighbors/block_search.h"
#include "model/analysis/neighbors/pair_search.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/neighbor_options.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope
{

/// A search for neighbours in two steps: prepared, then run once. For callers that keep something else of the
/// neighbours than findNeighbors() does, and less.
struct NeighborSearch
{
    ConstMatrixView rows;               ///< [P, D] the caller's, must outlive this
    std::int64_t k = 0;                 ///< as asked for, P - 1 at most
    std::vector<double> scales;         ///< 1 / length of each row for the cosine metric, empty for the Euclidean
    std::vector<std::int32_t> order;    ///< position -> row, near ones together; empty = as they are
    std::vector<std::int32_t> shuffled; ///< of the exact method: where the points lie during the search
    std::unique_ptr<const SearchPoints> points; ///< null without neighbours
    std::vector<std::int64_t> starts;           ///< of the blocks, as searchPairs takes them
    std::vector<BlockPair> pairs;
    NeighborMethod method = NeighborMethod::Exact; ///< that was taken; this and the following as in Neighbors
    double recall = 1;
    double recallLow = 1;
    std::int64_t sampled = 0;

    /// Lays out the points, and for the approximate method decides what to compare.
    /// @param bytesOfNeighbor  what the caller keeps of each neighbour, for the check that all of it fits into memory
    /// @errors  as findNeighbors
    /// @threads uses `numThreads` threads; result independent of their number
    [[nodiscard]] static Result<NeighborSearch> prepare(ConstMatrixView rows, const NeighborOptions& options,
                                                        double bytesOfNeighbor, int numThreads, JobContext& job);

    /// Hands out the neighbours of every point by its place in `order`; once.
    /// @errors Cancelled
    [[nodiscard]] Status run(const FoundNearest& found, int numThreads, JobContext& job);

    [[nodiscard]] std::int64_t row(std::int64_t position) const
    {
        return order.empty() ? position : order[static_cast<std::size_t>(position)];
    }

    /// Of the products of run(), before it.
    [[nodiscard]] double multiplyAdds() const { return pairProducts(starts, pairs, rows.cols()); }

    /// Bytes that a search takes beside the rows and what is kept of the neighbours.
    [[nodiscard]] static double bytes(std::int64_t points, std::int64_t dims, std::int64_t k);
};

} // namespace headscope
