// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/point_extent.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr std::int64_t kBlock = 1 << 17; ///< points

struct Part
{
    float left = std::numeric_limits<float>::infinity();
    float top = std::numeric_limits<float>::infinity();
    float right = -std::numeric_limits<float>::infinity();
    float bottom = -std::numeric_limits<float>::infinity();
    std::int64_t notFinite = 0;

    void take(float x, float y)
    {
        if (!std::isfinite(x) || !std::isfinite(y))
        {
            ++notFinite;
            return;
        }
        left = std::min(left, x);
        right = std::max(right, x);
        top = std::min(top, y);
        bottom = std::max(bottom, y);
    }
};

} // namespace

PointExtent PointExtent::of(std::span<const float> xy, std::span<const PointState> states, Which which, int numThreads)
{
    const auto points = static_cast<std::int64_t>(xy.size() / 2);
    const auto counts = [&](std::size_t point) {
        if (which == Which::All || states.empty())
            return true;
        return which == Which::Shown ? states[point] == PointState::Shown : states[point] != PointState::Hidden;
    };
    std::vector<Part> parts(static_cast<std::size_t>(blockCount(points, kBlock)));
    parallelFor(numThreads, points, kBlock, [&](std::int64_t begin, std::int64_t end) {
        Part part;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            if (counts(i))
                part.take(xy[2 * i], xy[2 * i + 1]);
        parts[static_cast<std::size_t>(begin / kBlock)] = part;
    });
    PointExtent extent;
    Part all;
    for (const Part& part : parts)
    {
        all.left = std::min(all.left, part.left);
        all.top = std::min(all.top, part.top);
        all.right = std::max(all.right, part.right);
        all.bottom = std::max(all.bottom, part.bottom);
        extent.notFinite += part.notFinite;
    }
    if (all.left <= all.right)
        extent.bounds = QRectF(QPointF(static_cast<double>(all.left), static_cast<double>(all.top)),
                               QPointF(static_cast<double>(all.right), static_cast<double>(all.bottom)));
    return extent;
}

} // namespace headscope::viz
