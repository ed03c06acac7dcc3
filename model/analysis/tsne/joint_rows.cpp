// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/joint_rows.h"

#include "model/base/size_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <utility>

namespace headscope
{
namespace
{

/// Columns that are turned over together: their places stay in the cache of one core.
constexpr std::int64_t kBucket = 1024;
/// Buckets whose edges are in memory together: a share of all, but enough to occupy some threads.
constexpr std::int64_t kGroups = 16;
constexpr std::int64_t kLeastOfGroup = 48;

/// The edges whose columns fall into some buckets, bucket after bucket, ascending inside of each.
class ColumnBuckets
{
public:
    /// @param columns  [P, K], P points of K neighbours, each row ascending
    ColumnBuckets(std::span<const std::int32_t> columns, std::int64_t points, std::int64_t neighbors)
        : m_columns(columns), m_points(points), m_neighbors(neighbors),
          m_shift(
              static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max(kBucket, points / kBucket) - 1)))),
          m_buckets(blockCount(points, wide())), m_counts(sizeOf(m_buckets * m_buckets)), m_used(sizeOf(points))
    {}

    /// Columns of a bucket, and rows of a block of rows.
    [[nodiscard]] std::int64_t wide() const { return std::int64_t{1} << m_shift; }
    [[nodiscard]] std::int64_t count() const { return m_buckets; }
    /// Of the last gather().
    [[nodiscard]] std::span<const std::uint32_t> edges(std::int64_t bucket) const
    {
        const auto at = sizeOf(bucket - m_first);
        return {m_edges.get() + m_start[at], m_start[at + 1] - m_start[at]};
    }

    /// @errors Cancelled
    Status countEdges(int numThreads, JobContext& job)
    {
        parallelForBlocks(numThreads, m_points, wide(), [&](const Block& block, int) {
            std::uint32_t* counts = m_counts.data() + block.index * m_buckets;
            if (job.stopRequested())
                return;
            for (std::int64_t e = block.begin * m_neighbors; e < block.end * m_neighbors; ++e)
                ++counts[m_columns[sizeOf(e)] >> m_shift];
        });
        return job.checkStop();
    }

    /// Takes the edges of the buckets [first, last); groups of buckets follow each other.
    /// @errors Cancelled
    Status gather(std::int64_t first, std::int64_t last, int numThreads, JobContext& job)
    {
        m_first = first;
        m_start.assign(1, 0);
        std::vector<std::uint32_t> next(m_counts.size()); // [blocks, buckets] where each block's edges of a bucket go
        std::uint32_t at = 0;
        for (std::int64_t bucket = first; bucket < last; ++bucket)
        {
            for (std::int64_t block = 0; block < m_buckets; ++block)
            {
                const auto cell = sizeOf(block * m_buckets + bucket);
                next[cell] = at;
                at += m_counts[cell];
            }
            m_start.push_back(at);
        }
        if (at > m_room)
            m_edges = std::make_unique_for_overwrite<std::uint32_t[]>(at);
        m_room = std::max(m_room, at);
        parallelForBlocks(numThreads, m_points, wide(), [&](const Block& block, int) {
            std::uint32_t* to = next.data() + block.index * m_buckets;
            if (job.stopRequested())
                return;
            for (std::int64_t i = block.begin; i < block.end; ++i)
            {
                auto e = static_cast<std::uint32_t>(i * m_neighbors) + m_used[sizeOf(i)];
                const auto end = static_cast<std::int64_t>((i + 1) * m_neighbors);
                for (; e < end && m_columns[e] >> m_shift < last; ++e)
                    m_edges[to[m_columns[e] >> m_shift]++] = e;
                m_used[sizeOf(i)] = e - static_cast<std::uint32_t>(i * m_neighbors);
            }
        });
        return job.checkStop();
    }

private:
    std::span<const std::int32_t> m_columns;
    std::int64_t m_points;
    std::int64_t m_neighbors;
    int m_shift;
    std::int64_t m_buckets;
    std::vector<std::uint32_t> m_counts; ///< [blocks, buckets]
    std::vector<std::uint32_t> m_used;   ///< [P] edges of each row that were taken, in ascending order of their columns
    std::int64_t m_first = 0;
    std::vector<std::uint32_t> m_start; ///< of each bucket in m_edges
    std::unique_ptr<std::uint32_t[]> m_edges;
    std::uint32_t m_room = 0;
};

/// The transpose for a bucket of columns: of each, the rows that have it, ascending.
template <class T>
struct TurnedBucket
{
    std::int64_t begin = 0;           ///< first column
    std::vector<std::uint32_t> start; ///< [columns + 1]
    std::vector<JointEdge<T>> edges;  ///< of a row, its conditional probability of the column

