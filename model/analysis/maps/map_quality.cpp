// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_quality.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/topics/topics.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/distances.h"
#include "model/kernels/student_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::uint64_t kSampleStream = 0x7175;
constexpr std::int64_t kTogether = 8; // points whose distances to all are computed in one pass

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

Status checkMap(std::int64_t points, ConstMatrixView xy)
{
    if (xy.rows() == points && xy.cols() == 2)
        return {};
    return Error{ErrorCode::ShapeMismatch,
                 fmt::format("expected a map of shape [{}, 2], found [{}, {}]", points, xy.rows(), xy.cols()),
                 {},
                 {}};
}

double squareApart(ConstMatrixView xy, std::int64_t i, std::int64_t j)
{
    const double dx = static_cast<double>(xy(i, 0)) - static_cast<double>(xy(j, 0));
    const double dy = static_cast<double>(xy(i, 1)) - static_cast<double>(xy(j, 1));
    return dx * dx + dy * dy;
}

/// Sum of the kernel over a rectangle of pairs, for any degrees of freedom.
double kernelSum(const std::vector<double>& x, const std::vector<double>& y, const Block& rows, const Block& columns,
                 double degrees)
{
    if (degrees == 1.0)
        return studentPairSum(x.data(), y.data(), rows.begin, rows.end, columns.begin, columns.end);
    double sum = 0;
    for (std::int64_t i = rows.begin; i < rows.end; ++i)
        for (std::int64_t j = columns.begin; j < columns.end; ++j)
        {
            const double dx = x[sizeOf(i)] - x[sizeOf(j)];
            const double dy = y[sizeOf(i)] - y[sizeOf(j)];
            sum += std::exp(-degrees * std::log1p((dx * dx + dy * dy) / degrees));
        }
    return sum;
}

/// Z over all ordered pairs, in double: tiles of points, their sums added in the order of the tiles.
Result<double> normalisation(ConstMatrixView xy, double degrees, int numThreads, JobContext& job)
{
    constexpr std::int64_t kTile = 1024; // coordinates of two tiles stay in the first-level cache
    const std::int64_t points = xy.rows();
    std::vector<double> x(sizeOf(points));
    std::vector<double> y(sizeOf(points));
    for (std::int64_t i = 0; i < points; ++i)
    {
        x[sizeOf(i)] = static_cast<double>(xy(i, 0));
        y[sizeOf(i)] = static_cast<double>(xy(i, 1));
    }
    const std::int64_t tiles = blockCount(points, kTile);
    std::vector<double> sums(sizeOf(tiles)); // of a tile with itself and all later ones
    std::atomic<std::uint64_t> done = 0;
    parallelForBlocks(numThreads, points, kTile, [&](const Block& block, int worker) {
        double within = 0;
        for (std::int64_t i = block.begin; i < block.end; ++i)
            within += kernelSum(x, y, {i, i + 1, 0}, {i + 1, block.end, 0}, degrees);
        double beyond = 0;
        for (std::int64_t j = block.end; j < points && !job.stopRequested(); j += kTile)
            beyond += kernelSum(x, y, block, {j, std::min(points, j + kTile), 0}, degrees);
        sums[sizeOf(block.index)] = 2 * (within + beyond);
        ++done;
        if (worker == 0)
            job.report("summing over all pairs", done.load(), static_cast<std::uint64_t>(tiles), "blocks");
    });
    HEADSCOPE_CHECK(job.checkStop());
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

double divergenceTerm(double p, double squared, double degrees, double logZ)
{
    return p > 0 ? p * (std::log(p) + degrees * std::log1p(squared / degrees) + logZ) : 0.0;
}

/// Ranks among all others by distance (nearest = 1, itself 0, ties by lower index), and the order.
struct RankedRow
{
    std::vector<std::int32_t> order; ///< [P - 1]
    std::vector<std::int32_t> rank;  ///< [P]

    void assign(std::span<const double> squared, std::int64_t self)
    {
        order.clear();
        for (std::size_t j = 0; j < squared.size(); ++j)
        {
            if (static_cast<std::int64_t>(j) != self)
                order.push_back(static_cast<std::int32_t>(j));
        }
        std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            const double da = squared[sizeOf(a)];
            const double db = squared[sizeOf(b)];
            return da < db || (da == db && a < b);
        });
        rank.assign(squared.size(), 0);
        for (std::size_t r = 0; r < order.size(); ++r)
            rank[sizeOf(order[r])] = static_cast<std::int32_t>(r) + 1;
    }
};

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
            std::find_if(own.begin(), own.end(), [other](const auto& one) { return one.second == other; });
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

