// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace headscope
{

/// Points laid out for blocked searches: centred (or unit) float32 copies in a chosen order, with
/// what is needed to bound the rounding of their products. Built once, then only read.
///
/// The centre is the median of each column over a sample: distances do not need it, but products
/// lose fewer digits near the origin, and a single far point must not carry the centre away. Data
/// whose squares would leave the range of float32 are scaled by a power of two.
class SearchPoints
{
public:
    /// @param rows    [P, D] the caller's, must outlive this
    /// @param scales  1 / length of each row for the cosine metric, empty for the Euclidean
    /// @param order   position -> row; empty = as they are
    /// @param job     when it is stopped the copy is left unfinished, and the caller has to check for that
    SearchPoints(ConstMatrixView rows, std::span<const double> scales, std::span<const std::int32_t> order,
                 int numThreads, const JobContext& job);

    [[nodiscard]] std::int64_t count() const { return m_rows.rows(); }
    [[nodiscard]] std::int64_t dims() const { return m_rows.cols(); }
    [[nodiscard]] const float* vector(std::int64_t position) const { return m_vectors.data() + position * dims(); }
    /// Squared length in the units of the copies; 1 for the cosine metric.
    [[nodiscard]] float norm(std::int64_t position) const { return m_norms[static_cast<std::size_t>(position)]; }
    [[nodiscard]] const float* norms() const { return m_norms.data(); }
    /// norm() lowered by the rounding bound; readable kScanSlack numbers beyond the last position.
    [[nodiscard]] const float* bias(std::int64_t position) const { return m_bias.data() + position; }
    /// Of a product's rounding, in units of |a|^2 + |b|^2.
    [[nodiscard]] float roundingBound() const { return m_bound; }
    /// Square of the power of two that the copies are scaled by.
    [[nodiscard]] double squaredScale() const { return m_squaredScale; }
    [[nodiscard]] std::int32_t row(std::int64_t position) const
    {
        return m_order.empty() ? static_cast<std::int32_t>(position) : m_order[static_cast<std::size_t>(position)];
    }
    /// Squared distances of one point to others, from direct differences in double, of the rows as they
    /// are (unscaled); 2 where a cosine vector is zero.
    /// @param rows  receives the row numbers of the others
    void exactDistances(std::int64_t position, std::span<const std::int32_t> others, std::vector<std::int32_t>& rows,
                        std::vector<double>& squared) const;

private:
    ConstMatrixView m_rows;
    std::span<const double> m_scales;
    std::span<const std::int32_t> m_order;
    std::vector<float> m_vectors; ///< [P, D]
    std::vector<float> m_norms;   ///< [P]
    std::vector<float> m_bias;    ///< [P + kScanSlack]
    float m_bound = 0;
    double m_squaredScale = 1;
};

/// Candidates of one query, all that may belong to its neighbours: for each a lower bound of its
/// squared distance less the query's squared length, and its position. Views into the caller's arrays.
struct CandidateList
{
    std::span<float> values;           ///< [room], a multiple of kCandidatePadding
    std::span<std::int32_t> positions; ///< [room]
};

/// Room that k neighbours need at least, and the room that costs least: the longer the list, the
/// rarer it is compacted; the shorter, the tighter its limit and the fewer the candidates.
[[nodiscard]] std::int64_t leastRoom(std::int64_t k);
[[nodiscard]] std::int64_t bestRoom(std::int64_t k);

/// Squared distance and row of a neighbour.
using RankedNeighbor = std::pair<double, std::int32_t>;

/// Keeps and ranks the candidates of queries. One per thread: it owns the scratch.
///
/// For query a and candidate b the float32 product gives |b|^2 - 2 a.b, hence the squared distance
/// less |a|^2, within c (|a|^2 + |b|^2) with c = (D + 16) 2^-24. A candidate is kept while its
/// lowest possible value is not above the K-th smallest highest possible value: nothing that
/// belongs to the result is lost in whatever order candidates come, and the few survivors are
/// ranked by exact distances. So results depend neither on the order nor on the threads.
class CandidateRanker
{
public:
    CandidateRanker(const SearchPoints& points, std::int64_t k);

    /// Makes room in a list that is full.
    /// @param limit  the query's: lowered to what the kept ones allow
    /// @return how many stay, at the front of the list, always fewer than the list held
    [[nodiscard]] std::int64_t compact(std::int64_t query, const CandidateList& list, float& limit);
    /// Keeps of a list those that may be among the `wanted` nearest.
    /// @param limit  the query's: lowered to what they allow
    /// @return how many stay, at the front of the list
    [[nodiscard]] std::int64_t keepNearest(std::int64_t query, const CandidateList& list, std::int64_t count,
                                           std::int64_t wanted, float& limit);
    /// Ranks what was found for one query, itself excluded, at most k, nearest first, ties by lower
    /// row. Valid until the next call.
    /// @param limit  lowered to what is certain: nothing above it belongs to the result
    [[nodiscard]] std::span<const RankedNeighbor> rank(std::int64_t query, const CandidateList& list,
                                                       std::int64_t count, float& limit);

private:
    const SearchPoints& m_points;
    std::int64_t m_k;
    std::vector<float> m_upper;
    std::vector<std::int32_t> m_rows;
    std::vector<double> m_squared;
    std::vector<RankedNeighbor> m_ranked;
};

/// The K nearest of a block of queries among ranges of points. One per thread; reused.
class BlockSearch
{
public:
    static constexpr std::int64_t kQueries = 64; ///< queries of one block, at most

    BlockSearch(const SearchPoints& points, std::int64_t k);

    /// Begins with the queries at these positions, at most kQueries.
    void start(std::span<const std::int64_t> positions);
    /// Looks at the points at positions [begin, end).
    void scan(std::int64_t begin, std::int64_t end);
    /// Ranks what was found for query number `query` of the block: as CandidateRanker::rank.
    [[nodiscard]] std::span<const RankedNeighbor> finish(std::int64_t query);

private:
    [[nodiscard]] CandidateList listOf(std::int64_t query);

    const SearchPoints& m_points;
    CandidateRanker m_ranker;
    std::int64_t m_room;
    std::vector<std::int64_t> m_positions;
    std::vector<float> m_vectors;  ///< [kQueries, D]
    std::vector<float> m_products; ///< [kQueries, candidates of one product]
    std::vector<float> m_limits;
    std::vector<std::int64_t> m_counts;
    std::vector<float> m_listValues;           ///< [kQueries, room]
    std::vector<std::int32_t> m_listPositions; ///< [kQueries, room]
    std::vector<float> m_values;
    std::vector<std::int32_t> m_ids;
};

} // namespace headscope
