// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/approximate_neighbors.h"

#include "model/analysis/block_search.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/distances.h"
#include "model/kernels/gemm.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

namespace headscope
{
namespace
{

constexpr int kRounds = 8;
constexpr std::int64_t kSamplePerCell = 40;
constexpr std::int64_t kAssignBlock = 256;
constexpr std::int64_t kCheckedPoints = 256;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

/// Nearest centre of every row of `vectors` [n, D] (contiguous).
std::vector<std::int32_t> assign(const float* vectors, std::int64_t count, const MatrixF& centres, int numThreads,
                                 const JobContext& job)
{
    const std::int64_t dims = centres.cols();
    const std::int64_t cells = centres.rows();
    std::vector<float> norms(sizeOf(cells));
    for (std::int64_t c = 0; c < cells; ++c)
        norms[sizeOf(c)] = static_cast<float>(squaredNorm(centres.row(c).data(), dims));
    std::vector<std::int32_t> nearest(sizeOf(count));
    std::vector<std::vector<float>> products(sizeOf(numThreads));
    parallelForBlocks(numThreads, count, kAssignBlock, [&](const Block& block, int worker) {
        if (job.stopRequested())
            return;
        auto& product = products[sizeOf(worker)];
        product.resize(sizeOf(kAssignBlock * cells));
        gemmNT(block.end - block.begin, cells, dims, -2.0F, vectors + block.begin * dims, dims, centres.data(), dims,
               0.0F, product.data(), cells);
        for (std::int64_t i = block.begin; i < block.end; ++i)
        {
            const float* row = product.data() + (i - block.begin) * cells;
            float best = std::numeric_limits<float>::max();
            for (std::int64_t c = 0; c < cells; ++c)
            {
                const float value = row[c] + norms[sizeOf(c)];
                if (value < best)
                {
                    best = value;
                    nearest[sizeOf(i)] = static_cast<std::int32_t>(c);
                }
            }
        }
    });
    return nearest;
}

/// Order of the centres along a greedy chain: each next one is the nearest not yet taken.
std::vector<std::int32_t> chain(const MatrixF& centres)
{
    const std::int64_t cells = centres.rows();
    std::vector<std::int32_t> order;
    std::vector<bool> taken(sizeOf(cells));
    std::vector<double> distance(sizeOf(cells));
    std::int64_t current = 0;
    for (std::int64_t step = 0; step < cells; ++step)
    {
        order.push_back(static_cast<std::int32_t>(current));
        taken[sizeOf(current)] = true;
        squaredDistances(centres.row(current).data(), 1.0, centres.data(), centres.cols(), nullptr, nullptr, cells,
                         centres.cols(), distance.data());
        double best = std::numeric_limits<double>::infinity();
        for (std::int64_t c = 0; c < cells; ++c)
        {
            if (!taken[sizeOf(c)] && distance[sizeOf(c)] < best)
            {
                best = distance[sizeOf(c)];
                current = c;
            }
        }
    }
    return order;
}

/// Cells by their distance to each cell, nearest first: [C][C].
std::vector<std::vector<std::int32_t>> cellsByDistance(const MatrixF& centres, int numThreads)
{
    const std::int64_t cells = centres.rows();
    std::vector<std::vector<std::int32_t>> nearest(sizeOf(cells));
    parallelFor(numThreads, cells, 8, [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> distance(sizeOf(cells));
        for (std::int64_t c = begin; c < end; ++c)
        {
            squaredDistances(centres.row(c).data(), 1.0, centres.data(), cells > 0 ? centres.cols() : 0, nullptr,
                             nullptr, cells, centres.cols(), distance.data());
            auto& order = nearest[sizeOf(c)];
            order.resize(sizeOf(cells));
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [&](std::int32_t a, std::int32_t b) { return distance[sizeOf(a)] < distance[sizeOf(b)]; });
        }
    });
    return nearest;
}

/// Rows copied in a chosen order, as they are or scaled to unit length.
std::vector<float> gatherRows(ConstMatrixView rows, std::span<const double> scales,
                              std::span<const std::int64_t> chosen, int numThreads)
{
    const std::int64_t dims = rows.cols();
    std::vector<float> vectors(chosen.size() * sizeOf(dims));
    parallelFor(numThreads, static_cast<std::int64_t>(chosen.size()), 1024, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            const std::int64_t r = chosen[sizeOf(i)];
            const double scale = scales.empty() ? 1.0 : scales[sizeOf(r)];
            for (std::int64_t k = 0; k < dims; ++k)
                vectors[sizeOf(i * dims + k)] = static_cast<float>(static_cast<double>(rows(r, k)) * scale);
        }
    });
    return vectors;
}