/// Means of the rows of each class that occurs, by class.
MatrixF classMeans(ConstMatrixView rows, std::span<const std::int32_t> labels)
{
    std::map<std::int32_t, std::pair<std::vector<double>, std::int64_t>> sums;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        if (labels[sizeOf(i)] < 0)
            continue;
        auto& [sum, count] = sums[labels[sizeOf(i)]];
        sum.resize(sizeOf(rows.cols()));
        for (std::int64_t j = 0; j < rows.cols(); ++j)
            sum[sizeOf(j)] += static_cast<double>(rows(i, j));
        ++count;
    }
    MatrixF means(static_cast<std::int64_t>(sums.size()), rows.cols());
    std::int64_t row = 0;
    for (const auto& [label, entry] : sums)
    {
        for (std::int64_t j = 0; j < rows.cols(); ++j)
            means(row, j) = static_cast<float>(entry.first[sizeOf(j)] / static_cast<double>(entry.second));
        ++row;
    }
    return means;
}

} // namespace

Result<ExactDivergence> exactDivergence(const SparseAffinities& affinities, ConstMatrixView xy, int numThreads,
                                        JobContext& job, double degrees)
{
    HEADSCOPE_CHECK(checkMap(affinities.points(), xy));
    HEADSCOPE_TRY(const double z, normalisation(xy, degrees, numThreads, job));
    ExactDivergence result{0, z, std::vector<double>(sizeOf(xy.rows()))};
    const double logZ = std::log(z);
    parallelFor(numThreads, xy.rows(), 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end && !job.stopRequested(); ++i)
        {
            for (auto e = sizeOf(affinities.rowStart[sizeOf(i)]); e < sizeOf(affinities.rowStart[sizeOf(i) + 1]); ++e)
                result.perPoint[sizeOf(i)] +=
                    divergenceTerm(affinities.values[e], squareApart(xy, i, affinities.columns[e]), degrees, logZ);
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    result.kl = std::accumulate(result.perPoint.begin(), result.perPoint.end(), 0.0);
    return result;
}

Result<ExactDivergence> exactDivergence(const MatrixD& affinities, ConstMatrixView xy, int numThreads, JobContext& job,
                                        double degrees)
{
    HEADSCOPE_CHECK(checkMap(affinities.rows(), xy));
    HEADSCOPE_TRY(const double z, normalisation(xy, degrees, numThreads, job));
    ExactDivergence result{0, z, std::vector<double>(sizeOf(xy.rows()))};
    const double logZ = std::log(z);
    parallelFor(numThreads, xy.rows(), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end && !job.stopRequested(); ++i)
        {
            for (std::int64_t j = 0; j < xy.rows(); ++j)
                result.perPoint[sizeOf(i)] += divergenceTerm(affinities(i, j), squareApart(xy, i, j), degrees, logZ);
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    result.kl = std::accumulate(result.perPoint.begin(), result.perPoint.end(), 0.0);
    return result;
}

Result<std::vector<NeighborhoodQuality>> neighborhoodQuality(ConstMatrixView rows, ConstMatrixView xy,
                                                             std::span<const std::int64_t> k, std::int64_t sample,
                                                             std::uint64_t seed, int numThreads, JobContext& job)
{
    const std::int64_t points = rows.rows();
    HEADSCOPE_CHECK(checkMap(points, xy));
    for (const std::int64_t each : k)
    {
        if (each < 1 || 2 * points - 3 * each - 1 <= 0)
        {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected from 1 to {} neighbours to compare ({} points), found {}",
                                     std::max<std::int64_t>(0, (2 * points - 2) / 3), points, each),
                         {},
                         {}};
        }
    }
    if (k.empty())
        return std::vector<NeighborhoodQuality>{};
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
    const auto count = static_cast<std::int64_t>(chosen.size());
    Matrix<std::int64_t> strangers(count, static_cast<std::int64_t>(k.size()));
    Matrix<std::int64_t> torn(count, static_cast<std::int64_t>(k.size()));
    Matrix<std::int64_t> common(count, static_cast<std::int64_t>(k.size()));
    const std::int64_t most = *std::max_element(k.begin(), k.end());
    std::atomic<std::uint64_t> done = 0;
    parallelForBlocks(numThreads, count, kTogether, [&](const Block& block, int worker) {
        const auto some = std::span(chosen).subspan(sizeOf(block.begin), sizeOf(block.end - block.begin));
        MatrixD fromData(std::ssize(some), points);
        distancesToAll(rows, {}, some, fromData, job);
        std::vector<double> fromMap(sizeOf(points));
        std::vector<std::pair<double, std::int32_t>> inData;
        std::vector<std::pair<double, std::int32_t>> inMap;
        std::vector<std::int64_t> mapRanks;  // in the map, of the neighbours in the data
        std::vector<std::int64_t> dataRanks; // in the data, of the neighbours in the map
        for (std::int64_t s = block.begin; s < block.end && !job.stopRequested(); ++s)
        {
            const std::int64_t i = chosen[sizeOf(s)];
            const auto data = fromData.row(s - block.begin);
            distancesToAll(xy, {}, i, fromMap);
            data[sizeOf(i)] = fromMap[sizeOf(i)] = std::numeric_limits<double>::infinity();
            nearestOf(data, most, inData);
            nearestOf(fromMap, most, inMap);
            ranksAmong(data, inData, inMap, dataRanks);
            ranksAmong(fromMap, inMap, inData, mapRanks);
            for (std::int64_t at = 0; at < static_cast<std::int64_t>(k.size()); ++at)
            {
                const std::int64_t each = k[sizeOf(at)];
                strangers(s, at) = rankExcess(dataRanks, each);
                torn(s, at) = rankExcess(mapRanks, each);
                common(s, at) = std::count_if(dataRanks.begin(), dataRanks.begin() + each,
                                              [each](std::int64_t rank) { return rank <= each; });
            }
        }
        done += static_cast<std::uint64_t>(block.end - block.begin);
        if (worker == 0)
            job.report("comparing neighbourhoods", done.load(), static_cast<std::uint64_t>(count), "points");
    });
    HEADSCOPE_CHECK(job.checkStop());
    std::vector<NeighborhoodQuality> results;
    for (std::int64_t at = 0; at < static_cast<std::int64_t>(k.size()); ++at)
    {
        NeighborhoodQuality quality;
        quality.k = k[sizeOf(at)];
        quality.sampled = count;
        std::int64_t strangerSum = 0;
        std::int64_t tornSum = 0;
        for (std::int64_t s = 0; s < count; ++s)
        {
            strangerSum += strangers(s, at);
            tornSum += torn(s, at);
            quality.perPoint.push_back(static_cast<double>(common(s, at)) / static_cast<double>(quality.k));
        }
        const double scale = 2.0 / (static_cast<double>(count) * static_cast<double>(quality.k) *
                                    static_cast<double>(2 * points - 3 * quality.k - 1));
        quality.trustworthiness = 1 - scale * static_cast<double>(strangerSum);
        quality.continuity = 1 - scale * static_cast<double>(tornSum);
        quality.kept =
            std::accumulate(quality.perPoint.begin(), quality.perPoint.end(), 0.0) / static_cast<double>(count);
        results.push_back(std::move(quality));
    }
    return results;
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

Result<double> classNeighborhoodKept(ConstMatrixView rows, ConstMatrixView xy, std::span<const std::int32_t> labels,
                                     std::int64_t k)
{
    HEADSCOPE_CHECK(checkMap(rows.rows(), xy));
    if (static_cast<std::int64_t>(labels.size()) != rows.rows())
    {
        return Error{
            ErrorCode::ShapeMismatch, fmt::format("expected {} labels, found {}", rows.rows(), labels.size()), {}, {}};
    }
    const MatrixF inData = classMeans(rows, labels);
    const MatrixF inMap = classMeans(xy, labels);
    if (k < 1 || k >= inData.rows())
    {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected from 1 to {} neighbours among {} class means, found {}", inData.rows() - 1,
                                 inData.rows(), k),
                     {},
                     {}};
    }
    std::vector<double> squared(sizeOf(inData.rows()));
    RankedRow data;
    RankedRow map;
    std::int64_t kept = 0;
    for (std::int64_t c = 0; c < inData.rows(); ++c)
    {
        distancesToAll(inData.view(), {}, c, squared);
        data.assign(squared, c);
        distancesToAll(inMap.view(), {}, c, squared);
        map.assign(squared, c);
        kept += std::count_if(map.order.begin(), map.order.begin() + k,
                              [&](std::int32_t j) { return data.rank[sizeOf(j)] <= k; });
    }
    return static_cast<double>(kept) / static_cast<double>(k * inData.rows());
}

