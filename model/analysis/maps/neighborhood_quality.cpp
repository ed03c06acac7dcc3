// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/neighborhood_quality.h"

#include "model/analysis/maps/map_shape.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/base/size_of.h"
#include "model/data/maps/chance_kept.h"
#include "model/kernels/distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::uint64_t kSampleStream = 0x7175;
constexpr std::int64_t kTogether = 8; // points whose distances to all are computed in one pass

/// The k nearest of a row of distances, nearest first, ties by lower index; infinite ones never.
void nearestOf(std::span<const double> squared, std::int64_t k, std::vector<std::pair<double, std::int32_t>>& nearest)
{
    nearest.clear();
    for (std::size_t j = 0; j < squared.size(); ++j)
    {
        const bool full = nearest.size() == sizeOf(k);
        if (std::isinf(squared[j]) || (full && !(squared[j] < nearest.front().first)))
            continue;
        if (full)
        {
            std::pop_heap(nearest.begin(), nearest.end());
            nearest.pop_back();
        }
        nearest.emplace_back(squared[j], static_cast<std::int32_t>(j));
        std::push_heap(nearest.begin(), nearest.end());
    }
    std::sort_heap(nearest.begin(), nearest.end());
}

/// How many come before entry `at` in the order by distance, ties by lower index; from 1.
std::int64_t rankOf(std::span<const double> squared, std::int32_t at)
{
    const double own = squared[sizeOf(at)];
    std::int64_t before = 0;
    for (std::size_t j = 0; j < sizeOf(at); ++j)
        before += squared[j] <= own ? 1 : 0;
    for (std::size_t j = sizeOf(at) + 1; j < squared.size(); ++j)
        before += squared[j] < own ? 1 : 0;
    return before + 1;
}

/// Ranks in `squared` of these points, those among its own nearest by their places.
void ranksAmong(std::span<const double> squared, const std::vector<std::pair<double, std::int32_t>>& own,
                const std::vector<std::pair<double, std::int32_t>>& others, std::vector<std::int64_t>& ranks)
{
    ranks.clear();
    for (const auto& [distance, other] : others)
    {
        const auto found =
            std::find_if(own.begin(), own.end(), [other = other](const auto& one) { return one.second == other; });
        ranks.push_back(found != own.end() ? found - own.begin() + 1 : rankOf(squared, other));
    }
}

/// Sum of how far beyond k the first k of these ranks are.
std::int64_t rankExcess(const std::vector<std::int64_t>& ranks, std::int64_t k)
{
    std::int64_t excess = 0;
    for (std::size_t r = 0; r < sizeOf(k); ++r)
        excess += std::max<std::int64_t>(0, ranks[r] - k);
    return excess;
}

Status checkNeighborCounts(std::span<const std::int64_t> k, std::int64_t points)
{
    for (const std::int64_t each : k)
    {
        if (each < 1 || 2 * points - 3 * each - 1 <= 0)
        {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected 1 to {} neighbours to compare ({} points), found {}",
                                     std::max<std::int64_t>(0, (2 * points - 2) / 3), points, each),
                         {},
                         {}};
        }
    }
    return {};
}

/// All points, or a seeded sample of them, ascending.
std::vector<std::int64_t> sampledPoints(std::int64_t points, std::int64_t sample, std::uint64_t seed)
{
    std::vector<std::int64_t> chosen;
    if (sample <= 0 || sample >= points)
    {
        chosen.resize(sizeOf(points));
        std::iota(chosen.begin(), chosen.end(), 0);
    }
    else
    {
        chosen = permutation(points, CounterRandom(seed, kSampleStream));
        chosen.resize(sizeOf(sample));
        std::sort(chosen.begin(), chosen.end());
    }
    return chosen;
}

/// What is counted at each point for each number of neighbours, [S, K] each.
struct NeighborCounts
{
    Matrix<std::int64_t> strangers; ///< excess ranks, in the data, of the neighbours in the map
    Matrix<std::int64_t> torn;      ///< excess ranks, in the map, of the neighbours in the data
    Matrix<std::int64_t> common;    ///< neighbours in both
};

