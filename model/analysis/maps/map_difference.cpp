// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_difference.h"

#include "model/analysis/maps/procrustes.h"
#include "model/analysis/maps/shuffled_correlation.h"
#include "model/analysis/neighbors/planar_neighbors.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/base/parallel.h"
#include "model/data/results/measures/few_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::int64_t kBlockPoints = 1024;

/// Rows of two maps that belong together.
struct Matched
{
    std::vector<std::int64_t> inA;
    std::vector<std::int64_t> inB;
};

bool isFinite(const HeadMap& map, std::int64_t point)
{
    return std::isfinite(map.xy(point, 0)) && std::isfinite(map.xy(point, 1));
}

std::int32_t headOf(const HeadMap& map, std::int64_t point)
{
    const auto& heads = map.points->head;
    return heads.empty() ? 0 : heads[static_cast<std::size_t>(point)];
}

/// Whether the map is of a full vector, which is of no head.
bool isFull(const HeadMap& map)
{
    return map.points->head.empty() || map.name == "full" || map.name.ends_with("/full");
}

using Key = std::uint64_t;

Key keyOf(const HeadMap& map, std::int64_t point, MapMatch match)
{
    const auto document = static_cast<std::uint32_t>(map.points->document[static_cast<std::size_t>(point)]);
    const auto head = match == MapMatch::Points ? static_cast<std::uint32_t>(headOf(map, point)) : 0U;
    return Key{document} << 32U | head;
}

/// splitmix64 (Steele, Lea & Flood 2014, doi 10.1145/2660193.2660195): every bit of the key moves
/// every bit of the result.
std::uint64_t mixed(std::uint64_t key)
{
    key += 0x9E3779B97F4A7C15U;
    key = (key ^ (key >> 30U)) * 0xBF58476D1CE4E5B9U;
    key = (key ^ (key >> 27U)) * 0x94D049BB133111EBU;
    return key ^ (key >> 31U);
}

/// In the order of A; of points with the same key the first of each map.
Matched matchBy(MapMatch match, const HeadMap& a, const HeadMap& b)
{
    std::unordered_map<Key, std::int64_t> rowInB;
    rowInB.reserve(static_cast<std::size_t>(b.xy.rows()));
    for (std::int64_t point = 0; point < b.xy.rows(); ++point)
        if (isFinite(b, point))
            rowInB.try_emplace(keyOf(b, point, match), point);
    Matched matched;
    for (std::int64_t point = 0; point < a.xy.rows(); ++point)
    {
        if (!isFinite(a, point))
            continue;
        const auto found = rowInB.find(keyOf(a, point, match));
        if (found == rowInB.end())
            continue;
        matched.inA.push_back(point);
        matched.inB.push_back(found->second);
        rowInB.erase(found);
    }
    return matched;
}

Status checkMap(const HeadMap* map, const char* place)
{
    if (map != nullptr && map->points != nullptr && map->points->count() == map->xy.rows())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 "expected a map with the documents of its points, found a map of a plain matrix",
                 {},
                 place};
}

MatrixF rowsOf(const MatrixF& xy, const std::vector<std::int64_t>& rows)
{
    MatrixF taken(static_cast<std::int64_t>(rows.size()), 2);
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        taken(static_cast<std::int64_t>(i), 0) = xy(rows[i], 0);
        taken(static_cast<std::int64_t>(i), 1) = xy(rows[i], 1);
    }
    return taken;
}

} // namespace

Result<MapDifference> mapDifference(ConstMatrixView a, ConstMatrixView b, int numThreads, JobContext& job,
                                    std::int64_t k)
{
    if (a.rows() != b.rows())
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected two maps of the same points, found {} and {} points", a.rows(), b.rows()),
                     {},
                     {}};
    HEADSCOPE_TRY(const auto inA, planarNeighbors(a, k, numThreads, job));
    HEADSCOPE_TRY(const auto inB, planarNeighbors(b, k, numThreads, job));
    MapDifference difference;
    difference.neighbors = inA.cols();
    difference.changed.assign(static_cast<std::size_t>(a.rows()), 0.0F);
    std::vector<std::int32_t> lost(difference.changed.size(), 0);
    parallelFor(numThreads, a.rows(), kBlockPoints, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            const auto others = inB.view().row(i);
            for (const std::int32_t neighbor : inA.view().row(i))
                if (std::find(others.begin(), others.end(), neighbor) == others.end())
                    ++lost[static_cast<std::size_t>(i)];
        }
    });
    difference.histogram.assign(static_cast<std::size_t>(difference.neighbors) + 1, 0);
    std::int64_t total = 0;
    for (std::size_t i = 0; i < lost.size(); ++i)
    {
        ++difference.histogram[static_cast<std::size_t>(lost[i])];
        total += lost[i];
        if (difference.neighbors > 0)
            difference.changed[i] = static_cast<float>(lost[i]) / static_cast<float>(difference.neighbors);
    }
    const auto pairs = static_cast<double>(difference.neighbors * a.rows());
    difference.mean = pairs > 0 ? static_cast<double>(total) / pairs : 0;
    return difference;
}

