// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/model_info.h"
#include "viz/axis/legend.h"
#include "viz/axis/legend_painter.h"
#include "viz/color/inks.h"
#include "viz/export/figure_export.h"
#include "viz/scatter/point_coloring.h"
#include "viz/scatter/scatter_painter.h"

#include <QPointF>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::viz
{

/// Which part of its map a cell shows.
struct CellWindow
{
    double zoom = 1; ///< relative to the view of the whole map
    QPointF aside;   ///< offset of the view's centre from that of the whole map, in widths of a cell; y up
};

/// What of a set goes into its figure.
struct GridFigure
{
    std::optional<PointColoring> coloring; ///< by document (GridPoints), InkTheme::Light; nothing: by head
    std::vector<std::optional<PointColoring>> mapColorings; ///< of each map (GridPoints); empty: none has its own
    std::optional<Legend> mapLegend;                        ///< of mapColorings, where documents have no colours
    std::vector<PointState> states;                         ///< by document; empty = all shown
    std::vector<CellWindow> windows;                        ///< of each cell; empty: every map whole
    std::optional<DocumentIndex> primary;                   ///< the document that is ringed in every cell
    bool legend = true;                                     ///< with all its entries, next to the maps or under them
    std::vector<LegendHit> faded;                           ///< its entries whose documents are pale
    int numThreads = 1;
};

/// What a caption of a grid must say: model, number of maps and documents, options, what r is.
[[nodiscard]] QString gridCaption(const HeadMapSet& set, const ModelInfo& info);

/// A grid of small maps with its legend: dots are one raster layer at the figure's dpi inside vector
/// text, and every cell says its agreement. An empty caption in `options` is filled with gridCaption; the
/// height follows from the number of cells that fit side by side.
/// @errors InvalidArgument (no map, no finite point)
[[nodiscard]] Figure figureOfGrid(std::shared_ptr<const HeadMapSet> set, ModelInfo info, GridFigure figure);

} // namespace headscope::viz