/// Compares the neighbourhoods of one point after the other.
class NeighborhoodCounter
{
public:
    NeighborhoodCounter(std::span<const std::int64_t> k, NeighborCounts& counts)
        : m_k(k), m_most(*std::max_element(k.begin(), k.end())), m_counts(counts)
    {}

    /// @param s         the point's row in the counts
    /// @param fromData  [P] distances in the data, infinite to itself
    /// @param fromMap   the same in the map
    void count(std::int64_t s, std::span<const double> fromData, std::span<const double> fromMap)
    {
        nearestOf(fromData, m_most, m_inData);
        nearestOf(fromMap, m_most, m_inMap);
        ranksAmong(fromData, m_inData, m_inMap, m_dataRanks);
        ranksAmong(fromMap, m_inMap, m_inData, m_mapRanks);
        for (std::int64_t at = 0; at < static_cast<std::int64_t>(m_k.size()); ++at)
        {
            const std::int64_t each = m_k[sizeOf(at)];
            m_counts.strangers(s, at) = rankExcess(m_dataRanks, each);
            m_counts.torn(s, at) = rankExcess(m_mapRanks, each);
            m_counts.common(s, at) = std::count_if(m_dataRanks.begin(), m_dataRanks.begin() + each,
                                                   [each](std::int64_t rank) { return rank <= each; });
        }
    }

private:
    std::span<const std::int64_t> m_k;
    std::int64_t m_most;
    NeighborCounts& m_counts;
    std::vector<std::pair<double, std::int32_t>> m_inData;
    std::vector<std::pair<double, std::int32_t>> m_inMap;
    std::vector<std::int64_t> m_mapRanks;  ///< in the map, of the neighbours in the data
    std::vector<std::int64_t> m_dataRanks; ///< in the data, of the neighbours in the map
};

/// The numbers of one count of neighbours.
/// @param at      its column
/// @param points  of the map, which may be more than were counted
NeighborhoodQuality qualityOf(const NeighborCounts& counts, std::int64_t at, std::int64_t k, std::int64_t points)
{
    const std::int64_t count = counts.common.rows();
    NeighborhoodQuality quality;
    quality.k = k;
    quality.sampled = count;
    std::int64_t strangerSum = 0;
    std::int64_t tornSum = 0;
    for (std::int64_t s = 0; s < count; ++s)
    {
        strangerSum += counts.strangers(s, at);
        tornSum += counts.torn(s, at);
        quality.perPoint.push_back(static_cast<double>(counts.common(s, at)) / static_cast<double>(quality.k));
    }
    const double scale = 2.0 / (static_cast<double>(count) * static_cast<double>(quality.k) *
                                static_cast<double>(2 * points - 3 * quality.k - 1));
    quality.trustworthiness = 1 - scale * static_cast<double>(strangerSum);
    quality.continuity = 1 - scale * static_cast<double>(tornSum);
    quality.kept = std::accumulate(quality.perPoint.begin(), quality.perPoint.end(), 0.0) / static_cast<double>(count);
    return quality;
}

} // namespace

Result<std::vector<NeighborhoodQuality>> neighborhoodQuality(ConstMatrixView rows, ConstMatrixView xy,
                                                             std::span<const std::int64_t> k, std::int64_t sample,
                                                             std::uint64_t seed, int numThreads, JobContext& job)
{
    const std::int64_t points = rows.rows();
    HEADSCOPE_CHECK(expectMap(points, xy));
    HEADSCOPE_CHECK(checkNeighborCounts(k, points));
    if (k.empty())
        return std::vector<NeighborhoodQuality>{};
    const std::vector<std::int64_t> chosen = sampledPoints(points, sample, seed);
    const auto count = static_cast<std::int64_t>(chosen.size());
    const auto columns = static_cast<std::int64_t>(k.size());
    NeighborCounts counts{Matrix<std::int64_t>(count, columns), Matrix<std::int64_t>(count, columns),
                          Matrix<std::int64_t>(count, columns)};
    std::atomic<std::uint64_t> done = 0;
    parallelForBlocks(numThreads, count, kTogether, [&](const Block& block, int worker) {
        const auto some = std::span(chosen).subspan(sizeOf(block.begin), sizeOf(block.end - block.begin));
        MatrixD fromData(std::ssize(some), points);
        distancesToAll(rows, {}, some, fromData, job);
        std::vector<double> fromMap(sizeOf(points));
        NeighborhoodCounter counter(k, counts);
        for (std::int64_t s = block.begin; s < block.end && !job.stopRequested(); ++s)
        {
            const std::int64_t i = chosen[sizeOf(s)];
            const auto data = fromData.row(s - block.begin);
            distancesToAll(xy, {}, i, fromMap);
            data[sizeOf(i)] = fromMap[sizeOf(i)] = std::numeric_limits<double>::infinity();
            counter.count(s, data, fromMap);
        }
        done += static_cast<std::uint64_t>(block.end - block.begin);
        if (worker == 0)
            job.report("comparing neighbourhoods", done.load(), static_cast<std::uint64_t>(count), "points");
    });
    HEADSCOPE_CHECK(job.checkStop());
    std::vector<NeighborhoodQuality> results;
    for (std::int64_t at = 0; at < columns; ++at)
        results.push_back(qualityOf(counts, at, k[sizeOf(at)], points));
    return results;
}

