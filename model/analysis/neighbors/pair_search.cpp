// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/pair_search.h"

#include "model/analysis/neighbors/safe_rank.h"
#include "model/base/memory/pages.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/candidate_list.h"
#include "model/kernels/distances.h"
#include "model/kernels/gemm.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

namespace headscope
{
namespace
{

// One product: 256 x 1024 float32 stay in a second-level cache of 2 MB beside the operands.
constexpr std::int64_t kRows = 256;
constexpr std::int64_t kColumns = 1024;
constexpr std::int64_t kStride = kColumns + 16; // rows a power of two apart would share cache sets
// Pairs run diagonal by diagonal within strips of this many blocks: threads that run side by side
// meet different blocks, and the blocks of a strip are done with before the next begins.
constexpr std::int32_t kStrip = 32;
constexpr std::int64_t kListBytes = std::int64_t{256} << 20; // of all candidate lists, where k allows
constexpr std::size_t kEntryBytes = sizeof(float) + sizeof(std::int32_t);

/// Limits are guessed from as many of all points at most: later there is little to gain.
constexpr double kLargestSample = 0.25;

/// Candidates that a list holds before it is compacted: all lists together should not outweigh the
/// data.
std::int64_t listRoom(std::int64_t points, std::int64_t k)
{
    const std::int64_t affordable = kListBytes / 8 / std::max<std::int64_t>(1, points);
    return std::clamp(affordable / kCandidatePadding * kCandidatePadding, leastRoom(k), bestRoom(k));
}

/// Candidate lists of one block's points, and who may touch them.
struct BlockLists
{
    std::mutex mutex;
    std::atomic<std::int64_t> pairsLeft = 0;
    std::atomic<std::int64_t> met = 0; ///< points that all of the block have met or are meeting
    std::size_t begin = 0;             ///< of the bytes of the lists in the memory of all
    std::size_t bytes = 0;             ///< whole pages
    std::span<float> values;           ///< [points, room]
    std::span<std::int32_t> positions; ///< [points, room]
    std::vector<std::int32_t> counts;
    std::vector<float> limits;  ///< [points + kScanSlack]
    std::vector<float> guesses; ///< [points] the limits that were guessed last

    [[nodiscard]] CandidateList list(std::size_t at, std::int64_t room)
    {
        const auto size = static_cast<std::size_t>(room);
        return {values.subspan(at * size, size), positions.subspan(at * size, size)};
    }
};

/// What one thread works with.
struct Scratch
{
    Scratch(const SearchPoints& points, std::int64_t k)
        : ranker(points, k), products(sizeOf(kRows * kStride + kScanSlack)), rowValues(sizeOf(kColumns + kScanSlack)),
          rowIds(rowValues.size()), columnValues(rowValues.size()), columnIds(rowValues.size())
    {}

    CandidateRanker ranker;
    std::vector<float> products;
    std::vector<float> rowValues;
    std::vector<std::int32_t> rowIds;
    std::vector<float> columnValues;
    std::vector<std::int32_t> columnIds;
    std::vector<std::int64_t> missed; ///< points whose limits were guessed too low
};

/// A run of positions of one block.
struct Part
{
    std::int32_t block = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;

    [[nodiscard]] std::int64_t size() const { return end - begin; }
};

class PairSearch
{
public:
    PairSearch(const SearchPoints& points, std::span<const std::int64_t> starts, std::int64_t k, PointOrder order,
               int numThreads, const FoundNearest& found)
        : m_points(points), m_starts(starts), m_k(k), m_order(order), m_room(listRoom(points.count(), k)),
          m_found(found), m_lists(starts.size() - 1), m_scratch(sizeOf(numThreads))
    {
        std::size_t at = 0;
        for (std::size_t b = 0; b < m_lists.size(); ++b)
        {
            m_lists[b].begin = at;
            m_lists[b].bytes = Pages::rounded(sizeOf(m_starts[b + 1] - m_starts[b]) * sizeOf(m_room) * kEntryBytes);
            at += m_lists[b].bytes;
        }
        m_memory = Pages(at);
    }

