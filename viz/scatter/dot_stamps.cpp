// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/dot_stamps.h"

#include "viz/scatter/four_lanes.h"

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

constexpr double kMaxCoverage = 0.995; ///< a full pixel has finite depth; 1/255 is not seen

const float* phaseOf(const MarkerSprite& sprite, std::size_t phase)
{
    const auto place = static_cast<int>(phase);
    return sprite.coverage(place % MarkerSprite::kPhases, place / MarkerSprite::kPhases);
}

/// The smallest rectangle around the pixels that a marker touches in this phase.
QRect coveredPart(const MarkerSprite& sprite, std::size_t phase)
{
    const int side = sprite.side();
    const float* depth = phaseOf(sprite, phase);
    QRect part;
    for (int pixel = 0; pixel < side * side; ++pixel)
        if (depth[pixel] > 0)
            part |= QRect(pixel % side, pixel / side, 1, 1);
    return part;
}

} // namespace

void DotStamps::prepare(double radiusPx, double opacity, bool shaped)
{
    if (radiusPx == m_radius && opacity == m_opacity && shaped == m_shaped)
        return;
    m_radius = radiusPx;
    m_opacity = opacity;
    m_shaped = shaped;
    m_reach = 0;
    m_side = 1;
    std::array<MarkerSprite, kMarkerShapes> sprites;
    std::array<Parts, kMarkerShapes> parts;
    const std::size_t shapes = shaped ? kMarkerShapes : 1;
    for (std::size_t shape = 0; shape < shapes; ++shape)
    {
        MarkerSprite& sprite = sprites[shape];
        sprite = MarkerSprite(markerShape(static_cast<std::int64_t>(shape)), radiusPx);
        // Depths add where coverages would have to multiply: depth = -log(1 - coverage).
        sprite.transform([opacity](float coverage) {
            return static_cast<float>(-std::log1p(-std::min(kMaxCoverage, opacity * static_cast<double>(coverage))));
        });
        m_reach = std::max(m_reach, sprite.reach());
        for (std::size_t phase = 0; phase < kAllPhases; ++phase)
        {
            const QRect& part = parts[shape][phase] = coveredPart(sprite, phase);
            m_side = std::max({m_side, part.width(), part.height()});
        }
    }
    m_stride = (m_side + kLanes - 1) / kLanes * kLanes;
    for (std::size_t shape = 0; shape < shapes; ++shape)
        cut(shape, sprites[shape], parts[shape]);
}

void DotStamps::cut(std::size_t shape, const MarkerSprite& sprite, const Parts& parts)
{
    const int side = sprite.side();
    std::vector<float>& depths = m_depths[shape];
    depths.assign(kAllPhases * static_cast<std::size_t>(m_side * m_stride), 0.0F);
    const int last = std::max(0, side - m_side); // stamps lie inside their sprite
    for (std::size_t phase = 0; phase < kAllPhases; ++phase)
    {
        const QRect& part = parts[phase];
        const int top = std::clamp(part.top(), 0, last);
        const int left = std::clamp(part.left(), 0, last);
        float* to = depths.data() + static_cast<std::ptrdiff_t>(phase) * m_side * m_stride;
        m_stamps[shape][phase] = {to, top - sprite.reach(), left - sprite.reach()};
        for (int row = 0; row < std::min(m_side, side); ++row)
            std::copy_n(phaseOf(sprite, phase) + (top + row) * side + left, std::min(m_side, side),
                        to + row * m_stride);
    }
}

} // namespace headscope::viz
