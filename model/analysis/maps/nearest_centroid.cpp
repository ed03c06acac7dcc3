// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/nearest_centroid.h"

#include "model/base/parallel.h"
#include "model/kernels/distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace headscope
{
namespace
{

constexpr std::int64_t kBlockPoints = 2048;

/// The means of the heads that have points, as float rows with half their squared lengths.
struct Centroids
{
    std::int64_t dims = 0;
    std::vector<std::int32_t> head;  ///< [C] ascending
    std::vector<float> rows;         ///< [C, D]
    std::vector<double> halfSquares; ///< [C]
};

/// 1 / length where rows are compared by angle, else 1; 0 for a row that is not finite.
double scaleOf(std::span<const float> row, Metric metric)
{
    const double squared = squaredNorm(row.data(), static_cast<std::int64_t>(row.size()));
    if (!std::isfinite(squared))
        return 0;
    return metric == Metric::Cosine && squared > 0 ? 1 / std::sqrt(squared) : 1;
}

/// One pass in the order of the points: the same sums for any number of threads.
Result<Centroids> centroidsOf(const HeadVectors& vectors, const PointIds& points, Metric metric, JobContext& job)
{
    const auto dims = static_cast<std::size_t>(vectors.dims());
    std::vector<double> sums(static_cast<std::size_t>(vectors.heads()) * dims, 0.0);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(vectors.heads()), 0);
    for (std::size_t i = 0; i < points.head.size(); ++i)
    {
        if (i % static_cast<std::size_t>(kBlockPoints) == 0 && job.stopRequested())
            return JobContext::cancelled();
        const std::int32_t document = points.document[i];
        const std::int32_t head = points.head[i];
        if (document < 0 || document >= vectors.documents() || head < 0 || head >= vectors.heads())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected a point among {} documents and {} heads, found document {}, head {}",
                                     vectors.documents(), vectors.heads(), document, head),
                         {},
                         fmt::format("point {}", i)};
        const auto row = vectors.vector(DocumentIndex(document), HeadIndex(head));
        const double scale = scaleOf(row, metric);
        if (scale == 0)
            continue;
        ++counts[static_cast<std::size_t>(head)];
        double* sum = sums.data() + static_cast<std::size_t>(head) * dims;
        for (std::size_t d = 0; d < dims; ++d)
            sum[d] += scale * static_cast<double>(row[d]);
    }
    Centroids centroids{vectors.dims(), {}, {}, {}};
    for (std::size_t head = 0; head < counts.size(); ++head)
    {
        if (counts[head] == 0)
            continue;
        const double* sum = sums.data() + head * dims;
        double squared = 0;
        for (std::size_t d = 0; d < dims; ++d)
            squared += sum[d] * sum[d];
        const double perPoint = 1 / static_cast<double>(counts[head]);
        const double scale = metric == Metric::Cosine ? (squared > 0 ? 1 / std::sqrt(squared) : 0) : perPoint;
        centroids.head.push_back(static_cast<std::int32_t>(head));
        for (std::size_t d = 0; d < dims; ++d)
            centroids.rows.push_back(static_cast<float>(scale * sum[d]));
        centroids.halfSquares.push_back(
            squaredNorm(centroids.rows.data() + centroids.rows.size() - dims, static_cast<std::int64_t>(dims)) / 2);
    }
    return centroids;
}

} // namespace

Result<NearestCentroids> nearestCentroids(const HeadVectors& vectors, const PointIds& points, Metric metric,
                                          int numThreads, JobContext& job)
{
    job.report("comparing with centroids", 0, 1);
    HEADSCOPE_TRY(const Centroids centroids, centroidsOf(vectors, points, metric, job));
    NearestCentroids result;
    result.head.assign(points.head.size(), -1);
    parallelFor(numThreads, points.count(), kBlockPoints, [&](std::int64_t begin, std::int64_t end) {
        if (job.stopRequested())
            return;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        {
            const auto row = vectors.vector(points.documentOf(i), points.headOf(i));
            const double scale = scaleOf(row, metric);
            if (scale == 0)
                continue;
            double best = -std::numeric_limits<double>::infinity();
            for (std::size_t c = 0; c < centroids.head.size(); ++c)
            {
                // |x - c|^2 is least where x c - |c|^2 / 2 is largest.
                const double near =
                    scale * dotProduct(row.data(), centroids.rows.data() + c * static_cast<std::size_t>(centroids.dims),
                                       centroids.dims) -
                    centroids.halfSquares[c];
                if (near > best)
                {
                    best = near;
                    result.head[i] = centroids.head[c];
                }
            }
        }
    });
    if (job.stopRequested())
        return JobContext::cancelled();
    for (std::size_t i = 0; i < result.head.size(); ++i)
        result.strangers += result.head[i] >= 0 && result.head[i] != points.head[i] ? 1 : 0;
    job.report("comparing with centroids", 1, 1);
    return result;
}

} // namespace headscope