    Status run(const std::vector<BlockPair>& pairs, int numThreads, JobContext& job)
    {
        for (const auto& [a, b] : pairs)
        {
            ++m_lists[sizeOf(a)].pairsLeft;
            if (a != b)
                ++m_lists[sizeOf(b)].pairsLeft;
        }
        job.report("finding neighbours", 0, pairs.size(), "blocks");
        std::atomic<std::uint64_t> done = 0;
        parallelForBlocks(numThreads, static_cast<std::int64_t>(pairs.size()), 1, [&](const Block& task, int worker) {
            if (job.stopRequested())
                return;
            auto& scratch = m_scratch[sizeOf(worker)];
            if (!scratch)
                scratch = std::make_unique<Scratch>(m_points, m_k);
            const auto& [a, b] = pairs[sizeOf(task.index)];
            if (!compare(a, b, *scratch, job))
                return;
            finishAfterLastPair(a, *scratch, job);
            if (a != b)
                finishAfterLastPair(b, *scratch, job);
            ++done;
            if (worker == 0)
                job.report("finding neighbours", done.load(), pairs.size(), "blocks");
        });
        searchAgain(numThreads, job);
        return job.checkStop();
    }

private:
    [[nodiscard]] Part whole(std::int32_t block) const
    {
        return {block, m_starts[sizeOf(block)], m_starts[sizeOf(block) + 1]};
    }
    /// False when the job was stopped.
    bool compare(std::int32_t a, std::int32_t b, Scratch& scratch, const JobContext& job)
    {
        prepare(a);
        prepare(b);
        const Part rows = whole(a);
        const Part columns = whole(b);
        const std::int64_t rowsMet = m_lists[sizeOf(a)].met += columns.size();
        const std::int64_t columnsMet = a == b ? 0 : m_lists[sizeOf(b)].met += rows.size();
        for (std::int64_t r = rows.begin; a == b && r < rows.end; r += kRows)
        {
            const Part some = {a, r, std::min(rows.end, r + kRows)};
            compareTile(some, some, false, scratch); // the square on the diagonal holds both orders of each pair
            guessLimits(some, some.size(), scratch.ranker);
        }
        for (std::int64_t r = rows.begin; r < rows.end; r += kRows)
        {
            const Part some = {a, r, std::min(rows.end, r + kRows)};
            for (std::int64_t c = a == b ? some.end : columns.begin; c < columns.end; c += kColumns)
            {
                if (job.stopRequested())
                    return false;
                compareTile(some, {b, c, std::min(columns.end, c + kColumns)}, true, scratch);
            }
        }
        guessAgain(rows, rowsMet, columns.size(), scratch.ranker);
        if (a != b)
            guessAgain(columns, columnsMet, rows.size(), scratch.ranker);
        return !job.stopRequested();
    }

    /// Guesses the limits of a block anew when the points that it has met, `others` the last, have doubled.
    void guessAgain(const Part& part, std::int64_t met, std::int64_t others, CandidateRanker& ranker)
    {
        if (std::bit_width(sizeOf(met / kRows)) > std::bit_width(sizeOf((met - others) / kRows)))
            guessLimits(part, m_lists[sizeOf(part.block)].met, ranker);
    }

    /// Guesses the limits of points that have met `met` points at most.
    void guessLimits(const Part& part, std::int64_t met, CandidateRanker& ranker)
    {
        const double share = static_cast<double>(met) / static_cast<double>(m_points.count());
        if (m_order != PointOrder::Shuffled || share > kLargestSample)
            return;
        const std::int64_t rank = safeRank(m_k, share);
        BlockLists& lists = m_lists[sizeOf(part.block)];
        const std::lock_guard lock(lists.mutex);
        for (std::int64_t query = part.begin; query < part.end; ++query)
        {
            const auto at = sizeOf(query - m_starts[sizeOf(part.block)]);
            std::int32_t& count = lists.counts[at];
            if (count <= rank)
                continue;
            const float before = lists.limits[at];
            count = static_cast<std::int32_t>(
                ranker.keepNearest(query, lists.list(at, m_room), count, rank, lists.limits[at]));
            if (lists.limits[at] < before)
                lists.guesses[at] = lists.limits[at];
        }
    }

    void prepare(std::int32_t block)
    {
        BlockLists& lists = m_lists[sizeOf(block)];
        const std::lock_guard lock(lists.mutex);
        if (!lists.counts.empty())
            return;
        const auto count = sizeOf(whole(block).size());
        const std::size_t entries = count * sizeOf(m_room);
        std::byte* memory = m_memory.data() + lists.begin;
        lists.values = {reinterpret_cast<float*>(memory), entries};
        lists.positions = {reinterpret_cast<std::int32_t*>(memory + entries * sizeof(float)), entries};
        lists.limits.assign(count + sizeOf(kScanSlack), std::numeric_limits<float>::max());
        lists.guesses.assign(count, std::numeric_limits<float>::max());
        lists.counts.assign(count, 0);
    }

