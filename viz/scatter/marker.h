// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// Shapes that distinguish the members of a KV group where dots are large enough to show them. All
/// cover the same area as the circle of the same radius.
enum class MarkerShape : std::uint8_t
{
    Circle,
    Square,
    Triangle,
    Diamond,
    TriangleDown,
    Plus,
    Cross,
    Star,
};

inline constexpr int kMarkerShapes = 8;

/// Shape number i, from the first again after the last.
[[nodiscard]] MarkerShape markerShape(std::int64_t i);

/// The outline around the origin, for legends and vector output. y points down.
[[nodiscard]] QPainterPath markerPath(MarkerShape shape, double radius);

/// Share of each pixel that a marker covers, for kPhases x kPhases places of its centre inside a
/// pixel. Built once per radius, then added point by point.
class MarkerSprite
{
public:
    static constexpr int kPhases = 4;

    MarkerSprite() = default;
    /// @param radiusPx  in pixels of the device, 0.3 .. 64
    MarkerSprite(MarkerShape shape, double radiusPx);

    /// Pixels from the centre's pixel to the edge of the sprite; it is 2 reach + 1 pixels wide.
    [[nodiscard]] int reach() const { return m_reach; }
    [[nodiscard]] int side() const { return 2 * m_reach + 1; }
    /// [side, side] coverage 0..1, rows from the top, for phase (px, py) in 0..kPhases-1.
    [[nodiscard]] const float* coverage(int phaseX, int phaseY) const
    {
        return m_coverage.data() + (phaseY * kPhases + phaseX) * side() * side();
    }
    /// Replaces every coverage c by f(c).
    template <class F>
    void transform(F f)
    {
        for (float& c : m_coverage)
            c = f(c);
    }

private:
    int m_reach = 0;
    std::vector<float> m_coverage;
};

} // namespace headscope::viz