class CellSearch
{
public:
    CellSearch(ConstMatrixView rows, std::span<const double> scales, const Cells& cells, std::int64_t k, int numThreads)
        : m_cells(cells), m_points(rows, scales, cells.order, numThreads),
          m_nearest(cellsByDistance(cells.centres, numThreads)), m_k(k), m_numThreads(numThreads),
          m_searches(sizeOf(numThreads)), m_cellOf(cells.order.size())
    {
        for (std::int64_t c = 0; c < cells.centres.rows(); ++c)
        {
            for (std::int64_t p = cells.start[sizeOf(c)]; p < cells.start[sizeOf(c + 1)]; ++p)
                m_cellOf[sizeOf(p)] = static_cast<std::int32_t>(c);
        }
    }

    /// Mean share of the true neighbours that `probes` cells find, over a seeded sample.
    Result<double> recall(std::int64_t probes, std::uint64_t seed, JobContext& job)
    {
        const CounterRandom random(seed, 0x7265);
        const std::int64_t count = std::min(kCheckedPoints, m_points.count());
        std::vector<double> share(sizeOf(count));
        parallelForBlocks(m_numThreads, count, 1, [&](const Block& block, int worker) {
            if (job.stopRequested())
                return;
            const auto query = static_cast<std::int64_t>(
                random.below(static_cast<std::uint64_t>(block.index), static_cast<std::uint64_t>(m_points.count())));
            BlockSearch& search = searchOf(worker);
            search.start(query, query + 1);
            search.scan(0, m_points.count());
            const auto truth = search.finish(query);
            const double last = truth.empty() ? 0 : truth.back().first;
            const auto wanted = static_cast<double>(truth.size());
            scanCells(search, query, query + 1, m_cellOf[sizeOf(query)], probes);
            const auto found = search.finish(query);
            const auto hits = std::count_if(found.begin(), found.end(), [&](const auto& f) { return f.first <= last; });
            share[sizeOf(block.index)] = wanted > 0 ? static_cast<double>(hits) / wanted : 1.0;
        });
        HEADSCOPE_CHECK(job.checkStop());
        return std::accumulate(share.begin(), share.end(), 0.0) / static_cast<double>(count);
    }

    Status run(std::int64_t probes, Neighbors& found, JobContext& job)
    {
        std::atomic<std::int64_t> done = 0;
        parallelForBlocks(m_numThreads, m_cells.centres.rows(), 1, [&](const Block& cell, int worker) {
            BlockSearch& search = searchOf(worker);
            const std::int64_t end = m_cells.start[sizeOf(cell.index + 1)];
            for (std::int64_t begin = m_cells.start[sizeOf(cell.index)]; begin < end; begin += BlockSearch::kQueries)
            {
                if (job.stopRequested())
                    return;
                const std::int64_t stop = std::min(end, begin + BlockSearch::kQueries);
                scanCells(search, begin, stop, cell.index, probes);
                store(search, begin, stop, found);
                done += stop - begin;
            }
            if (worker == 0)
                job.report("finding neighbours", static_cast<std::uint64_t>(done.load()),
                           static_cast<std::uint64_t>(m_points.count()), "points");
        });
        return job.checkStop();
    }

private:
    BlockSearch& searchOf(int worker)
    {
        auto& search = m_searches[sizeOf(worker)];
        if (!search)
            search = std::make_unique<BlockSearch>(m_points, m_k);
        return *search;
    }

    /// Nearest cells first; more than `probes` where those hold too few points for k neighbours.
    void scanCells(BlockSearch& search, std::int64_t begin, std::int64_t end, std::int64_t cell, std::int64_t probes)
    {
        search.start(begin, end);
        std::int64_t scanned = 0;
        std::int64_t seen = 0;
        for (const std::int32_t near : m_nearest[sizeOf(cell)])
        {
            if (scanned >= probes && seen > m_k)
                break;
            search.scan(m_cells.start[sizeOf(near)], m_cells.start[sizeOf(near) + 1]);
            seen += m_cells.start[sizeOf(near) + 1] - m_cells.start[sizeOf(near)];
            ++scanned;
        }
    }

    void store(BlockSearch& search, std::int64_t begin, std::int64_t end, Neighbors& found)
    {
        for (std::int64_t q = begin; q < end; ++q)
        {
            const auto ranked = search.finish(q);
            const std::int64_t row = m_points.row(q);
            for (std::size_t i = 0; i < ranked.size(); ++i)
            {
                found.squared(row, static_cast<std::int64_t>(i)) = ranked[i].first;
                found.indices(row, static_cast<std::int64_t>(i)) = ranked[i].second;
            }
        }
    }

