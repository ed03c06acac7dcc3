// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "ui/canvas/pan_zoom.h"
#include "ui/canvas/scatter/set_rings.h"
#include "ui/canvas/selection_gesture.h"
#include "viz/axis/legend_painter.h"
#include "viz/geometry/view_transform.h"
#include "viz/scatter/point_coloring.h"
#include "viz/scatter/point_states.h"
#include "viz/scatter/region_labels.h"
#include "viz/scatter/scatter_painter.h"

#include <QImage>
#include <QSizeF>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

class QPainter;

namespace headscope::ui
{

/// Lines from the focus, or from the mean place where there is none, to every marked point, each in
/// the point's colour: the dots of one document, joined.
void paintJoined(QPainter& painter, const viz::ScatterData& data, viz::InkTheme theme, const viz::ViewTransform& view);

/// A pill at the foot of the canvas: "24,000 of 320,000 points while moving".
void paintBadge(QPainter& painter, QSizeF room, const QString& text);

/// What the pointer draws: the rectangle to zoom into, the gesture that picks, or while nothing is pressed the brush.
/// @param brush  whether the brush is active and the pointer over the canvas
void paintDrag(QPainter& painter, const PointerDrag& drag, const SelectionGesture& gesture, bool brush);

/// The points in the form that the painter takes: spans into the arguments, which must outlive them. Points without a
/// colour are grey.
[[nodiscard]] viz::ScatterData scatterDataOf(const MatrixF& xy, const viz::PointColoring& coloring,
                                             std::span<const viz::PointState> states,
                                             std::span<const std::int64_t> marked, std::optional<std::int64_t> focus);

/// Everything a picture of the canvas needs, so that it can be painted away from the window. What there is of every
/// point is shared with the canvas, not copied.
/// @threads a value; render() from any thread
struct MapSnapshot
{
    std::shared_ptr<const HeadMap> map;
    std::shared_ptr<const viz::PointColoring> coloring; ///< never null
    viz::PointStateBlock states;                        ///< never null
    std::vector<std::int64_t> marked;
    std::optional<std::int64_t> focus;
    bool joined = false;
    SetRings rings;
    std::vector<viz::RegionLabel> regions;
    viz::ScatterStyle style;
    viz::ViewTransform view;
    bool legend = true;
    std::vector<viz::LegendHit> faded;
    QPointF legendPlace;
    double legendHeight = 0;
    int threads = 1;

    /// The canvas with its legend, all points, `scale` pixels for each of the screen's; null where a
    /// side would have more than 32,000.
    [[nodiscard]] QImage render(double scale) const;
    /// The points as the painter takes them; spans into this.
    [[nodiscard]] viz::ScatterData data() const;
};

} // namespace headscope::ui
