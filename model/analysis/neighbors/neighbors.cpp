// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/neighbors.h"

#include "model/analysis/neighbors/approximate_neighbors.h"
#include "model/analysis/neighbors/block_search.h"
#include "model/analysis/neighbors/pair_search.h"
#include "model/base/free_memory.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/distances.h"
#include "model/kernels/vector_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace headscope
{
namespace
{

constexpr std::int64_t kTogether = 8; // rows whose distances to all are computed in one pass

/// Squared distances of one row to the rows [begin, end); 2 where a cosine vector is zero.
void distancesToRange(ConstMatrixView rows, std::span<const double> scales, std::int64_t row, std::int64_t begin,
                      std::int64_t end, double* out)
{
    const bool unit = !scales.empty();
    const double scale = unit ? scales[static_cast<std::size_t>(row)] : 1.0;
    squaredDistances(rows.row(row).data(), scale, rows.data() + begin * rows.stride(), rows.stride(),
                     unit ? scales.data() + begin : nullptr, nullptr, end - begin, rows.cols(), out);
    for (std::int64_t j = begin; unit && j < end; ++j)
    {
        if (j != row && (scale == 0.0 || scales[static_cast<std::size_t>(j)] == 0.0))
            out[j - begin] = 2.0; // a zero vector has no direction: cosine 0 to everything
    }
}

Result<Neighbors> findExactly(ConstMatrixView rows, std::span<const double> scales, std::int64_t k, Metric metric,
                              int numThreads, JobContext& job)
{
    const std::vector<std::int64_t> shuffled = permutation(rows.rows(), CounterRandom(1, 0x7368));
    const std::vector<std::int32_t> order(shuffled.begin(), shuffled.end());
    const SearchPoints points(rows, scales, order, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    const std::vector<std::int64_t> starts = evenBlocks(points.count());
    std::vector<BlockPair> pairs = allPairs(std::ssize(starts) - 1);
    Neighbors found;
    found.metric = metric;
    found.indices = Matrix<std::int32_t>(points.count(), k);
    found.squared = MatrixD(points.count(), k);
    found.multiplyAdds = pairProducts(starts, pairs, points.dims());
    HEADSCOPE_CHECK(searchPairs(points, starts, std::move(pairs), k, PointOrder::Shuffled, numThreads, job, found));
    return found;
}

} // namespace

double Neighbors::distance(std::int64_t point, std::int64_t rank) const
{
    return metric == Metric::Cosine ? squared(point, rank) / 2 : std::sqrt(squared(point, rank));
}

Status checkFinite(ConstMatrixView rows)
{
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const auto row = rows.row(i);
        if (!allFinite(row))
        {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected finite numbers, found NaN or infinity in row {} of {}", i, rows.rows()),
                         {},
                         {}};
        }
    }
    return {};
}

std::vector<double> unitScales(ConstMatrixView rows, int numThreads)
{
    std::vector<double> scales(static_cast<std::size_t>(rows.rows()));
    parallelFor(numThreads, rows.rows(), 1024, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            const double norm = squaredNorm(rows.row(i).data(), rows.cols());
            scales[static_cast<std::size_t>(i)] = norm > 0 ? 1.0 / std::sqrt(norm) : 0.0;
        }
    });
    return scales;
}

void distancesToAll(ConstMatrixView rows, std::span<const double> scales, std::int64_t row, std::span<double> out)
{
    distancesToRange(rows, scales, row, 0, rows.rows(), out.data());
}

void distancesToAll(ConstMatrixView rows, std::span<const double> scales, std::span<const std::int64_t> chosen,
                    MatrixD& out, const JobContext& job)
{
    constexpr std::int64_t kRange = 256; // rows that stay in the cache while each chosen one meets them
    for (std::int64_t begin = 0; begin < rows.rows() && !job.stopRequested(); begin += kRange)
    {
        const std::int64_t end = std::min(rows.rows(), begin + kRange);
        for (std::size_t i = 0; i < chosen.size(); ++i)
            distancesToRange(rows, scales, chosen[i], begin, end, out.row(static_cast<std::int64_t>(i)).data() + begin);
    }
}

Result<double> measuredRecall(ConstMatrixView rows, const Neighbors& found, std::int64_t count, std::uint64_t seed,
                              int numThreads, JobContext& job)
{
    auto chosen = permutation(rows.rows(), CounterRandom(seed, 1));
    chosen.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, rows.rows())));
    const auto scales = found.metric == Metric::Cosine ? unitScales(rows, numThreads) : std::vector<double>();
    if (chosen.empty() || found.k() == 0)
        return 1.0;
    std::atomic<std::int64_t> right = 0; // whole numbers: their sum has no order
    std::atomic<std::uint64_t> done = 0;
    parallelForBlocks(numThreads, std::ssize(chosen), kTogether, [&](const Block& block, int worker) {
        if (job.stopRequested())
            return;
        const auto some = std::span(chosen).subspan(static_cast<std::size_t>(block.begin),
                                                    static_cast<std::size_t>(block.end - block.begin));
        MatrixD distances(std::ssize(some), rows.rows());
        distancesToAll(rows, scales, some, distances, job);
        std::vector<double> others;
        for (std::int64_t i = 0; i < distances.rows() && !job.stopRequested(); ++i)
        {
            const auto own = distances.row(i);
            const std::int64_t row = some[static_cast<std::size_t>(i)];
            others.assign(own.begin(), own.end());
            others[static_cast<std::size_t>(row)] = std::numeric_limits<double>::infinity();
            const auto last = others.begin() + (found.k() - 1);
            std::nth_element(others.begin(), last, others.end());
            for (const std::int32_t neighbor : found.indices.row(row))
                right += own[static_cast<std::size_t>(neighbor)] <= *last ? 1 : 0;
        }
        done += static_cast<std::uint64_t>(block.end - block.begin);
        if (worker == 0)
            job.report("checking the recall", done.load(), chosen.size(), "points");
    });
    HEADSCOPE_CHECK(job.checkStop());
    return static_cast<double>(right.load()) / static_cast<double>(std::ssize(chosen) * found.k());
}

Result<Neighbors> findNeighbors(ConstMatrixView rows, const NeighborOptions& options, int numThreads, JobContext& job)
{
    if (options.k < 1)
    {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least 1 neighbour per point, found {}", options.k),
                     {},
                     {}};
    }
    HEADSCOPE_CHECK(checkFinite(rows));
    const std::int64_t k = std::min(options.k, std::max<std::int64_t>(0, rows.rows() - 1));
    if (k == 0)
    {
        Neighbors none;
        none.metric = options.metric;
        none.indices = Matrix<std::int32_t>(rows.rows(), 0);
        none.squared = MatrixD(rows.rows(), 0);
        return none;
    }
    constexpr double kBytes = 32; // a neighbour: what is found, and the candidates of the search
    HEADSCOPE_CHECK(checkMemory(
        {static_cast<double>(rows.rows()) * (kBytes * static_cast<double>(k) + 4.0 * static_cast<double>(rows.cols())),
         fmt::format("a search for {} neighbours of each of {} points", k, rows.rows()),
         "use fewer points or neighbours"}));
    const std::vector<double> scales =
        options.metric == Metric::Cosine ? unitScales(rows, numThreads) : std::vector<double>();
    const bool isLarge = options.method == NeighborMethod::Auto && rows.rows() > TsneOptions().exactNeighborsBelow;
    if (isLarge || options.method == NeighborMethod::Approximate)
        return findApproximately(rows, scales, k, options, numThreads, job);
    return findExactly(rows, scales, k, options.metric, numThreads, job);
}

} // namespace headscope
