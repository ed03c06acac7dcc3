// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/measure_trust.h"

#include "model/analysis/maps/measure_map.h"
#include "model/data/maps/point_range.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace headscope::colorings
{

Result<PointTrust> measureTrust(const HeadVectors& vectors, const HeadMap& map, int numThreads, JobContext& job)
{
    const PointIds& points = *map.points;
    HEADSCOPE_CHECK(expectPointsOf(points, vectors.documents(), vectors.heads(), map.name));
    std::vector<std::size_t> placed;
    std::vector<float> rows;
    std::vector<float> xy;
    placed.reserve(points.head.size());
    rows.reserve(points.head.size() * static_cast<std::size_t>(vectors.dims()));
    for (std::size_t i = 0; i < points.head.size(); ++i)
    {
        const auto place = map.xy.row(static_cast<std::int64_t>(i));
        if (!std::isfinite(place[0]) || !std::isfinite(place[1]))
            continue;
        placed.push_back(i);
        const auto row = vectors.vector(points.documentOf(i), points.headOf(i));
        rows.insert(rows.end(), row.begin(), row.end());
        xy.insert(xy.end(), place.begin(), place.end());
    }
    HEADSCOPE_CHECK(job.checkStop());
    const auto count = static_cast<std::int64_t>(placed.size());
    const MatrixF vectorRows(count, vectors.dims(), std::move(rows));
    const MatrixF places(count, 2, std::move(xy));
    PointTrust found;
    HEADSCOPE_CHECK(
        measureMap(vectorRows.view(), places.view(), MapTrustOptions::of(map.options), numThreads, job, &found));
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    PointTrust trust{std::vector<double>(points.head.size(), kNone), std::vector<double>(points.head.size(), kNone)};
    for (std::size_t k = 0; k < placed.size(); ++k)
    {
        trust.divergence[placed[k]] = found.divergence[k];
        trust.kept[placed[k]] = found.kept[k];
    }
    return trust;
}

} // namespace headscope::colorings
