// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/geometry/vector_directions.h"

#include "model/analysis/statistics/jackknife.h"
#include "model/analysis/tsne/principal_components.h"
#include "model/data/matrix_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope
{
namespace
{

/// Squared distances of rows from their mean.
std::vector<double> squaredDistances(ConstMatrixView rows, std::span<const double> mean)
{
    std::vector<double> squares(static_cast<std::size_t>(rows.rows()));
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        for (std::size_t d = 0; d < mean.size(); ++d)
        {
            const double value = static_cast<double>(rows.row(i)[d]) - mean[d];
            squares[static_cast<std::size_t>(i)] += value * value;
        }
    return squares;
}

/// Share of the variance along a direction with an interval: each document left out, with its part of the mean, takes
/// n / (n - 1) of its square from both sums.
void measureShare(VectorDirection& direction, std::span<const double> along, std::span<const double> squares)
{
    double part = 0;
    for (const double score : along)
        part += score * score;
    const double all = std::accumulate(squares.begin(), squares.end(), 0.0);
    direction.share = part / all;
    const auto n = static_cast<double>(along.size());
    std::vector<double> leftOut;
    for (std::size_t i = 0; i < along.size(); ++i)
        leftOut.push_back((part - n / (n - 1) * along[i] * along[i]) / (all - n / (n - 1) * squares[i]));
    direction.shareCi95 = jackknifeInterval(direction.share, leftOut);
    direction.shareCi95.low = std::max(0.0, direction.shareCi95.low);
    direction.shareCi95.high = std::min(1.0, direction.shareCi95.high);
}

/// The `count` documents of largest `sign` times score, the largest first.
std::vector<std::int64_t> endOf(std::span<const double> scores, std::span<const std::int64_t> documents,
                                std::int64_t count, double sign)
{
    std::vector<std::int64_t> order(documents.begin(), documents.end());
    const auto score = [&](std::int64_t document) { return sign * scores[static_cast<std::size_t>(document)]; };
    std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](std::int64_t a, std::int64_t b) {
        return score(a) != score(b) ? score(a) > score(b) : a < b;
    });
    order.resize(static_cast<std::size_t>(count));
    return order;
}

} // namespace

Result<VectorDirections> vectorDirections(ConstMatrixView rows, const DirectionOptions& options, int numThreads,
                                          JobContext& job)
{
    const std::vector<std::int64_t> documents = finiteRows(rows);
    VectorDirections found;
    found.documents = std::ssize(documents);
    found.leftOut = rows.rows() - found.documents;
    if (found.documents < 2)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least 2 documents with finite vectors, found {}", found.documents),
                     {},
                     {}};
    const MatrixF usable = takeRows(rows, documents);
    found.varies = rowsVary(usable.view());
    if (!found.varies)
        return found;
    HEADSCOPE_TRY(PrincipalComponents components,
                  principalComponents(usable.view(), {}, options.directions, numThreads, job));
    const std::vector<double> squares = squaredDistances(usable.view(), components.mean);
    const auto ofEnd = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::floor(options.ends * static_cast<double>(found.documents))));
    for (std::int64_t c = 0; c < components.directions.rows(); ++c)
    {
        HEADSCOPE_CHECK(job.checkStop());
        VectorDirection direction;
        direction.scores.assign(static_cast<std::size_t>(rows.rows()), std::numeric_limits<double>::quiet_NaN());
        std::vector<double> along;
        for (std::int64_t i = 0; i < found.documents; ++i)
        {
            double score = 0;
            for (std::int64_t d = 0; d < rows.cols(); ++d)
                score += (static_cast<double>(usable(i, d)) - components.mean[static_cast<std::size_t>(d)]) *
                         components.directions(c, d);
            along.push_back(score);
            direction.scores[static_cast<std::size_t>(documents[static_cast<std::size_t>(i)])] = score;
        }
        measureShare(direction, along, squares);
        direction.high = endOf(direction.scores, documents, ofEnd, 1);
        direction.low = endOf(direction.scores, documents, ofEnd, -1);
        found.directions.push_back(std::move(direction));
    }
    found.vectors = std::move(components.directions);
    return found;
}

} // namespace headscope
