// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/point_extent.h"

#include "model/base/parallel.h"
#include "viz/scatter/point_lanes.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr std::int64_t kBlock = 1 << 17; ///< points

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Of every fourth point of a block.
struct Part
{
    Floats4 left = Floats4{} + kInfinity;
    Floats4 top = Floats4{} + kInfinity;
    Floats4 right = Floats4{} - kInfinity;
    Floats4 bottom = Floats4{} - kInfinity;
    Ints4 notFinite{};

    /// @param counts  which of the points are looked at
    void take(const FourPoints& points, Ints4 counts)
    {
        const Ints4 finite = points.finite();
        const Ints4 taken = counts & finite;
        left = smaller(taken ? points.x : Floats4{} + kInfinity, left);
        top = smaller(taken ? points.y : Floats4{} + kInfinity, top);
        right = larger(taken ? points.x : Floats4{} - kInfinity, right);
        bottom = larger(taken ? points.y : Floats4{} - kInfinity, bottom);
        notFinite -= counts & ~finite;
    }
};

} // namespace

PointExtent PointExtent::of(std::span<const float> xy, std::span<const PointState> states, Which which, int numThreads)
{
    const auto points = static_cast<std::int64_t>(xy.size() / 2);
    ScatterData data;
    data.xy = xy;
    if (which != Which::All)
        data.states = states;
    std::vector<Part> parts(static_cast<std::size_t>(blockCount(points, kBlock)));
    parallelFor(numThreads, points, kBlock, [&](std::int64_t begin, std::int64_t end) {
        Part part;
        for (std::int64_t i = begin; i < end; i += kLanes)
        {
            const FourPoints four(data, static_cast<std::size_t>(i));
            const Ints4 counts = which == Which::Shown ? four.is(PointState::Shown) : ~four.is(PointState::Hidden);
            part.take(four, counts & four.valid);
        }
        parts[static_cast<std::size_t>(begin / kBlock)] = part;
    });
    PointExtent extent;
    float left = kInfinity;
    float top = kInfinity;
    float right = -kInfinity;
    float bottom = -kInfinity;
    for (const Part& part : parts)
        for (int lane = 0; lane < kLanes; ++lane)
        {
            left = std::min(left, part.left[lane]);
            top = std::min(top, part.top[lane]);
            right = std::max(right, part.right[lane]);
            bottom = std::max(bottom, part.bottom[lane]);
            extent.notFinite += part.notFinite[lane];
        }
    if (left <= right)
        extent.bounds = QRectF(QPointF(static_cast<double>(left), static_cast<double>(top)),
                               QPointF(static_cast<double>(right), static_cast<double>(bottom)));
    return extent;
}

} // namespace headscope::viz
