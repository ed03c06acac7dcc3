// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/parallel.h"
#include "viz/scatter/device_transform.h"
#include "viz/scatter/four_lanes.h"
#include "viz/scatter/scatter_painter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace headscope::viz
{

/// The values from `first` on; zeros after the last. A copy of a length that the compiler knows calls no function.
template <std::size_t kCount, class T>
[[nodiscard]] [[gnu::always_inline]] inline std::array<T, kCount> nextOf(std::span<const T> values, std::size_t first)
{
    std::array<T, kCount> next{};
    if (values.size() - first >= kCount)
        std::memcpy(next.data(), values.data() + first, sizeof next);
    else
        std::copy(values.begin() + static_cast<std::ptrdiff_t>(first), values.end(), next.begin());
    return next;
}

/// Four points in a row of the data.
struct FourPoints
{
    Floats4 x;
    Floats4 y;
    Ints4 state; ///< as PointState has it
    Ints4 valid; ///< -1; 0 in lanes after the last point

    FourPoints(const ScatterData& data, std::size_t first)
    {
        static_assert(sizeof(PointState) == 1);
        const std::size_t left = data.xy.size() / 2 - first;
        const auto xy = nextOf<8>(data.xy, 2 * first);
        const Floats4 low = loadFloats(xy.data());
        const Floats4 high = loadFloats(xy.data() + 4);
        x = __builtin_shufflevector(low, high, 0, 2, 4, 6);
        y = __builtin_shufflevector(low, high, 1, 3, 5, 7);
        valid = Ints4{0, 1, 2, 3} < static_cast<std::int32_t>(std::min<std::size_t>(left, 4));
        state = Ints4{} + static_cast<std::int32_t>(PointState::Shown);
        if (!data.states.empty())
            state = loadBytes(nextOf<4>(data.states, first).data());
    }

    [[nodiscard]] Ints4 is(PointState asked) const { return state == static_cast<std::int32_t>(asked); }
    /// Where both coordinates are finite.
    [[nodiscard]] Ints4 finite() const { return (x - x == 0) & (y - y == 0); }
};

/// What becomes of the points of a block, counted.
class PointTally
{
public:
    /// @param shown   where a point is drawn if it is in view
    /// @param inView  where it is in view
    void add(const FourPoints& points, Ints4 shown, Ints4 inView)
    {
        m_all -= points.valid;
        m_shown -= points.valid & shown;
        m_drawn -= points.valid & shown & inView;
        m_finite -= points.valid & shown & points.finite(); // those in view among them
    }
    [[nodiscard]] ScatterCounts counts() const
    {
        return {.drawn = sum(m_drawn),
                .outside = sum(m_finite) - sum(m_drawn),
                .hidden = sum(m_all) - sum(m_shown),
                .notFinite = sum(m_shown) - sum(m_finite)};
    }

private:
    [[nodiscard]] static std::int64_t sum(Ints4 lanes)
    {
        return std::int64_t{lanes[0]} + lanes[1] + lanes[2] + lanes[3];
    }

    Ints4 m_all{};
    Ints4 m_shown{};
    Ints4 m_drawn{};
    Ints4 m_finite{};
};

/// Finds the pixels of the shown points of a block, four points at a time, and counts what becomes of the points.
/// @param visit  (first point, the pixels of it and the next three, which of them are drawn); a pixel is
///               y * width + x, and 0 where its point is not drawn
template <class Visit>
void visitPixels(const ScatterData& data, const DeviceTransform& transform, std::int64_t width, std::int64_t height,
                 const Block& block, PointTally& tally, const Visit& visit)
{
    const auto right = static_cast<float>(width);
    const auto bottom = static_cast<float>(height);
    for (std::int64_t i = block.begin; i < block.end; i += kLanes)
    {
        const FourPoints points(data, static_cast<std::size_t>(i));
        const Floats4 x = transform.x(points.x);
        const Floats4 y = transform.y(points.y);
        const Ints4 inView = (x >= 0) & (y >= 0) & (x < right) & (y < bottom);
        const Ints4 shown = points.is(PointState::Shown);
        tally.add(points, shown, inView);
        const Ints4 drawn = inView & shown & points.valid;
        const Ints4 pixel =
            truncated(drawn ? y : Floats4{}) * static_cast<std::int32_t>(width) + truncated(drawn ? x : Floats4{});
        visit(i, pixel, drawn);
    }
}

} // namespace headscope::viz