    void compareTile(const Part& rows, const Part& columns, bool bothWays, Scratch& scratch)
    {
        const std::int64_t dims = m_points.dims();
        gemmNT(rows.size(), columns.size(), dims, -2.0F, m_points.vector(rows.begin), dims,
               m_points.vector(columns.begin), dims, 0.0F, scratch.products.data(), kStride);
        BlockLists& rowLists = m_lists[sizeOf(rows.block)];
        BlockLists& columnLists = m_lists[sizeOf(columns.block)];
        std::unique_lock first(rowLists.mutex, std::defer_lock);
        std::unique_lock second(columnLists.mutex, std::defer_lock);
        if (rows.block == columns.block)
            first.lock();
        else
            std::lock(first, second);
        for (std::int64_t q = rows.begin; q < rows.end; ++q)
        {
            const float* products = scratch.products.data() + (q - rows.begin) * kStride;
            const float limit = rowLists.limits[sizeOf(q - m_starts[sizeOf(rows.block)])];
            BothWaysStep step;
            if (bothWays)
                step = scanBothWays(products, m_points.bias(columns.begin),
                                    columnLists.limits.data() + (columns.begin - m_starts[sizeOf(columns.block)]),
                                    columns.size(), *m_points.bias(q), limit, static_cast<std::int32_t>(columns.begin),
                                    scratch.rowValues.data(), scratch.rowIds.data(), scratch.columnValues.data(),
                                    scratch.columnIds.data());
            else
                step.row = scanBelow(products, m_points.bias(columns.begin), columns.size(), limit,
                                     static_cast<std::int32_t>(columns.begin), scratch.rowValues.data(),
                                     scratch.rowIds.data(), static_cast<std::int64_t>(scratch.rowValues.size()))
                               .appended;
            appendAll(rowLists, rows.block, q, sizeOf(step.row), scratch);
            for (std::size_t i = 0; i < sizeOf(step.column); ++i)
                append(columnLists, columns.block, scratch.columnIds[i], scratch.columnValues[i],
                       static_cast<std::int32_t>(q), scratch.ranker);
        }
    }

    /// What a row kept: copied as it is until the list is full, then under its new limit.
    void appendAll(BlockLists& lists, std::int32_t block, std::int64_t query, std::size_t kept, Scratch& scratch) const
    {
        const auto at = sizeOf(query - m_starts[sizeOf(block)]);
        std::int32_t& count = lists.counts[at];
        const CandidateList list = lists.list(at, m_room);
        const std::size_t fits = std::min(kept, list.values.size() - sizeOf(count));
        std::copy_n(scratch.rowValues.begin(), fits, list.values.begin() + count);
        std::copy_n(scratch.rowIds.begin(), fits, list.positions.begin() + count);
        count += static_cast<std::int32_t>(fits);
        for (std::size_t i = fits; i < kept; ++i)
        {
            if (scratch.rowValues[i] <= lists.limits[at])
                append(lists, block, query, scratch.rowValues[i], scratch.rowIds[i], scratch.ranker);
        }
    }

    void append(BlockLists& lists, std::int32_t block, std::int64_t query, float value, std::int32_t position,
                CandidateRanker& ranker) const
    {
        const auto at = sizeOf(query - m_starts[sizeOf(block)]);
        std::int32_t& count = lists.counts[at];
        if (count == m_room)
        {
            count = static_cast<std::int32_t>(ranker.compact(query, lists.list(at, m_room), lists.limits[at]));
            if (!(value <= lists.limits[at]))
                return;
        }
        const std::size_t entry = at * sizeOf(m_room) + sizeOf(count++);
        lists.values[entry] = value;
        lists.positions[entry] = position;
    }