    void fill(const Block& columns, std::span<const std::uint32_t> from, const std::int32_t* columnOf,
              const T* conditional, std::uint32_t perRow)
    {
        begin = columns.begin;
        start.assign(sizeOf(columns.end - columns.begin + 2), 0);
        for (const std::uint32_t e : from)
            ++start[sizeOf(columnOf[e] - begin + 2)];
        for (std::size_t c = 1; c < start.size(); ++c)
            start[c] += start[c - 1];
        edges.resize(from.size());
        for (const std::uint32_t e : from) // start[c + 1] goes from the begin of column c to its end
            edges[start[sizeOf(columnOf[e] - begin + 1)]++] = {static_cast<std::int32_t>(e / perRow), conditional[e]};
    }

    [[nodiscard]] std::span<const JointEdge<T>> column(std::int64_t point) const
    {
        const auto at = sizeOf(point - begin);
        return std::span(edges).subspan(start[at], start[at + 1] - start[at]);
    }
};

/// Adds a row of conditional probabilities to the row of the transpose.
template <class T>
void merge(std::span<const std::int32_t> columns, const T* conditional, std::span<const JointEdge<T>> turned, T scale,
           std::vector<JointEdge<T>>& into)
{
    into.clear();
    std::size_t a = 0;
    std::size_t b = 0;
    while (a < columns.size() || b < turned.size())
    {
        const std::int32_t none = std::numeric_limits<std::int32_t>::max();
        const std::int32_t own = a < columns.size() ? columns[a] : none;
        const std::int32_t other = b < turned.size() ? turned[b].column : none;
        T value = 0;
        if (own <= other)
            value += conditional[a++];
        if (other <= own)
            value += turned[b++].value;
        into.push_back({std::min(own, other), value * scale});
    }
}

} // namespace

template <class T>
JointRows<T>::JointRows(std::int64_t points, std::int64_t neighbors)
    : m_points(points), m_neighbors(neighbors),
      m_columns(std::make_unique_for_overwrite<std::int32_t[]>(sizeOf(points * neighbors))),
      m_conditional(std::make_unique_for_overwrite<T[]>(sizeOf(points * neighbors)))
{}

template <class T>
void JointRows<T>::setRow(std::int64_t point, std::vector<JointEdge<T>>& conditional)
{
    HEADSCOPE_ASSERT(std::ssize(conditional) == m_neighbors);
    std::sort(conditional.begin(), conditional.end(), // columns differ: the order is theirs alone
              [](const auto& a, const auto& b) { return a.column < b.column; });
    std::size_t at = sizeOf(point * m_neighbors);
    for (const auto& [column, value] : conditional)
    {
        m_columns[at] = column;
        m_conditional[at++] = value;
    }
}

template <class T>
Status JointRows<T>::visit(const Visit& body, int numThreads, JobContext& job) const
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
    ColumnBuckets buckets({m_columns.get(), sizeOf(edges)}, m_points, m_neighbors);
    HEADSCOPE_CHECK(buckets.countEdges(numThreads, job));
    const std::int64_t together = std::max(kLeastOfGroup, blockCount(buckets.count(), kGroups));
    const T scale = static_cast<T>(1.0 / (2.0 * static_cast<double>(m_points)));
    std::vector<TurnedBucket<T>> scratches(sizeOf(numThreads));
    for (std::int64_t first = 0; first < buckets.count(); first += together)
    {
        const std::int64_t last = std::min(buckets.count(), first + together);
        HEADSCOPE_CHECK(buckets.gather(first, last, numThreads, job));
        parallelForBlocks(numThreads, last - first, 1, [&](const Block& task, int worker) {
            if (job.stopRequested())
                return;
            const std::int64_t bucket = first + task.index;
            TurnedBucket<T>& turned = scratches[sizeOf(worker)];
            const std::int64_t begin = bucket * buckets.wide();
            const std::int64_t end = std::min(m_points, begin + buckets.wide());
            turned.fill({begin, end, bucket}, buckets.edges(bucket), m_columns.get(), m_conditional.get(),
                        static_cast<std::uint32_t>(m_neighbors));
            const auto rowOf = [&](std::int64_t point, std::vector<JointEdge<T>>& into) {
                const std::size_t at = sizeOf(point * m_neighbors);
                merge<T>({m_columns.get() + at, sizeOf(m_neighbors)}, m_conditional.get() + at, turned.column(point),
                         scale, into);
            };
            for (std::int64_t from = begin; from < end && !job.stopRequested(); from += kVisited)
                body({from, std::min(end, from + kVisited), from / kVisited}, worker, rowOf);
        });
        HEADSCOPE_CHECK(job.checkStop());
    }
    return {};
}

template <class T>
double JointRows<T>::visitBytes(std::int64_t points, std::int64_t neighbors)
{
    constexpr double kBytes = sizeof(std::uint32_t); // of an edge, and of a point
    const auto columns = static_cast<double>(std::max(points / kGroups, std::min(points, kLeastOfGroup * kBucket)));
    return kBytes * (columns * static_cast<double>(neighbors) + static_cast<double>(points));
}

template class JointRows<float>;
template class JointRows<double>;

} // namespace headscope
