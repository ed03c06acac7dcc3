// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/retrieval/vector_change.h"

#include "model/analysis/importance/player_values.h"
#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/statistics/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

double dot(std::span<const float> a, std::span<const float> b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus(),
                              [](float x, float y) { return static_cast<double>(x) * static_cast<double>(y); });
}

Result<Matrix<std::int64_t>> nearest(ConstMatrixView rows, std::int64_t k, int numThreads, JobContext& job)
{
    HEADSCOPE_TRY(const auto found, findNeighbors(rows, {.k = k, .metric = Metric::Cosine}, numThreads, job));
    Matrix<std::int64_t> lists(found.points(), found.k());
    std::ranges::copy(found.indices.values(), lists.values().begin());
    return lists;
}

/// The mean of the finite ones.
Result<Estimate> meanOf(const std::vector<double>& values, std::uint64_t seed, JobContext& job)
{
    std::vector<double> finite;
    std::ranges::copy_if(values, std::back_inserter(finite), [](double value) { return std::isfinite(value); });
    const auto count = std::ssize(finite);
    HEADSCOPE_TRY(const auto estimates, meansOverDocuments(MatrixD(1, count, std::move(finite)), {false}, seed, job));
    return estimates.front();
}

} // namespace

Result<VectorChange> vectorChange(ConstMatrixView before, ConstMatrixView after, std::uint64_t seed, int numThreads,
                                  JobContext& job)
{
    if (before.rows() != after.rows() || before.cols() != after.cols())
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected {} vectors of {} numbers, found {} of {}", before.rows(), before.cols(),
                                 after.rows(), after.cols()),
                     {},
                     {}};
    if (before.rows() < 2)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least two documents with neighbours, found {}", before.rows()),
                     {},
                     {}};
    const std::int64_t k = std::min(kChangeNeighbors, before.rows() - 1);
    VectorChange change;
    HEADSCOPE_TRY(change.before, nearest(before, k, numThreads, job));
    HEADSCOPE_TRY(change.after, nearest(after, k, numThreads, job));
    std::vector<double> shares;
    for (std::int64_t row = 0; row < before.rows(); ++row)
    {
        const auto a = before.row(row);
        const auto b = after.row(row);
        const double lengths = std::sqrt(dot(a, a) * dot(b, b));
        change.cosine.push_back(lengths > 0 ? dot(a, b) / lengths : std::numeric_limits<double>::quiet_NaN());
        const auto then = change.before.row(row);
        const auto now = change.after.row(row);
        change.kept.push_back(std::ranges::count_if(
            then, [&now](std::int64_t place) { return std::ranges::find(now, place) != now.end(); }));
        shares.push_back(static_cast<double>(change.kept.back()) / static_cast<double>(k));
    }
    HEADSCOPE_TRY(change.meanCosine, meanOf(change.cosine, seed, job));
    HEADSCOPE_TRY(change.meanKept, meanOf(shares, seed, job));
    change.meanKept.ci95 = withWidthAtEnds(change.meanKept.ci95, std::ssize(shares));
    return change;
}

} // namespace headscope