Interval keptInterval(const MapDifference& difference, std::span<const std::int32_t> document)
{
    std::map<std::int32_t, std::pair<double, double>> sums; // kept and points of each document
    std::pair<double, double> all;
    for (std::size_t i = 0; i < difference.changed.size(); ++i)
    {
        const double share = 1 - static_cast<double>(difference.changed[i]);
        auto& [kept, points] = sums[document[i]];
        kept += share;
        ++points;
        all.first += share;
        ++all.second;
    }
    std::vector<double> without;
    for (const auto& [of, sum] : sums)
        without.push_back((all.first - sum.first) / (all.second - sum.second));
    return std::ssize(sums) < kFewestDocuments
               ? Interval()
               : withWidthAtEnds(jackknifeInterval(1 - difference.mean, without), std::ssize(sums));
}

std::uint64_t pointsKey(const HeadMap& map)
{
    // A sum does not ask for the order of the points.
    std::uint64_t sum = 0;
    for (std::int64_t point = 0; point < map.points->count(); ++point)
        sum += mixed(keyOf(map, point, isFull(map) ? MapMatch::Documents : MapMatch::Points));
    return mixed(sum ^ (isFull(map) ? 1U : 0U));
}

Result<MapPair> pairMaps(std::shared_ptr<const HeadMap> a, std::shared_ptr<const HeadMap> b, int numThreads,
                         JobContext& job)
{
    HEADSCOPE_CHECK(checkMap(a.get(), "the first map"));
    HEADSCOPE_CHECK(checkMap(b.get(), "the second map"));
    MapPair pair;
    job.report("matching points", 0, 0);
    Matched matched;
    if (isFull(*a) == isFull(*b))
        matched = matchBy(MapMatch::Points, *a, *b);
    if (matched.inA.empty())
    {
        pair.match = MapMatch::Documents;
        matched = matchBy(MapMatch::Documents, *a, *b);
    }
    if (matched.inA.empty())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("the maps ({} and {} points) have no documents in common", a->xy.rows(), b->xy.rows()),
                     {},
                     {}};
    const auto count = static_cast<std::int64_t>(matched.inA.size());
    pair.onlyInA = a->xy.rows() - count;
    pair.onlyInB = b->xy.rows() - count;
    auto points = std::make_shared<PointIds>();
    for (std::size_t i = 0; i < matched.inA.size(); ++i)
    {
        points->document.push_back(a->points->document[static_cast<std::size_t>(matched.inA[i])]);
        points->head.push_back(headOf(*a, matched.inA[i]));
        pair.headInB.push_back(headOf(*b, matched.inB[i]));
    }
    pair.points = std::move(points);
    pair.xyA = rowsOf(a->xy, matched.inA);
    pair.xyB = rowsOf(b->xy, matched.inB);
    HEADSCOPE_TRY(const PlanarFit fit, fitMotion(pair.xyB.view(), pair.xyA.view(), MapScaling::Spread));
    pair.correlation = fit.correlation;
    // Maps of two heads, or of a full vector, are of one class.
    const std::span<const std::int32_t> classes =
        pair.match == MapMatch::Points ? std::span(pair.points->head) : std::span<const std::int32_t>();
    HEADSCOPE_TRY(pair.shuffledCorrelation, shuffledCorrelation(pair.xyB.view(), pair.xyA.view(), classes));
    applyMotion(fit.motion, pair.xyB.view());
    job.report("comparing neighbours", 0, 0);
    // Ranks do not depend on the motion, but its rounding could swap ties: the maps as they are.
    const MatrixF given = rowsOf(b->xy, matched.inB);
    HEADSCOPE_TRY(pair.difference, mapDifference(pair.xyA.view(), given.view(), numThreads, job));
    pair.keptWithin = keptWithinClasses(pair.difference.neighbors, classes);
    pair.a = std::move(a);
    pair.b = std::move(b);
    return pair;
}

} // namespace headscope
