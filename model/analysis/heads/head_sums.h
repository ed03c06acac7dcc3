// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/data/head_vectors.h"
#include "model/data/results/head_results.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Sums over documents from which every head statistic of any union of their parts follows, so
/// that a change of the chosen topics costs O(parts x heads x dims) and not another pass.
///
/// Closed form of the mean pairwise cosine distance of a head with unit vectors u_j:
///     b = 1/n^2 sum_jk (1 - u_j . u_k) = 1 - |1/n sum_j u_j|^2
/// @source  head score: Besta et al., multi-head retrieval (arXiv 2406.05085), mean norm times b
class HeadSums
{
public:
    /// Sums of every part: part[d] in 0..numParts-1, or -1 for documents that do not count.
    /// @param part  [N]; empty puts all documents into part 0
    /// @errors Cancelled
    /// @threads reentrant; uses numThreads threads; result independent of their number
    /// @cost    one pass over the vectors, O(N H D)
    [[nodiscard]] static Result<HeadSums> collect(const HeadVectors& vectors, std::span<const std::int32_t> part,
                                                  std::int64_t numParts, int numThreads, JobContext& job);

    [[nodiscard]] std::int64_t parts() const { return m_parts; }
    [[nodiscard]] std::int64_t heads() const { return m_heads; }

    /// Statistics of every head over the union of these parts. A head without a usable vector has
    /// documents 0 and NaN elsewhere.
    [[nodiscard]] std::vector<HeadStatistics> statistics(std::span<const std::int64_t> chosenParts) const;
    /// The mean unit vectors over the union, [H, D].
    [[nodiscard]] MatrixD meanUnitVectors(std::span<const std::int64_t> chosenParts) const;

private:
    /// What is kept of one head of one part.
    struct Cell
    {
        std::int64_t finite = 0;  ///< documents without NaN or infinity
        std::int64_t nonZero = 0; ///< of these, with a direction
        double norms = 0;
        double squaredNorms = 0;
    };

    [[nodiscard]] std::size_t cellIndex(std::int64_t part, HeadIndex head) const
    {
        return static_cast<std::size_t>(part * m_heads + head.value());
    }

    std::int64_t m_parts = 0;
    std::int64_t m_heads = 0;
    std::int64_t m_dims = 0;
    std::vector<Cell> m_cells;   // [parts, H]
    std::vector<double> m_units; // [parts, H, D] sums of unit vectors
};

} // namespace headscope
