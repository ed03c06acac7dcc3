// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/export/figure_export.h"
#include "viz/geometry/view_transform.h"
#include "viz/scatter/scatter_painter.h"

#include <QRectF>
#include <QSizeF>

#include <cstdint>
#include <optional>

class QPainter;

namespace headscope::viz
{

/// Screen pixels per point: a map is laid out as on a screen of 150 pixels per inch, which gives dots a suitable
/// size.
inline constexpr double kUnitsPerPoint = 150 / 72.0;
/// More dots than this are one raster layer, even where a file could hold each as a shape.
inline constexpr std::int64_t kMaxVectorDots = 5'000;

/// Height of a map over its width for this window: that of the window, within limits that suit a page.
[[nodiscard]] double windowShape(const QRectF& window);
/// Device pixels of a layer's unit, where `dpi` is that of the layer (layerDpi).
[[nodiscard]] double dprOf(const FigureOptions& options);

/// The points of a map laid out in a box of a page in points.
struct MapLayer
{
    ScatterData data;
    ScatterStyle style;
    ViewTransform view; ///< in units of a screen

    /// @param window  data units in view; nothing: the whole map
    MapLayer(const ScatterData& points, ScatterMode mode, const std::optional<QRectF>& window, QSizeF box);

    [[nodiscard]] double opacity() const;
    /// Dot radius in the layer's units.
    [[nodiscard]] double radius() const;
};

/// The points of a map inside `box` of a page in points.
/// @param vector  every dot a shape of its own
void paintMapLayer(QPainter& painter, const QRectF& box, double dpr, const MapLayer& layer, int numThreads,
                   bool vector);

} // namespace headscope::viz
