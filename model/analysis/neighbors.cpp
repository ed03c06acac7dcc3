// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors.h"

#include "model/analysis/approximate_neighbors.h"
#include "model/analysis/block_search.h"
#include "model/base/parallel.h"
#include "model/kernels/distances.h"
#include "model/kernels/vector_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

namespace headscope
{
namespace
{

Result<Neighbors> findExactly(const SearchPoints& points, std::int64_t k, Metric metric, int numThreads,
                              JobContext& job)
{
    Neighbors found{metric, {points.count(), k}, {points.count(), k}, NeighborMethod::Exact, 1.0, {}};
    std::vector<std::unique_ptr<BlockSearch>> searches(static_cast<std::size_t>(numThreads));
    std::atomic<std::int64_t> done = 0;
    constexpr std::int64_t kRange = 8192; // points between two questions whether to stop
    parallelForBlocks(numThreads, points.count(), BlockSearch::kQueries, [&](const Block& block, int worker) {
        auto& search = searches[static_cast<std::size_t>(worker)];
        if (!search)
            search = std::make_unique<BlockSearch>(points, k);
        search->start(block.begin, block.end);
        for (std::int64_t from = 0; from < points.count(); from += kRange)
        {
            if (job.stopRequested())
                return;
            search->scan(from, std::min(points.count(), from + kRange));
        }
        for (std::int64_t q = block.begin; q < block.end; ++q)
        {
            const auto ranked = search->finish(q);
            for (std::size_t i = 0; i < ranked.size(); ++i)
            {
                found.squared(q, static_cast<std::int64_t>(i)) = ranked[i].first;
                found.indices(q, static_cast<std::int64_t>(i)) = ranked[i].second;
            }
        }
        done += block.end - block.begin;
        if (worker == 0)
            job.report("finding neighbours", static_cast<std::uint64_t>(done.load()),
                       static_cast<std::uint64_t>(points.count()), "points");
    });
    HEADSCOPE_CHECK(job.checkStop());
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
    const bool unit = !scales.empty();
    const auto at = static_cast<std::size_t>(row);
    squaredDistances(rows.row(row).data(), unit ? scales[at] : 1.0, rows.data(), rows.stride(),
                     unit ? scales.data() : nullptr, nullptr, rows.rows(), rows.cols(), out.data());
    if (!unit)
        return;
    for (std::size_t j = 0; j < out.size(); ++j)
    {
        if (j != at && (scales[at] == 0.0 || scales[j] == 0.0))
            out[j] = 2.0; // a zero vector has no direction: cosine 0 to everything
    }
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
        return Neighbors{options.metric, {rows.rows(), 0}, {rows.rows(), 0}, NeighborMethod::Exact, 1.0, {}};
    const std::vector<double> scales =
        options.metric == Metric::Cosine ? unitScales(rows, numThreads) : std::vector<double>();
    if (options.method == NeighborMethod::Approximate)
        return findApproximately(rows, scales, k, options, numThreads, job);
    const SearchPoints points(rows, scales, {}, numThreads);
    return findExactly(points, k, options.metric, numThreads, job);
}

} // namespace headscope
