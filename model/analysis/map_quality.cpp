// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/map_quality.h"

#include "model/analysis/neighbors.h"
#include "model/analysis/topics.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::uint64_t kSampleStream = 0x7175;

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

/// Z: every unordered pair once, in double, per row and then in row order.
Result<double> normalisation(ConstMatrixView xy, int numThreads, JobContext& job)
{
    std::vector<double> rows(sizeOf(xy.rows()));
    parallelFor(numThreads, xy.rows(), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end && !job.stopRequested(); ++i)
        {
            double sum = 0;
            for (std::int64_t j = i + 1; j < xy.rows(); ++j)
                sum += 1 / (1 + squareApart(xy, i, j));
            rows[sizeOf(i)] = 2 * sum;
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return std::accumulate(rows.begin(), rows.end(), 0.0);
}

double divergenceTerm(double p, double squared, double logZ)
{
    return p > 0 ? p * (std::log(p) + std::log1p(squared) + logZ) : 0.0;
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

/// Sum over the k nearest in `from` of how far beyond k they rank in `to`.
std::int64_t rankExcess(const RankedRow& from, const RankedRow& to, std::int64_t k)
{
    std::int64_t excess = 0;
    for (std::size_t r = 0; r < sizeOf(k); ++r)
        excess += std::max<std::int64_t>(0, to.rank[sizeOf(from.order[r])] - k);
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
                                        JobContext& job)
{
    HEADSCOPE_CHECK(checkMap(affinities.points(), xy));
    HEADSCOPE_TRY(const double z, normalisation(xy, numThreads, job));
    ExactDivergence result{0, z, std::vector<double>(sizeOf(xy.rows()))};
    const double logZ = std::log(z);
    parallelFor(numThreads, xy.rows(), 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            for (auto e = sizeOf(affinities.rowStart[sizeOf(i)]); e < sizeOf(affinities.rowStart[sizeOf(i) + 1]); ++e)
                result.perPoint[sizeOf(i)] +=
                    divergenceTerm(affinities.values[e], squareApart(xy, i, affinities.columns[e]), logZ);
        }
    });
    result.kl = std::accumulate(result.perPoint.begin(), result.perPoint.end(), 0.0);
    return result;
}

Result<ExactDivergence> exactDivergence(const MatrixD& affinities, ConstMatrixView xy, int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkMap(affinities.rows(), xy));
    HEADSCOPE_TRY(const double z, normalisation(xy, numThreads, job));
    ExactDivergence result{0, z, std::vector<double>(sizeOf(xy.rows()))};
    const double logZ = std::log(z);
    parallelFor(numThreads, xy.rows(), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            for (std::int64_t j = 0; j < xy.rows(); ++j)
                result.perPoint[sizeOf(i)] += divergenceTerm(affinities(i, j), squareApart(xy, i, j), logZ);
        }
    });
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
    parallelFor(numThreads, count, 8, [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> squared(sizeOf(points));
        RankedRow inData;
        RankedRow inMap;
        for (std::int64_t s = begin; s < end && !job.stopRequested(); ++s)
        {
            const std::int64_t i = chosen[sizeOf(s)];
            distancesToAll(rows, {}, i, squared);
            inData.assign(squared, i);
            distancesToAll(xy, {}, i, squared);
            inMap.assign(squared, i);
            for (std::int64_t at = 0; at < static_cast<std::int64_t>(k.size()); ++at)
            {
                strangers(s, at) = rankExcess(inMap, inData, k[sizeOf(at)]);
                torn(s, at) = rankExcess(inData, inMap, k[sizeOf(at)]);
                common(s, at) = std::count_if(inMap.order.begin(), inMap.order.begin() + k[sizeOf(at)],
                                              [&](std::int32_t j) { return inData.rank[sizeOf(j)] <= k[sizeOf(at)]; });
            }
        }
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
