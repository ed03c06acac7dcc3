// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/neighbor_search.h"

#include "model/analysis/neighbors/approximate_neighbors.h"
#include "model/analysis/neighbors/neighbors.h"
#include "model/base/free_memory.h"
#include "model/base/random.h"
#include "model/data/maps/tsne_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope
{
namespace
{

Status prepareExactly(int numThreads, JobContext& job, NeighborSearch& search)
{
    const std::vector<std::int64_t> drawn = permutation(search.rows.rows(), CounterRandom(1, 0x7368));
    search.shuffled.assign(drawn.begin(), drawn.end());
    search.points = std::make_unique<SearchPoints>(search.rows, search.scales, search.shuffled, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    search.starts = evenBlocks(search.rows.rows());
    search.pairs = allPairs(std::ssize(search.starts) - 1);
    return {};
}

} // namespace

double NeighborSearch::bytes(std::int64_t points, std::int64_t dims, std::int64_t k)
{
    constexpr double kOfPoint = 24; // norms, order, cells, limits
    return static_cast<double>(points) * (4.0 * static_cast<double>(dims) + kOfPoint) + candidateBytes(points, k);
}

Result<NeighborSearch> NeighborSearch::prepare(ConstMatrixView rows, const NeighborOptions& options,
                                               double bytesOfNeighbor, int numThreads, JobContext& job)
{
    if (options.k < 1)
    {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least 1 neighbour per point, found {}", options.k),
                     {},
                     {}};
    }
    HEADSCOPE_CHECK(checkFinite(rows, numThreads));
    NeighborSearch search;
    search.rows = rows;
    search.k = std::min(options.k, std::max<std::int64_t>(0, rows.rows() - 1));
    if (search.k == 0)
        return search;
    HEADSCOPE_CHECK(checkMemory({bytes(rows.rows(), rows.cols(), search.k) +
                                     bytesOfNeighbor * static_cast<double>(rows.rows()) * static_cast<double>(search.k),
                                 fmt::format("a search for {} neighbours of each of {} points", search.k, rows.rows()),
                                 "use fewer points or neighbours"}));
    if (options.metric == Metric::Cosine)
        search.scales = unitScales(rows, numThreads);
    const bool isLarge = options.method == NeighborMethod::Auto && rows.rows() > TsneOptions().exactNeighborsBelow;
    if (isLarge || options.method == NeighborMethod::Approximate)
        HEADSCOPE_CHECK(prepareApproximately(options, numThreads, job, search));
    else
        HEADSCOPE_CHECK(prepareExactly(numThreads, job, search));
    return search;
}

Status NeighborSearch::run(const FoundNearest& found, int numThreads, JobContext& job)
{
    if (k == 0)
        return {};
    if (shuffled.empty())
        return searchPairs(*points, starts, std::move(pairs), k, PointOrder::Grouped, numThreads, job, found);
    const auto asTheyAre = [&](std::int64_t position, std::span<const RankedNeighbor> nearest) {
        found(points->row(position), nearest);
    };
    return searchPairs(*points, starts, std::move(pairs), k, PointOrder::Shuffled, numThreads, job, asTheyAre);
}

} // namespace headscope