Result<double> distanceCorrelation(ConstMatrixView rows, ConstMatrixView xy, const Matrix<std::int64_t>& pairs)
{
    HEADSCOPE_CHECK(checkMap(rows.rows(), xy));
    std::vector<double> inData;
    std::vector<double> inMap;
    if (pairs.empty())
    {
        std::vector<double> squared(sizeOf(rows.rows()));
        for (std::int64_t i = 0; i < rows.rows(); ++i)
        {
            distancesToAll(rows, {}, i, squared);
            inData.insert(inData.end(), squared.begin() + i + 1, squared.end());
            for (std::int64_t j = i + 1; j < rows.rows(); ++j)
                inMap.push_back(squareApart(xy, i, j));
        }
        return spearman(inData, inMap); // squares rank as their roots
    }
    for (std::int64_t p = 0; p < pairs.rows(); ++p)
    {
        const auto pair = pairs.row(p);
        if (pair[0] < 0 || pair[1] < 0 || pair[0] >= rows.rows() || pair[1] >= rows.rows())
        {
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("expected pairs of rows from 0 to {}, found ({}, {})", rows.rows() - 1, pair[0], pair[1]),
                {},
                {}};
        }
        const auto other = static_cast<std::int32_t>(pair[1]);
        double squared = 0;
        squaredDistances(rows.row(pair[0]).data(), 1.0, rows.data(), rows.stride(), nullptr, &other, 1, rows.cols(),
                         &squared);
        inData.push_back(squared);
        inMap.push_back(squareApart(xy, pair[0], pair[1]));
    }
    return spearman(inData, inMap);
}

} // namespace headscope
