// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/geometry/spatial_grid.h"
#include "viz/geometry/view_transform.h"

#include <QColor>
#include <QPolygonF>

#include <cstdint>
#include <vector>

class QPainter;

namespace headscope::ui
{

/// The path of the pointer while points are picked: a rectangle, a lasso or a brush. Places are logical pixels of the
/// view, which must not move meanwhile.
class SelectionGesture
{
public:
    enum class Shape
    {
        Rectangle,
        Lasso,
        Brush,
    };

    static constexpr double kMinBrushPx = 4;
    static constexpr double kLargestBrushPx = 240;

    void begin(Shape shape, QPointF place);
    void moveTo(QPointF place);
    void cancel();
    [[nodiscard]] bool active() const { return !m_path.isEmpty(); }

    /// Radius of the brush in logical pixels, kept within its limits.
    [[nodiscard]] double brushRadius() const { return m_brushRadius; }
    void setBrushRadius(double pixels);

    /// The points it holds, ascending; all heads and documents that have dots there.
    /// @param grid  of the map that `view` shows
    [[nodiscard]] std::vector<std::int64_t> points(const viz::SpatialGrid& grid, const viz::ViewTransform& view) const;
    /// Its outline, translucently filled.
    void paint(QPainter& painter, const QColor& accent) const;

private:
    Shape m_shape = Shape::Rectangle;
    QPolygonF m_path;
    double m_brushRadius = 24;
};

} // namespace headscope::ui
