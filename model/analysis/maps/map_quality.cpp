// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_quality.h"

#include "model/analysis/maps/map_shape.h"
#include "model/analysis/statistics/permutations.h"
#include "model/analysis/topics/topics.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/base/size_of.h"
#include "model/kernels/distances.h"
#include "model/kernels/student_t_sum.h"

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

constexpr std::uint64_t kClassSeed = 1;
constexpr std::uint64_t kClassStream = 0x636c'6173'0000'0000;

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

/// The k nearest of each class mean, [C, k].
Matrix<std::int32_t> nearestMeans(const MatrixF& means, std::int64_t k)
{
    Matrix<std::int32_t> nearest(means.rows(), k);
    std::vector<double> squared(sizeOf(means.rows()));
    RankedRow row;
    for (std::int64_t c = 0; c < means.rows(); ++c)
    {
        distancesToAll(means.view(), {}, c, squared);
        row.assign(squared, c);
        std::copy_n(row.order.begin(), k, nearest.row(c).begin());
    }
    return nearest;
}

/// Share of the nearest means that a map keeps whose class c is taken for class order[c].
double keptOfOrder(const Matrix<std::int32_t>& data, const Matrix<std::int32_t>& map,
                   const std::vector<std::int64_t>& order)
{
    std::int64_t kept = 0;
    for (std::int64_t c = 0; c < map.rows(); ++c)
    {
        const auto inData = data.row(order[sizeOf(c)]);
        for (const std::int32_t near : map.row(c))
            kept +=
                std::find(inData.begin(), inData.end(), static_cast<std::int32_t>(order[sizeOf(near)])) != inData.end()
                    ? 1
                    : 0;
    }
    return static_cast<double>(kept) / static_cast<double>(map.rows() * map.cols());
}

} // namespace

Result<ExactDivergence> exactDivergence(const SparseAffinities& affinities, ConstMatrixView xy, int numThreads,
                                        JobContext& job, double degrees)
{
    HEADSCOPE_CHECK(expectMap(affinities.points(), xy));
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
    HEADSCOPE_CHECK(expectMap(affinities.rows(), xy));
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

Result<ClassMeansKept> classNeighborhoodKept(ConstMatrixView rows, ConstMatrixView xy,
                                             std::span<const std::int32_t> labels, std::int64_t k)
{
    HEADSCOPE_CHECK(expectMap(rows.rows(), xy));
    if (static_cast<std::int64_t>(labels.size()) != rows.rows())
    {
        return Error{
            ErrorCode::ShapeMismatch, fmt::format("expected {} labels, found {}", rows.rows(), labels.size()), {}, {}};
    }
    const MatrixF inData = classMeans(rows, labels);
    const MatrixF inMap = classMeans(xy, labels);
    const std::int64_t classes = inData.rows();
    if (k < 1 || k >= classes)
    {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected 1 to {} neighbours among {} class means, found {}", classes - 1, classes, k),
                     {},
                     {}};
    }
    const Matrix<std::int32_t> data = nearestMeans(inData, k);
    const Matrix<std::int32_t> map = nearestMeans(inMap, k);
    std::vector<std::int64_t> order(sizeOf(classes));
    std::iota(order.begin(), order.end(), 0);
    ClassMeansKept found{keptOfOrder(data, map, order), classes, {}};
    std::vector<double> permuted;
    for (std::int64_t round = 0; round < kDefaultPermutations; ++round)
    {
        const CounterRandom random(kClassSeed, kClassStream + static_cast<std::uint64_t>(round));
        permuted.push_back(keptOfOrder(data, map, permutation(classes, random)));
    }
    found.null = permutationNull(found.kept, std::move(permuted));
    return found;
}

Result<double> distanceCorrelation(ConstMatrixView rows, ConstMatrixView xy, const Matrix<std::int64_t>& pairs)
{
    HEADSCOPE_CHECK(expectMap(rows.rows(), xy));
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
