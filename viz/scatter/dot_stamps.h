// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/scatter/marker.h"

#include <QRect>

#include <array>
#include <cstddef>
#include <vector>

namespace headscope::viz
{

/// The markers of one picture as stamps of optical depth: of each sprite, in each phase, the part that its marker
/// covers.
class DotStamps
{
public:
    /// The stamp of a marker in one phase.
    struct Stamp
    {
        const float* depths = nullptr; ///< [side, stride]
        int row = 0;                   ///< of its top left corner, from the pixel that holds the centre
        int column = 0;
    };

    /// Rebuilds only what a change of radius, opacity or shapes demands.
    void prepare(double radiusPx, double opacity, bool shaped);
    /// @param phase  phaseY * kPhases + phaseX
    [[nodiscard]] const Stamp& stamp(MarkerShape shape, int phase) const
    {
        return m_stamps[m_shaped ? static_cast<std::size_t>(shape) : 0][static_cast<std::size_t>(phase)];
    }
    /// How many rows and columns a stamp has, in any phase of any sprite: small dots cover a
    /// quarter of theirs, and loops of one length are predicted.
    [[nodiscard]] int side() const { return m_side; }
    /// From a row of a stamp to the next.
    [[nodiscard]] int stride() const { return m_stride; }
    /// Largest reach of all sprites in use.
    [[nodiscard]] int reach() const { return m_reach; }

private:
    static constexpr std::size_t kAllPhases = MarkerSprite::kPhases * MarkerSprite::kPhases;

    using Parts = std::array<QRect, kAllPhases>; ///< that a marker covers of its sprite, in each phase

    void cut(std::size_t shape, const MarkerSprite& sprite, const Parts& parts);

    double m_radius = -1;
    double m_opacity = -1;
    bool m_shaped = false;
    int m_reach = 0;
    int m_side = 0;
    int m_stride = 0;
    std::array<std::vector<float>, kMarkerShapes> m_depths; ///< [kAllPhases, side, stride] each
    std::array<std::array<Stamp, kAllPhases>, kMarkerShapes> m_stamps;
};

} // namespace headscope::viz