Result<double> trustWithinClasses(ConstMatrixView rows, std::span<const std::int32_t> classes, std::int64_t k,
                                  std::int64_t sample, std::uint64_t seed, int numThreads, JobContext& job)
{
    const std::int64_t points = rows.rows();
    if (std::ssize(classes) != points)
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected a class for each of {} points, found {}", points, classes.size()),
                     {},
                     {}};
    HEADSCOPE_CHECK(checkNeighborCounts(std::array{k}, points));
    if (!keptWithinClasses(k, classes))
        return std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::int64_t> chosen = sampledPoints(points, sample, seed);
    std::vector<double> excess(chosen.size()); // mean over the others of the same class
    parallelForBlocks(numThreads, std::ssize(chosen), kTogether, [&](const Block& block, int) {
        const auto some = std::span(chosen).subspan(sizeOf(block.begin), sizeOf(block.end - block.begin));
        MatrixD squared(std::ssize(some), points);
        distancesToAll(rows, {}, some, squared, job);
        std::vector<std::int64_t> order(sizeOf(points));
        for (std::int64_t s = block.begin; s < block.end && !job.stopRequested(); ++s)
        {
            const std::int64_t own = chosen[sizeOf(s)];
            const auto distances = squared.row(s - block.begin);
            distances[sizeOf(own)] = -1; // before all others, so that their places are ranks from 1
            std::iota(order.begin(), order.end(), 0);
            std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
                return std::pair(distances[sizeOf(a)], a) < std::pair(distances[sizeOf(b)], b);
            });
            std::int64_t sum = 0;
            std::int64_t others = 0;
            for (std::int64_t rank = 1; rank < points; ++rank)
                if (classes[sizeOf(order[sizeOf(rank)])] == classes[sizeOf(own)])
                {
                    sum += std::max<std::int64_t>(0, rank - k);
                    ++others;
                }
            excess[sizeOf(s)] = static_cast<double>(sum) / static_cast<double>(others);
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    const double mean = std::accumulate(excess.begin(), excess.end(), 0.0) / static_cast<double>(chosen.size());
    return 1 - 2.0 * mean / static_cast<double>(2 * points - 3 * k - 1);
}

std::vector<double> neighborsKept(const Neighbors& inData, const Neighbors& inMap, std::int64_t k)
{
    HEADSCOPE_ASSERT(inData.points() == inMap.points() && k >= 1 && k <= inData.k() && k <= inMap.k());
    std::vector<double> kept(sizeOf(inData.points()));
    for (std::int64_t i = 0; i < inData.points(); ++i)
    {
        const auto data = inData.indices.row(i).first(sizeOf(k));
        const auto map = inMap.indices.row(i).first(sizeOf(k));
        const auto common = std::count_if(data.begin(), data.end(), [&](std::int32_t j) {
            return std::find(map.begin(), map.end(), j) != map.end();
        });
        kept[sizeOf(i)] = static_cast<double>(common) / static_cast<double>(k);
    }
    return kept;
}

} // namespace headscope
