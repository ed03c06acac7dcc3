// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace headscope
{

/// Points laid out for blocked searches: centred (or unit) float32 copies in a chosen order, with
/// what is needed to bound the rounding of their products. Built once, then only read.
class SearchPoints
{
public:
    /// @param rows    [P, D] the caller's, must outlive this
    /// @param scales  1 / length of each row for the cosine metric, empty for the Euclidean
    /// @param order   position -> row; empty = as they are
    SearchPoints(ConstMatrixView rows, std::span<const double> scales, std::span<const std::int32_t> order,
                 int numThreads);

    [[nodiscard]] std::int64_t count() const { return m_rows.rows(); }
    [[nodiscard]] std::int64_t dims() const { return m_rows.cols(); }
    [[nodiscard]] const float* vector(std::int64_t position) const { return m_vectors.data() + position * dims(); }
    [[nodiscard]] std::int32_t row(std::int64_t position) const
    {
        return m_order.empty() ? static_cast<std::int32_t>(position) : m_order[static_cast<std::size_t>(position)];
    }
    /// Squared distance from direct differences in double; 2 where a cosine vector is zero.
    [[nodiscard]] double exactDistance(std::int64_t positionA, std::int64_t positionB) const;

private:
    friend class BlockSearch;

    ConstMatrixView m_rows;
    std::span<const double> m_scales;
    std::vector<std::int32_t> m_order;
    std::vector<float> m_vectors; ///< [P, D]
    std::vector<float> m_norms;   ///< [P] squared lengths; 1 for the cosine metric
    std::vector<float> m_bias;    ///< [P] norms lowered by the rounding bound
    float m_bound = 0;            ///< of a product's rounding, in units of |a| |b|
};

/// The K nearest of a block of queries among ranges of points. One per thread; reused.
///
/// For query a and candidate b the float32 product gives |b|^2 - 2 a.b, hence the squared distance
/// less |a|^2, within c (|a|^2 + |b|^2) with c = (D + 16) 2^-24. A candidate is kept while its
/// lowest possible value is not above the K-th smallest highest possible value: nothing that
/// belongs to the result is lost, and the few survivors are ranked by exact distances.
class BlockSearch
{
public:
    static constexpr std::int64_t kQueries = 256; ///< queries of one block, at most

    BlockSearch(const SearchPoints& points, std::int64_t k);

    /// Begins with the queries at positions [begin, end).
    void start(std::int64_t begin, std::int64_t end);
    /// Looks at the points at positions [begin, end).
    void scan(std::int64_t begin, std::int64_t end);
    /// Ranks what was found for one query: (squared distance, row), itself excluded, at most k.
    [[nodiscard]] std::span<const std::pair<double, std::int32_t>> finish(std::int64_t query);

private:
    struct Query
    {
        float threshold = 0;
        float slack = 0; ///< rounding bound times |a|^2
        std::int64_t count = 0;
    };

    void compact(std::int64_t query);
    void rankExactly(std::int64_t query);

    const SearchPoints& m_points;
    std::int64_t m_k;
    std::int64_t m_room;
    std::int64_t m_begin = 0;
    std::int64_t m_end = 0;
    std::vector<Query> m_queries;
    std::vector<float> m_products; ///< [kQueries, kCandidates]
    std::vector<float> m_values;   ///< [kQueries, room]
    std::vector<std::int32_t> m_positions;
    std::vector<float> m_upper;
    std::vector<std::pair<double, std::int32_t>> m_ranked;
};

} // namespace headscope
