// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/approximate_neighbors.h"

#include "model/analysis/neighbors/block_search.h"
#include "model/analysis/neighbors/pair_search.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/base/size_of.h"
#include "model/kernels/distances.h"
#include "model/kernels/gemm.h"

#include <algorithm>
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
constexpr std::int64_t kCheckedPoints = 512;
constexpr std::int64_t kLargestBlock = 1024; // larger cells are cut: one thread must not hold one for long
constexpr double kAllPairsFrom = 0.7;        // share of the pairs from which all of them are taken

/// Rows as k-means sees them, as they are or scaled to unit length; `chosen` empty = all.
struct RowSource
{
    ConstMatrixView rows;
    std::span<const double> scales;
    std::span<const std::int64_t> chosen;

    [[nodiscard]] std::int64_t count() const
    {
        return chosen.empty() ? rows.rows() : static_cast<std::int64_t>(chosen.size());
    }

    void copy(std::int64_t begin, std::int64_t end, float* to) const
    {
        for (std::int64_t i = begin; i < end; ++i)
        {
            const std::int64_t r = chosen.empty() ? i : chosen[sizeOf(i)];
            const double scale = scales.empty() ? 1.0 : scales[sizeOf(r)];
            const float* from = rows.data() + r * rows.stride();
            for (std::int64_t k = 0; k < rows.cols(); ++k)
                *to++ = static_cast<float>(static_cast<double>(from[k]) * scale);
        }
    }
};

/// Nearest centre of every row.
std::vector<std::int32_t> assign(const RowSource& source, const MatrixF& centres, int numThreads, const JobContext& job)
{
    const std::int64_t dims = centres.cols();
    const std::int64_t cells = centres.rows();
    std::vector<float> norms(sizeOf(cells));
    for (std::int64_t c = 0; c < cells; ++c)
        norms[sizeOf(c)] = static_cast<float>(squaredNorm(centres.row(c).data(), dims));
    std::vector<std::int32_t> nearest(sizeOf(source.count()));
    struct Scratch
    {
        std::vector<float> rows;
        std::vector<float> products;
    };
    std::vector<Scratch> scratches(sizeOf(numThreads));
    parallelForBlocks(numThreads, source.count(), kAssignBlock, [&](const Block& block, int worker) {
        if (job.stopRequested())
            return;
        Scratch& scratch = scratches[sizeOf(worker)];
        scratch.rows.resize(sizeOf(kAssignBlock * dims));
        scratch.products.resize(sizeOf(kAssignBlock * cells));
        source.copy(block.begin, block.end, scratch.rows.data());
        gemmNT(block.end - block.begin, cells, dims, -2.0F, scratch.rows.data(), dims, centres.data(), dims, 0.0F,
               scratch.products.data(), cells);
        for (std::int64_t i = block.begin; i < block.end; ++i)
        {
            const float* products = scratch.products.data() + (i - block.begin) * cells;
            nearest[sizeOf(i)] = static_cast<std::int32_t>(smallestOf(products, norms.data(), cells));
        }
    });
    return nearest;
}

/// The rows cell after cell, in each in their order.
struct RowsByCell
{
    std::vector<std::int32_t> order;
    std::vector<std::int64_t> start; ///< [C + 1]
};

RowsByCell sortByCell(const std::vector<std::int32_t>& nearest, std::int64_t cells)
{
    RowsByCell sorted{std::vector<std::int32_t>(nearest.size()), std::vector<std::int64_t>(sizeOf(cells + 1))};
    for (const std::int32_t cell : nearest)
        ++sorted.start[sizeOf(cell) + 1];
    std::partial_sum(sorted.start.begin(), sorted.start.end(), sorted.start.begin());
    std::vector<std::int64_t> next = sorted.start;
    for (std::size_t i = 0; i < nearest.size(); ++i)
        sorted.order[sizeOf(next[sizeOf(nearest[i])]++)] = static_cast<std::int32_t>(i);
    return sorted;
}

