// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/geometry/intrinsic_dimension.h"

#include "model/analysis/neighbors/neighbors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

/// Slope through the origin of -ln(1 - i / n) on the smallest logarithms.
/// @param logs  [n] ascending
double slope(const std::vector<double>& logs, std::int64_t discarded)
{
    const auto n = static_cast<double>(logs.size());
    double xy = 0;
    double xx = 0;
    for (std::int64_t i = 0; i < std::ssize(logs) - discarded; ++i)
    {
        const double x = logs[static_cast<std::size_t>(i)];
        xy -= x * std::log1p(-static_cast<double>(i + 1) / n);
        xx += x * x;
    }
    return xx > 0 ? xy / xx : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

std::vector<std::int64_t> distinctRows(ConstMatrixView rows)
{
    std::vector<std::int64_t> order(static_cast<std::size_t>(rows.rows()));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::sort(order.begin(), order.end(), [&rows](std::int64_t a, std::int64_t b) {
        const auto first = rows.row(a);
        const auto second = rows.row(b);
        const auto [x, y] = std::mismatch(first.begin(), first.end(), second.begin());
        return x == first.end() ? a < b : *x < *y;
    });
    const auto end = std::unique(order.begin(), order.end(), [&rows](std::int64_t a, std::int64_t b) {
        return std::ranges::equal(rows.row(a), rows.row(b));
    });
    order.erase(end, order.end());
    std::sort(order.begin(), order.end());
    return order;
}

Result<IntrinsicDimension> intrinsicDimension(ConstMatrixView rows, int numThreads, JobContext& job)
{
    const std::vector<std::int64_t> kept = distinctRows(rows);
    IntrinsicDimension dimension;
    dimension.distinct = std::ssize(kept);
    if (dimension.distinct < 3)
        return dimension;
    MatrixF points(dimension.distinct, rows.cols());
    for (std::int64_t i = 0; i < points.rows(); ++i)
        std::ranges::copy(rows.row(kept[static_cast<std::size_t>(i)]), points.row(i).begin());
    NeighborOptions search;
    search.k = 2;
    HEADSCOPE_TRY(const Neighbors nearest, findNeighbors(points.view(), search, numThreads, job));
    std::vector<double> logs;
    for (std::int64_t i = 0; i < points.rows(); ++i)
        if (nearest.squared(i, 0) > 0)
            logs.push_back(0.5 * std::log(nearest.squared(i, 1) / nearest.squared(i, 0)));
    if (logs.size() < 3)
        return dimension;
    std::sort(logs.begin(), logs.end());
    const std::int64_t n = std::ssize(logs);
    const auto tenth = static_cast<std::int64_t>(std::nearbyint(0.1 * static_cast<double>(n)));
    dimension.fit = slope(logs, std::max<std::int64_t>(1, tenth));
    dimension.fitAll = slope(logs, 1);
    const double sum = std::accumulate(logs.begin(), logs.end(), 0.0);
    if (sum > 0)
        dimension.likelihood = static_cast<double>(n - 1) / sum;
    return dimension;
}

} // namespace headscope