    /// Ranks a block that has met all its others, and gives its lists back.
    void finishAfterLastPair(std::int32_t block, Scratch& scratch, const JobContext& job)
    {
        BlockLists& lists = m_lists[sizeOf(block)];
        if (lists.pairsLeft.fetch_sub(1) > 1)
            return;
        const std::lock_guard lock(lists.mutex);
        const Part part = whole(block);
        for (std::int64_t query = part.begin; query < part.end && !job.stopRequested(); ++query)
        {
            const auto at = sizeOf(query - part.begin);
            float certain = std::numeric_limits<float>::max();
            const auto ranked = scratch.ranker.rank(query, lists.list(at, m_room), lists.counts[at], certain);
            if (certain <= lists.guesses[at])
                m_found(query, ranked);
            else
                scratch.missed.push_back(query);
        }
        m_memory.giveBack(lists.begin, lists.bytes);
        lists.limits = {};
        lists.guesses = {};
    }

    /// Compares with all points those whose limits were guessed too low.
    void searchAgain(int numThreads, const JobContext& job)
    {
        std::vector<std::int64_t> missed;
        for (const auto& scratch : m_scratch)
        {
            if (scratch)
                missed.insert(missed.end(), scratch->missed.begin(), scratch->missed.end());
        }
        constexpr std::int64_t kStop = std::int64_t{1} << 14; // points between two looks at the job
        parallelFor(numThreads, std::ssize(missed), BlockSearch::kQueries, [&](std::int64_t begin, std::int64_t end) {
            BlockSearch search(m_points, m_k);
            search.start(std::span(missed).subspan(sizeOf(begin), sizeOf(end - begin)));
            for (std::int64_t at = 0; at < m_points.count() && !job.stopRequested(); at += kStop)
                search.scan(at, std::min(m_points.count(), at + kStop));
            for (std::int64_t i = begin; i < end && !job.stopRequested(); ++i)
                m_found(missed[sizeOf(i)], search.finish(i - begin));
        });
    }

    const SearchPoints& m_points;
    std::span<const std::int64_t> m_starts;
    std::int64_t m_k;
    PointOrder m_order;
    std::int64_t m_room;
    const FoundNearest& m_found;
    Pages m_memory; ///< of all lists
    std::vector<BlockLists> m_lists;
    std::vector<std::unique_ptr<Scratch>> m_scratch;
};

} // namespace

double candidateBytes(std::int64_t points, std::int64_t k)
{
    return static_cast<double>(points) * static_cast<double>(listRoom(points, k)) * static_cast<double>(kEntryBytes);
}

std::vector<std::int64_t> evenBlocks(std::int64_t points)
{
    constexpr std::int64_t kLargest = 2048;
    const std::int64_t size = std::clamp(blockCount(points, 32 * kRows) * kRows, kRows, kLargest);
    std::vector<std::int64_t> starts;
    for (std::int64_t at = 0; at < points; at += size)
        starts.push_back(at);
    starts.push_back(points);
    return starts;
}

std::vector<BlockPair> allPairs(std::int64_t blocks)
{
    std::vector<BlockPair> pairs;
    for (std::int32_t a = 0; a < blocks; ++a)
    {
        for (std::int32_t b = a; b < blocks; ++b)
            pairs.emplace_back(a, b);
    }
    return pairs;
}

double pairProducts(std::span<const std::int64_t> starts, std::span<const BlockPair> pairs, std::int64_t dims)
{
    double products = 0;
    for (const auto& [a, b] : pairs)
    {
        const auto rows = static_cast<double>(starts[sizeOf(a) + 1] - starts[sizeOf(a)]);
        const auto columns = static_cast<double>(starts[sizeOf(b) + 1] - starts[sizeOf(b)]);
        products += a == b ? rows * (rows + static_cast<double>(kRows)) / 2 : rows * columns;
    }
    return products * static_cast<double>(dims);
}

Status searchPairs(const SearchPoints& points, std::span<const std::int64_t> starts, std::vector<BlockPair> pairs,
                   std::int64_t k, PointOrder order, int numThreads, JobContext& job, const FoundNearest& found)
{
    std::sort(pairs.begin(), pairs.end(), [](const BlockPair& left, const BlockPair& right) {
        const auto key = [](const BlockPair& pair) {
            // Blocks meet themselves first: limits are guessed from that.
            const std::int32_t strip = pair.first == pair.second ? -1 : pair.first / kStrip;
            return std::make_tuple(strip, pair.second - pair.first, pair.first);
        };
        return key(left) < key(right);
    });
    PairSearch search(points, starts, k, order, numThreads, found);
    return search.run(pairs, numThreads, job);
}

} // namespace headscope