/// Centres moved to the means of their rows, summed in double in the order of the rows.
void moveCentres(const RowSource& source, const std::vector<std::int32_t>& nearest, int numThreads, MatrixF& centres)
{
    const std::int64_t dims = centres.cols();
    const RowsByCell rows = sortByCell(nearest, centres.rows());
    parallelFor(numThreads, centres.rows(), 8, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> row(sizeOf(dims));
        std::vector<double> sum(sizeOf(dims));
        for (std::int64_t c = begin; c < end; ++c)
        {
            std::fill(sum.begin(), sum.end(), 0.0);
            const std::int64_t count = rows.start[sizeOf(c + 1)] - rows.start[sizeOf(c)];
            for (std::int64_t at = rows.start[sizeOf(c)]; at < rows.start[sizeOf(c + 1)]; ++at)
            {
                const std::int32_t i = rows.order[sizeOf(at)];
                source.copy(i, i + 1, row.data());
                for (std::size_t k = 0; k < sum.size(); ++k)
                    sum[k] += static_cast<double>(row[k]);
            }
            for (std::int64_t k = 0; k < dims && count > 0; ++k)
                centres(c, k) = static_cast<float>(sum[sizeOf(k)] / static_cast<double>(count));
        }
    });
}

/// The centres along a greedy chain: each next one is the nearest not yet taken.
MatrixF chained(const MatrixF& centres, const JobContext& job)
{
    const std::int64_t cells = centres.rows();
    MatrixF ordered(cells, centres.cols());
    std::vector<bool> taken(sizeOf(cells));
    std::vector<double> distance(sizeOf(cells));
    std::int64_t current = 0;
    for (std::int64_t step = 0; step < cells && !job.stopRequested(); ++step)
    {
        std::copy_n(centres.row(current).begin(), centres.cols(), ordered.row(step).begin());
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
        if (taken[sizeOf(current)]) // the rest is infinitely far: in their own order
            current = std::find(taken.begin(), taken.end(), false) - taken.begin();
    }
    return ordered;
}

/// For each cell (row) the other cells by distance, nearest first, itself at the front; and the
/// place of each cell in that order.
struct CellRanks
{
    Matrix<std::int32_t> order; ///< [C, C]
    Matrix<std::int32_t> place; ///< [C, C]

    /// How many of its nearest cells one of the two must look at to meet the other.
    [[nodiscard]] std::int32_t probesToMeet(std::int32_t a, std::int32_t b) const
    {
        return std::min(place(a, b), place(b, a)) + 1;
    }
};

CellRanks rankCells(const MatrixF& centres, int numThreads, const JobContext& job)
{
    const std::int64_t cells = centres.rows();
    CellRanks ranks{{cells, cells}, {cells, cells}};
    parallelFor(numThreads, cells, 8, [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> distance(sizeOf(cells));
        for (std::int64_t c = begin; c < end && !job.stopRequested(); ++c)
        {
            squaredDistances(centres.row(c).data(), 1.0, centres.data(), centres.cols(), nullptr, nullptr, cells,
                             centres.cols(), distance.data());
            distance[sizeOf(c)] = -1; // equal centres must not come before itself
            const auto order = ranks.order.row(c);
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [&](std::int32_t a, std::int32_t b) { return distance[sizeOf(a)] < distance[sizeOf(b)]; });
            for (std::size_t p = 0; p < order.size(); ++p)
                ranks.place(c, order[p]) = static_cast<std::int32_t>(p);
        }
    });
    return ranks;
}

/// What the sample says: recall[p - 1] for every number of probes p, and what may be relied on.
struct RecallCurve
{
    std::vector<double> mean;  ///< [C]
    std::vector<double> lower; ///< [C] mean less two standard errors
    std::int64_t sampled = 0;  ///< points
};

