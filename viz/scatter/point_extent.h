// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/scatter/scatter_painter.h"

#include <QRectF>

#include <cstdint>
#include <optional>
#include <span>

namespace headscope::viz
{

/// Where the points of a map lie.
struct PointExtent
{
    enum class Which
    {
        All,
        NotHidden, ///< shown or dimmed
        Shown,
    };

    std::optional<QRectF> bounds; ///< data units; nothing where no point has a place
    std::int64_t notFinite = 0;   ///< points whose place is not finite, of those looked at

    /// @param xy      [P, 2]
    /// @param states  [P], or empty: all are shown
    /// @return the same for any number of threads
    /// @cost   one pass; 1,000,000 points in about a millisecond
    [[nodiscard]] static PointExtent of(std::span<const float> xy, std::span<const PointState> states, Which which,
                                        int numThreads);
};

} // namespace headscope::viz
