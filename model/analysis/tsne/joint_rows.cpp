// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/joint_rows.h"

#include "model/base/parallel.h"
#include "model/base/size_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kRowBlock = 256;
/// Columns that are turned over together: their places stay in the cache of one core.
constexpr std::int64_t kBucket = 1024;

/// Sorts a row by column; columns differ, so that the order of the values is theirs alone.
template <class T>
void sortRow(std::span<std::int32_t> columns, std::span<T> values, std::vector<std::pair<std::int32_t, T>>& scratch)
{
    scratch.clear();
    for (std::size_t k = 0; k < columns.size(); ++k)
        scratch.emplace_back(columns[k], values[k]);
    std::sort(scratch.begin(), scratch.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < columns.size(); ++k)
    {
        columns[k] = scratch[k].first;
        values[k] = scratch[k].second;
    }
}

/// Edges by the bucket that their column falls into, in ascending order inside of each.
struct ColumnBuckets
{
    std::int64_t wide = 0;                  ///< columns of a bucket
    std::vector<std::uint32_t> start;       ///< [B + 1] of each bucket in edges
    std::unique_ptr<std::uint32_t[]> edges; ///< [P K]
};

/// @param columns  [P, K], P points of K neighbours
/// @errors Cancelled
Result<ColumnBuckets> bucketEdges(std::span<const std::int32_t> columns, std::int64_t points, std::int64_t neighbors,
                                  int numThreads, JobContext& job)
{
    const auto shift =
        static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max(kBucket, points / kBucket) - 1)));
    ColumnBuckets sorted;
    sorted.wide = std::int64_t{1} << shift;
    const std::int64_t buckets = blockCount(points, sorted.wide);
    const std::int64_t blocks = blockCount(points, sorted.wide);
    std::vector<std::uint32_t> next(sizeOf(blocks * buckets)); // [blocks, buckets]
    parallelForBlocks(numThreads, points, sorted.wide, [&](const Block& block, int) {
        std::uint32_t* counts = next.data() + block.index * buckets;
        if (job.stopRequested())
            return;
        for (std::int64_t e = block.begin * neighbors; e < block.end * neighbors; ++e)
            ++counts[columns[sizeOf(e)] >> shift];
    });
    HEADSCOPE_CHECK(job.checkStop());
    sorted.start.resize(sizeOf(buckets + 1));
    std::uint32_t at = 0;
    for (std::int64_t bucket = 0; bucket < buckets; ++bucket)
    {
        sorted.start[sizeOf(bucket)] = at;
        for (std::int64_t block = 0; block < blocks; ++block)
            at += std::exchange(next[sizeOf(block * buckets + bucket)], at);
    }
    sorted.start[sizeOf(buckets)] = at;
    sorted.edges = std::make_unique_for_overwrite<std::uint32_t[]>(columns.size());
    parallelForBlocks(numThreads, points, sorted.wide, [&](const Block& block, int) {
        std::uint32_t* to = next.data() + block.index * buckets;
        if (job.stopRequested())
            return;
        for (std::int64_t e = block.begin * neighbors; e < block.end * neighbors; ++e)
            sorted.edges[to[columns[sizeOf(e)] >> shift]++] = static_cast<std::uint32_t>(e);
    });
    HEADSCOPE_CHECK(job.checkStop());
    return sorted;
}

} // namespace

template <class T>
JointRows<T>::JointRows(std::int64_t points, std::int64_t neighbors)
    : m_points(points), m_neighbors(neighbors),
      m_columns(std::make_unique_for_overwrite<std::int32_t[]>(sizeOf(points * neighbors))),
      m_conditional(std::make_unique_for_overwrite<T[]>(sizeOf(points * neighbors)))
{}