    const Cells& m_cells;
    SearchPoints m_points;
    std::vector<std::vector<std::int32_t>> m_nearest;
    std::int64_t m_k;
    int m_numThreads;
    std::vector<std::unique_ptr<BlockSearch>> m_searches;
    std::vector<std::int32_t> m_cellOf;
};

} // namespace

Result<Cells> makeCells(ConstMatrixView rows, std::span<const double> scales, std::int64_t numCells, std::uint64_t seed,
                        int numThreads, JobContext& job)
{
    const std::int64_t dims = rows.cols();
    numCells = std::clamp<std::int64_t>(numCells, 1, std::max<std::int64_t>(1, rows.rows()));
    std::vector<std::int64_t> sample = permutation(rows.rows(), CounterRandom(seed, 0x6b6d));
    sample.resize(std::min(sample.size(), sizeOf(numCells * kSamplePerCell)));
    const std::vector<float> vectors = gatherRows(rows, scales, sample, numThreads);
    Cells cells;
    cells.centres = MatrixF(numCells, dims);
    std::copy_n(vectors.begin(), cells.centres.values().size(), cells.centres.data());
    for (int round = 0; round < kRounds; ++round)
    {
        HEADSCOPE_CHECK(job.checkStop());
        job.report("grouping points", static_cast<std::uint64_t>(round), kRounds, "rounds");
        const auto nearest =
            assign(vectors.data(), static_cast<std::int64_t>(sample.size()), cells.centres, numThreads, job);
        MatrixD sums(numCells, dims);
        std::vector<std::int64_t> counts(sizeOf(numCells));
        for (std::size_t i = 0; i < sample.size(); ++i)
        {
            ++counts[sizeOf(nearest[i])];
            for (std::int64_t k = 0; k < dims; ++k)
                sums(nearest[i], k) += static_cast<double>(vectors[i * sizeOf(dims) + sizeOf(k)]);
        }
        for (std::int64_t c = 0; c < numCells; ++c)
        {
            for (std::int64_t k = 0; k < dims && counts[sizeOf(c)] > 0; ++k)
                cells.centres(c, k) = static_cast<float>(sums(c, k) / static_cast<double>(counts[sizeOf(c)]));
        }
    }
    const std::vector<std::int32_t> order = chain(cells.centres);
    MatrixF ordered(numCells, dims);
    for (std::int64_t c = 0; c < numCells; ++c)
        std::copy_n(cells.centres.row(order[sizeOf(c)]).begin(), dims, ordered.row(c).begin());
    cells.centres = std::move(ordered);

    std::vector<std::int64_t> all(sizeOf(rows.rows()));
    std::iota(all.begin(), all.end(), 0);
    const auto nearest =
        assign(gatherRows(rows, scales, all, numThreads).data(), rows.rows(), cells.centres, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    cells.start.assign(sizeOf(numCells + 1), 0);
    for (const std::int32_t cell : nearest)
        ++cells.start[sizeOf(cell) + 1];
    std::partial_sum(cells.start.begin(), cells.start.end(), cells.start.begin());
    cells.order.resize(sizeOf(rows.rows()));
    std::vector<std::int64_t> next = cells.start;
    for (std::size_t i = 0; i < nearest.size(); ++i)
        cells.order[sizeOf(next[sizeOf(nearest[i])]++)] = static_cast<std::int32_t>(i);
    return cells;
}

Result<Neighbors> findApproximately(ConstMatrixView rows, std::span<const double> scales, std::int64_t k,
                                    const NeighborOptions& options, int numThreads, JobContext& job)
{
    // About 300 points a cell: a product of 256 x 300 is large enough for its full rate.
    const auto numCells = static_cast<std::int64_t>(std::sqrt(static_cast<double>(rows.rows())) * 1.8);
    HEADSCOPE_TRY(const Cells cells, makeCells(rows, scales, numCells, options.seed, numThreads, job));
    CellSearch search(rows, scales, cells, k, numThreads);
    Neighbors found{options.metric, {rows.rows(), k}, {rows.rows(), k}, NeighborMethod::Approximate, 0.0, cells.order};
    std::int64_t probes = 16;
    for (;; probes += std::max<std::int64_t>(8, probes / 2))
    {
        probes = std::min(probes, cells.centres.rows());
        HEADSCOPE_TRY(found.recall, search.recall(probes, options.seed, job));
        if (found.recall >= options.recall || probes >= cells.centres.rows())
            break;
    }
    HEADSCOPE_CHECK(search.run(probes, found, job));
    return found;
}

} // namespace headscope