/// Where the true neighbours of a seeded sample of points are, searched exactly.
Result<RecallCurve> recallCurve(const SearchPoints& points, const Cells& cells, const CellRanks& ranks, std::int64_t k,
                                std::uint64_t seed, int numThreads, JobContext& job)
{
    constexpr std::int64_t kRange = 8192;                     // points between two questions whether to stop
    std::vector<std::int32_t> cellOf(sizeOf(points.count())); // by row
    for (std::int64_t c = 0; c < cells.centres.rows(); ++c)
    {
        for (std::int64_t p = cells.start[sizeOf(c)]; p < cells.start[sizeOf(c + 1)]; ++p)
            cellOf[sizeOf(points.row(p))] = static_cast<std::int32_t>(c);
    }
    std::vector<std::int64_t> chosen = permutation(points.count(), CounterRandom(seed, 0x7265));
    chosen.resize(std::min(chosen.size(), sizeOf(kCheckedPoints)));
    const auto count = static_cast<std::int64_t>(chosen.size());
    Matrix<std::int32_t> needed(count, k); // probes, ascending per row
    std::vector<std::unique_ptr<BlockSearch>> searches(sizeOf(numThreads));
    parallelForBlocks(numThreads, count, BlockSearch::kQueries, [&](const Block& block, int worker) {
        auto& search = searches[sizeOf(worker)];
        if (!search)
            search = std::make_unique<BlockSearch>(points, k);
        search->start(std::span(chosen).subspan(sizeOf(block.begin), sizeOf(block.end - block.begin)));
        for (std::int64_t from = 0; from < points.count(); from += kRange)
        {
            if (job.stopRequested())
                return;
            search->scan(from, std::min(points.count(), from + kRange));
        }
        for (std::int64_t i = block.begin; i < block.end; ++i)
        {
            const auto truth = search->finish(i - block.begin);
            const std::int32_t own = cellOf[sizeOf(points.row(chosen[sizeOf(i)]))];
            const auto probes = needed.row(i);
            std::transform(truth.begin(), truth.end(), probes.begin(), [&](const RankedNeighbor& neighbor) {
                return ranks.probesToMeet(own, cellOf[sizeOf(neighbor.second)]);
            });
            std::sort(probes.begin(), probes.end());
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    RecallCurve curve;
    curve.sampled = count;
    for (std::int64_t p = 1; p <= cells.centres.rows(); ++p)
    {
        double sum = 0;
        double squares = 0;
        for (std::int64_t i = 0; i < count; ++i)
        {
            const auto probes = needed.row(i);
            const auto within = std::upper_bound(probes.begin(), probes.end(), static_cast<std::int32_t>(p));
            const double share = static_cast<double>(within - probes.begin()) / static_cast<double>(k);
            sum += share;
            squares += share * share;
        }
        const double mean = sum / static_cast<double>(count);
        const double variance = std::max(0.0, squares / static_cast<double>(count) - mean * mean);
        curve.mean.push_back(mean);
        curve.lower.push_back(mean - 2 * std::sqrt(variance / static_cast<double>(count)));
    }
    return curve;
}

/// Blocks of the search: the cells, large ones cut, empty ones left out.
struct CellBlocks
{
    std::vector<std::int64_t> start;
    std::vector<std::int32_t> firstOf; ///< [C + 1] first block of each cell
};

CellBlocks cutCells(const Cells& cells)
{
    CellBlocks blocks;
    for (std::int64_t c = 0; c < cells.centres.rows(); ++c)
    {
        blocks.firstOf.push_back(static_cast<std::int32_t>(blocks.start.size()));
        for (std::int64_t at = cells.start[sizeOf(c)]; at < cells.start[sizeOf(c + 1)]; at += kLargestBlock)
            blocks.start.push_back(at);
    }
    blocks.firstOf.push_back(static_cast<std::int32_t>(blocks.start.size()));
    blocks.start.push_back(cells.start.back());
    return blocks;
}

/// The pairs of blocks whose cells meet within `probes`, and as many more as k neighbours need.
std::vector<BlockPair> pairsWithin(std::int64_t probes, const Cells& cells, const CellBlocks& blocks,
                                   const CellRanks& ranks, std::int64_t k)
{
    std::vector<BlockPair> pairs;
    for (std::int64_t c = 0; c < cells.centres.rows(); ++c)
    {
        std::int64_t seen = 0;
        std::int64_t looked = 0;
        for (const std::int32_t near : ranks.order.row(c))
        {
            if (looked++ >= probes && seen > k)
                break;
            seen += cells.start[sizeOf(near) + 1] - cells.start[sizeOf(near)];
            for (std::int32_t a = blocks.firstOf[sizeOf(c)]; a < blocks.firstOf[sizeOf(c) + 1]; ++a)
            {
                for (std::int32_t b = blocks.firstOf[sizeOf(near)]; b < blocks.firstOf[sizeOf(near) + 1]; ++b)
                    pairs.emplace_back(std::min(a, b), std::max(a, b));
            }
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

} // namespace

Result<Cells> makeCells(ConstMatrixView rows, std::span<const double> scales, std::int64_t numCells, std::uint64_t seed,
                        int numThreads, JobContext& job)
{
    const std::int64_t dims = rows.cols();
    numCells = std::clamp<std::int64_t>(numCells, 1, std::max<std::int64_t>(1, rows.rows()));
    std::vector<std::int64_t> sample = permutation(rows.rows(), CounterRandom(seed, 0x6b6d));
    sample.resize(std::min(sample.size(), sizeOf(numCells * kSamplePerCell)));
    const RowSource sampled{rows, scales, sample};
    Cells cells;
    cells.centres = MatrixF(numCells, dims);
    sampled.copy(0, std::min(numCells, sampled.count()), cells.centres.data());
    for (int round = 0; round < kRounds; ++round)
    {
        HEADSCOPE_CHECK(job.checkStop());
        job.report("grouping points", static_cast<std::uint64_t>(round), kRounds, "rounds");
        const auto nearest = assign(sampled, cells.centres, numThreads, job);
        HEADSCOPE_CHECK(job.checkStop());
        moveCentres(sampled, nearest, numThreads, cells.centres);
    }
    cells.centres = chained(cells.centres, job);
    const auto nearest = assign({rows, scales, {}}, cells.centres, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    RowsByCell sorted = sortByCell(nearest, numCells);
    cells.order = std::move(sorted.order);
    cells.start = std::move(sorted.start);
    return cells;
}

Status prepareApproximately(const NeighborOptions& options, int numThreads, JobContext& job, NeighborSearch& search)
{
    const ConstMatrixView rows = search.rows;
    // About 300 points a cell: a product of 256 x 300 is large enough for its full rate.
    const auto numCells = static_cast<std::int64_t>(std::sqrt(static_cast<double>(rows.rows())) * 1.8);
    HEADSCOPE_TRY(Cells cells, makeCells(rows, search.scales, numCells, options.seed, numThreads, job));
    job.report("checking the recall", 0, 1);
    search.order = std::move(cells.order);
    search.points = std::make_unique<SearchPoints>(rows, search.scales, search.order, numThreads, job);
    const CellRanks ranks = rankCells(cells.centres, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    HEADSCOPE_TRY(const RecallCurve curve,
                  recallCurve(*search.points, cells, ranks, search.k, options.seed, numThreads, job));
    const auto enough =
        std::find_if(curve.lower.begin(), curve.lower.end(), [&](double share) { return share >= options.recall; });
    auto probes = std::min<std::int64_t>(enough - curve.lower.begin() + 1, cells.centres.rows());
    CellBlocks blocks = cutCells(cells);
    search.pairs = pairsWithin(probes, cells, blocks, ranks, search.k);
    std::vector<BlockPair> all = allPairs(std::ssize(blocks.start) - 1);
    if (pairProducts(blocks.start, search.pairs, rows.cols()) >
        kAllPairsFrom * pairProducts(blocks.start, all, rows.cols()))
    {
        probes = cells.centres.rows();
        search.pairs = std::move(all);
    }
    search.starts = std::move(blocks.start);
    search.method = NeighborMethod::Approximate;
    search.recall = curve.mean[sizeOf(probes - 1)];
    search.recallLow = curve.lower[sizeOf(probes - 1)];
    search.sampled = curve.sampled;
    return {};
}

} // namespace headscope