template <class T>
Status JointRows<T>::fill(const FillRow& fillRow, int numThreads, JobContext& job)
{
    parallelFor(numThreads, m_points, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
        if (job.stopRequested())
            return;
        std::vector<std::pair<std::int32_t, T>> scratch;
        for (std::int64_t i = begin; i < end; ++i)
        {
            const std::span<std::int32_t> columns(m_columns.get() + i * m_neighbors, sizeOf(m_neighbors));
            const std::span<T> conditional(m_conditional.get() + i * m_neighbors, sizeOf(m_neighbors));
            fillRow(i, columns, conditional);
            sortRow(columns, conditional, scratch);
        }
    });
    return job.checkStop();
}

template <class T>
Status JointRows<T>::transpose(int numThreads, JobContext& job)
{
    const std::int64_t edges = m_points * m_neighbors;
    if (edges > std::int64_t{std::numeric_limits<std::uint32_t>::max()})
    {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected fewer than 2^32 neighbours in all, found {} points with {} neighbours each",
                                 m_points, m_neighbors),
                     {},
                     {}};
    }
    // First into buckets of columns, then each bucket by column: both passes write near to where
    // they wrote before. Rows go in ascending order everywhere, whatever thread takes a block.
    HEADSCOPE_TRY(const ColumnBuckets buckets,
                  bucketEdges({m_columns.get(), sizeOf(edges)}, m_points, m_neighbors, numThreads, job));
    m_start.resize(sizeOf(m_points + 1));
    m_start.back() = edges;
    m_turnedRows = std::make_unique_for_overwrite<std::int32_t[]>(sizeOf(edges));
    m_turnedValues = std::make_unique_for_overwrite<T[]>(sizeOf(edges));
    const auto perRow = static_cast<std::uint32_t>(m_neighbors);
    parallelForBlocks(numThreads, m_points, buckets.wide, [&](const Block& bucket, int) {
        if (job.stopRequested())
            return;
        const std::uint32_t begin = buckets.start[sizeOf(bucket.index)];
        const std::uint32_t end = buckets.start[sizeOf(bucket.index + 1)];
        std::vector<std::uint32_t> to(sizeOf(bucket.end - bucket.begin + 1));
        for (std::uint32_t p = begin; p < end; ++p)
            ++to[sizeOf(m_columns[buckets.edges[p]] - bucket.begin + 1)];
        to[0] = begin;
        for (std::size_t c = 1; c < to.size(); ++c)
            to[c] += to[c - 1];
        for (std::int64_t i = bucket.begin; i < bucket.end; ++i)
            m_start[sizeOf(i)] = to[sizeOf(i - bucket.begin)];
        for (std::uint32_t p = begin; p < end; ++p)
        {
            const std::uint32_t e = buckets.edges[p];
            const std::uint32_t target = to[sizeOf(m_columns[e] - bucket.begin)]++;
            m_turnedRows[target] = static_cast<std::int32_t>(e / perRow);
            m_turnedValues[target] = m_conditional[e];
        }
    });
    return job.checkStop();
}

template <class T>
void JointRows<T>::row(std::int64_t point, std::vector<JointEdge<T>>& into) const
{
    const T scale = static_cast<T>(1.0 / (2.0 * static_cast<double>(m_points)));
    into.clear();
    std::int64_t a = point * m_neighbors;
    std::int64_t b = m_start[sizeOf(point)];
    const std::int64_t endA = a + m_neighbors;
    const std::int64_t endB = m_start[sizeOf(point) + 1];
    while (a < endA || b < endB)
    {
        const std::int32_t none = std::numeric_limits<std::int32_t>::max();
        const std::int32_t own = a < endA ? m_columns[sizeOf(a)] : none;
        const std::int32_t other = b < endB ? m_turnedRows[sizeOf(b)] : none;
        T value = 0;
        if (own <= other)
            value += m_conditional[sizeOf(a++)];
        if (other <= own)
            value += m_turnedValues[sizeOf(b++)];
        into.push_back({std::min(own, other), value * scale});
    }
}

template class JointRows<float>;
template class JointRows<double>;

} // namespace headscope
