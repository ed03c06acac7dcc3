// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/measure_map.h"

#include "model/analysis/maps/map_quality.h"
#include "model/analysis/maps/neighborhood_quality.h"
#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/tsne/affinities.h"
#include "model/base/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kAllPoints = 20'000;
constexpr std::int64_t kSample = 2'000;
constexpr std::int64_t kNeighbors = 10;
constexpr std::int64_t kClassNeighbors = 10; // half of the other classes where there are fewer

/// Pairs of different points, drawn by the seed; none stands for all of them.
Matrix<std::int64_t> chosenPairs(std::int64_t points, std::uint64_t seed)
{
    if (points <= kAllDistancesBelow)
        return {};
    const CounterRandom random(seed, 2);
    const auto count = static_cast<std::uint64_t>(points);
    Matrix<std::int64_t> pairs(kSampledDistances, 2);
    for (std::int64_t i = 0; i < kSampledDistances; ++i)
    {
        const auto at = static_cast<std::uint64_t>(2 * i);
        const std::uint64_t first = random.below(at, count);
        const std::uint64_t second = random.below(at + 1, count - 1);
        pairs(i, 0) = static_cast<std::int64_t>(first);
        pairs(i, 1) = static_cast<std::int64_t>(second + (second >= first ? 1 : 0));
    }
    return pairs;
}

/// The rows at unit length; zero rows stay zero.
MatrixF unitRows(ConstMatrixView rows, int numThreads)
{
    const std::vector<double> scales = unitScales(rows, numThreads);
    MatrixF unit(rows.rows(), rows.cols());
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        for (std::int64_t k = 0; k < rows.cols(); ++k)
            unit(i, k) = static_cast<float>(static_cast<double>(rows(i, k)) * scales[static_cast<std::size_t>(i)]);
    }
    return unit;
}

/// Drops the neighbours beyond the k nearest.
void keepNearest(Neighbors& neighbors, std::int64_t k)
{
    if (neighbors.k() <= k)
        return;
    Matrix<std::int32_t> indices(neighbors.points(), k);
    MatrixD squared(neighbors.points(), k);
    for (std::int64_t i = 0; i < neighbors.points(); ++i)
    {
        std::ranges::copy(neighbors.indices.row(i).first(static_cast<std::size_t>(k)), indices.row(i).begin());
        std::ranges::copy(neighbors.squared.row(i).first(static_cast<std::size_t>(k)), squared.row(i).begin());
    }
    neighbors.indices = std::move(indices);
    neighbors.squared = std::move(squared);
}

std::int64_t classCount(std::span<const std::int32_t> labels)
{
    std::set<std::int32_t> classes(labels.begin(), labels.end());
    classes.erase(classes.begin(), classes.lower_bound(0));
    return std::ssize(classes);
}

/// Which of the nearest class means the map keeps; nothing with fewer than three classes.
Status measureClasses(ConstMatrixView rows, ConstMatrixView xy, std::span<const std::int32_t> classes, MapTrust& trust)
{
    const std::int64_t count = classCount(classes);
    if (count < 3)
        return {};
    trust.classNeighbors = std::min(kClassNeighbors, count / 2);
    HEADSCOPE_TRY(const ClassMeansKept means, classNeighborhoodKept(rows, xy, classes, trust.classNeighbors));
    trust.classesKept = means.kept;
    trust.classes = means.classes;
    trust.classesNull = means.null;
    return {};
}

} // namespace

Result<MapTrust> measureMap(ConstMatrixView rows, ConstMatrixView xy, const MapTrustOptions& options, int numThreads,
                            JobContext& job, PointTrust* perPoint)
{
    const std::int64_t points = rows.rows();
    if (xy.cols() != 2 || xy.rows() != points)
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected a map of shape [{}, 2], found [{}, {}]", points, xy.rows(), xy.cols()),
                     {},
                     {}};
    HEADSCOPE_CHECK(checkPerplexities(options.perplexities, points));
    HEADSCOPE_CHECK(checkFinite(xy));
    MatrixF unit;
    if (options.metric == Metric::Cosine)
    {
        HEADSCOPE_CHECK(checkFinite(rows));
        unit = unitRows(rows, numThreads);
        rows = unit.view();
    }
    const std::int64_t k = affinityNeighbors(options.perplexities, points);
    NeighborOptions wanted;
    wanted.k = std::min(points - 1, std::max(kNeighbors, k));
    HEADSCOPE_TRY(Neighbors neighbors, findNeighbors(rows, wanted, numThreads, job));
    job.report("measuring the map", 0, 4);
    if (perPoint != nullptr)
    {
        wanted.k = std::min(points - 1, kNeighbors);
        HEADSCOPE_TRY(const Neighbors inMap, findNeighbors(xy, wanted, numThreads, job));
        perPoint->kept = neighborsKept(neighbors, inMap, wanted.k);
    }
    keepNearest(neighbors, k);
    HEADSCOPE_TRY(const auto affinities, neighborAffinities(neighbors, options.perplexities, numThreads, job));
    neighbors = {}; // hundreds of megabytes for many points
    job.report("measuring the map", 1, 4);
    HEADSCOPE_TRY(ExactDivergence divergence,
                  exactDivergence(affinities, xy, numThreads, job, options.degreesOfFreedom));
    job.report("measuring the map", 2, 4);
    const std::int64_t sample = options.sample > 0 ? options.sample : points > kAllPoints ? kSample : 0;
    HEADSCOPE_TRY(const auto kept, neighborhoodQuality(rows, xy, std::array{kNeighbors}, sample >= points ? 0 : sample,
                                                       options.seed, numThreads, job));
    job.report("measuring the map", 3, 4);
    HEADSCOPE_TRY(const double spearman, distanceCorrelation(rows, xy, chosenPairs(points, options.seed)));
    job.report("measuring the map", 4, 4);
    const NeighborhoodQuality& quality = kept.front();
    MapTrust trust;
    trust.klExact = divergence.kl;
    trust.knn10 = quality.kept;
    trust.trustworthiness = quality.trustworthiness;
    trust.continuity = quality.continuity;
    trust.spearman = spearman;
    trust.sampled = quality.sampled;
    if (perPoint != nullptr)
    {
        perPoint->divergence = std::move(divergence.perPoint);
        trust.knn10 = std::accumulate(perPoint->kept.begin(), perPoint->kept.end(), 0.0) / static_cast<double>(points);
    }
    HEADSCOPE_CHECK(measureClasses(rows, xy, options.classes, trust));
    if (!options.heads.empty())
    {
        constexpr std::int64_t kEnough = 1'000; // of means over hundreds of points each
        HEADSCOPE_TRY(trust.trustworthinessWithin,
                      trustWithinClasses(rows, options.heads, kNeighbors, kEnough, options.seed, numThreads, job));
    }
    return trust;
}

} // namespace headscope
