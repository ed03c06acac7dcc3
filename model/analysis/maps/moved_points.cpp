// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/moved_points.h"

#include "model/analysis/neighbors/block_search.h"
#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/tsne/affinities.h"
#include "model/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

using Place = std::array<double, 2>;

/// |a - b| and |a|.
std::array<double, 2> differenceAndLength(std::span<const float> a, std::span<const float> b)
{
    double difference = 0;
    double length = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const double x = static_cast<double>(a[i]);
        const double away = x - static_cast<double>(b[i]);
        difference += away * away;
        length += x * x;
    }
    return {std::sqrt(difference), std::sqrt(length)};
}

/// Old points that are looked at, and behind them old and new vectors of those that moved: what is searched.
struct Searched
{
    std::vector<std::int64_t> old; ///< points of the map
    MatrixF rows;                  ///< [old + 2 moved, D]
};

Searched gathered(const HeadMap& map, ConstMatrixView old, std::span<const std::int64_t> moved, const MatrixF& now,
                  std::int64_t most)
{
    Searched searched;
    const std::int64_t stride = std::max<std::int64_t>(1, (old.rows() + most - 1) / most);
    for (std::int64_t point = 0; point < old.rows(); point += stride)
        if (std::isfinite(map.xy(point, 0)) && std::isfinite(map.xy(point, 1)))
            searched.old.push_back(point);
    searched.rows = MatrixF(std::ssize(searched.old) + 2 * std::ssize(moved), old.cols());
    std::int64_t row = 0;
    const auto add = [&](std::span<const float> vector) {
        std::ranges::copy(vector, searched.rows.row(row++).begin());
    };
    for (const std::int64_t point : searched.old)
        add(old.row(point));
    for (const std::int64_t point : moved)
        add(old.row(point));
    for (std::int64_t i = 0; i < now.rows(); ++i)
        add(now.row(i));
    return searched;
}

/// The places that vectors behind the old points suggest.
/// @return [rows behind the old points]
Result<std::vector<Place>> suggested(const HeadMap& map, const Searched& searched, const MovedPointsOptions& options,
                                     int numThreads, JobContext& job)
{
    const auto numOld = std::ssize(searched.old);
    const std::int64_t queries = searched.rows.rows() - numOld;
    const std::int64_t k = std::min(options.neighbors, numOld);
    const double perplexity = std::min(options.perplexity, std::max(1.0, static_cast<double>(k) / 3));
    const auto scales =
        map.options.metric == Metric::Cosine ? unitScales(searched.rows.view(), numThreads) : std::vector<double>();
    const SearchPoints points(searched.rows.view(), scales, {}, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    std::vector<Place> places(static_cast<std::size_t>(queries));
    parallelFor(numThreads, queries, BlockSearch::kQueries, [&](std::int64_t begin, std::int64_t end) {
        if (job.stopRequested())
            return;
        BlockSearch search(points, k);
        std::vector<std::int64_t> positions(static_cast<std::size_t>(end - begin));
        std::iota(positions.begin(), positions.end(), numOld + begin);
        search.start(positions);
        search.scan(0, numOld);
        for (std::int64_t i = begin; i < end; ++i)
        {
            const auto found = search.finish(i - begin);
            std::vector<double> squared;
            for (const RankedNeighbor& neighbor : found)
                squared.push_back(neighbor.first);
            std::vector<double> weights(squared.size());
            conditionalProbabilities(squared, std::min(perplexity, static_cast<double>(squared.size())), weights);
            Place& place = places[static_cast<std::size_t>(i)];
            for (std::size_t n = 0; n < found.size(); ++n)
            {
                const std::int64_t point = searched.old[static_cast<std::size_t>(found[n].second)];
                place[0] += weights[n] * static_cast<double>(map.xy(point, 0));
                place[1] += weights[n] * static_cast<double>(map.xy(point, 1));
            }
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return places;
}

} // namespace

Result<MovedPoints> movedPoints(std::shared_ptr<const HeadMap> map, ConstMatrixView old,
                                std::span<const std::int64_t> points, ConstMatrixView now,
                                const MovedPointsOptions& options, int numThreads, JobContext& job)
{
    if (old.rows() != map->xy.rows() || now.rows() != std::ssize(points) || now.cols() != old.cols())
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected vectors of {} numbers for {} points (of a map with {} points), found {} "
                                 "vectors of {} numbers for {} points",
                                 old.cols(), points.size(), map->xy.rows(), now.rows(), now.cols(), old.rows()),
                     {},
                     {}};
    HEADSCOPE_CHECK(checkFinite(now));
    MovedPoints moved;
    std::vector<float> vectors;
    for (std::int64_t i = 0; i < now.rows(); ++i)
    {
        const std::int64_t point = points[static_cast<std::size_t>(i)];
        const auto [difference, length] = differenceAndLength(old.row(point), now.row(i));
        const bool hasPlace = std::isfinite(map->xy(point, 0)) && std::isfinite(map->xy(point, 1));
        const bool isZero = std::ranges::all_of(now.row(i), [](float value) { return value == 0; });
        if (difference <= options.tolerance * length || !hasPlace)
            ++moved.unmoved;
        else if (isZero)
            ++moved.unplaced;
        else
        {
            moved.points.push_back(point);
            vectors.insert(vectors.end(), now.row(i).begin(), now.row(i).end());
        }
    }
    const auto count = std::ssize(moved.points);
    const Searched searched =
        gathered(*map, old, moved.points, MatrixF(count, old.cols(), std::move(vectors)), options.mostOld);
    moved.neighbors = std::min(options.neighbors, std::ssize(searched.old));
    moved.perplexity = std::min(options.perplexity, std::max(1.0, static_cast<double>(moved.neighbors) / 3));
    HEADSCOPE_TRY(const auto places, suggested(*map, searched, options, numThreads, job));
    moved.places = MatrixF(count, 2);
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t axis = 0; axis < 2; ++axis)
        {
            const auto at = static_cast<std::size_t>(axis);
            const double way =
                places[static_cast<std::size_t>(count + i)][at] - places[static_cast<std::size_t>(i)][at];
            const std::int64_t point = moved.points[static_cast<std::size_t>(i)];
            moved.places(i, axis) = static_cast<float>(static_cast<double>(map->xy(point, axis)) + way);
        }
    moved.map = std::move(map);
    return moved;
}

} // namespace headscope
