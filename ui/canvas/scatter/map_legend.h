// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/map_colors.h"
#include "viz/scatter/point_states.h"
#include "viz/scatter/scatter_painter.h"

#include <QRectF>

namespace headscope::ui
{

/// The legend of a map, on the right of its canvas: shows what MapColors has, and tells it what is clicked.
class MapLegend : public LegendWidget
{
    Q_OBJECT

public:
    /// From the edges of the canvas, pixels.
    static constexpr int kMargin = 12;

    /// @param colors, points  must outlive the widget
    MapLegend(QWidget* canvas, MapColors& colors, const viz::PointStates& points);

    /// Whether it is shown where there are colours.
    void setWanted(bool wanted) { m_wanted = wanted; }
    [[nodiscard]] bool isWanted() const { return m_wanted; }
    /// Takes the colours' legend and its place on the canvas.
    void layOut(viz::ScatterMode mode);
    /// Entries whose points are hidden or pale.
    void refreshFaded() { setFaded(m_colors.faded(m_points)); }
    /// Where it is; hidden: the corner it would have, without a size.
    [[nodiscard]] QRectF place() const;

private:
    MapColors& m_colors;
    const viz::PointStates& m_points;
    bool m_wanted = true;
};

} // namespace headscope::ui
