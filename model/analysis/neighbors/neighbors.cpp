// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/neighbors.h"

#include "model/analysis/neighbors/neighbor_search.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/distances.h"

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

} // namespace

double Neighbors::distance(std::int64_t point, std::int64_t rank) const
{
    return metric == Metric::Cosine ? squared(point, rank) / 2 : std::sqrt(squared(point, rank));
}

Status checkFinite(ConstMatrixView rows, int numThreads)
{
    constexpr std::int64_t kBlock = 4096;
    std::vector<std::int64_t> firstBad(static_cast<std::size_t>(blockCount(rows.rows(), kBlock)), rows.rows());
    parallelForBlocks(numThreads, rows.rows(), kBlock, [&](const Block& block, int) {
        std::int64_t i = block.begin;
        while (i < block.end && allFinite(rows.row(i)))
            ++i;
        if (i < block.end)
            firstBad[static_cast<std::size_t>(block.index)] = i;
    });
    const auto bad = std::min_element(firstBad.begin(), firstBad.end());
    if (bad == firstBad.end() || *bad == rows.rows())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected finite numbers, found NaN or infinity in row {} of {}", *bad, rows.rows()),
                 {},
                 {}};
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
    constexpr double kBytes = 12; // of what is found of a neighbour
    HEADSCOPE_TRY(NeighborSearch search, NeighborSearch::prepare(rows, options, kBytes, numThreads, job));
    Neighbors found;
    found.metric = options.metric;
    found.indices = Matrix<std::int32_t>(rows.rows(), search.k);
    found.squared = MatrixD(rows.rows(), search.k);
    found.method = search.method;
    found.recall = search.recall;
    found.recallLow = search.recallLow;
    found.sampled = search.sampled;
    found.multiplyAdds = search.multiplyAdds();
    const auto keep = [&](std::int64_t position, std::span<const RankedNeighbor> nearest) {
        const std::int64_t row = search.row(position);
        for (std::size_t i = 0; i < nearest.size(); ++i)
        {
            found.squared(row, static_cast<std::int64_t>(i)) = nearest[i].first;
            found.indices(row, static_cast<std::int64_t>(i)) = nearest[i].second;
        }
    };
    HEADSCOPE_CHECK(search.run(keep, numThreads, job));
    found.order = std::move(search.order);
    return found;
}

} // namespace headscope
