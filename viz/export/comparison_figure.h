// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/maps/head_map.h"
#include "model/data/model_info.h"
#include "viz/axis/legend_painter.h"
#include "viz/export/figure_export.h"
#include "viz/scatter/point_coloring.h"
#include "viz/scatter/scatter_painter.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <filesystem>
#include <memory>
#include <vector>

namespace headscope::viz
{

/// One of two maps of the same points.
struct MapPanel
{
    std::shared_ptr<const HeadMap> map;
    QString title; ///< above it; may be empty
    QRectF window; ///< data units in view
};

/// From where a point is in the first map to where it is in the last, in data units.
struct MoveLine
{
    QPointF from;
    QPointF to;
    bool strong = false;
};

/// One map of points on their way, or two of the same points side by side, or, where the figure is too
/// narrow, one under the other; with the lines between them and one legend.
struct ComparisonFigure
{
    std::vector<MapPanel> panels; ///< one or two
    PointColoring coloring;       ///< of the points of all, InkTheme::Light
    std::vector<PointState> states;
    std::vector<LegendHit> faded;
    std::vector<MoveLine> lines;
    QString note; ///< a grey line under the maps, such as how many of all lines are there; may be empty
    int numThreads = 1;
};

/// @errors as figureOfMap; InvalidArgument (no panel)
[[nodiscard]] Figure figureOfComparison(ComparisonFigure figure, ModelInfo info);

} // namespace headscope::viz
