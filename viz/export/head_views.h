// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/maps/head_map.h"
#include "model/data/model_info.h"
#include "viz/export/figure_export.h"
#include "viz/export/map_figures.h"
#include "viz/scatter/scatter_painter.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace headscope::viz
{

/// Some heads of a map of more: the map stays what it is, the points of the others are hidden.
struct HeadsOfMap
{
    std::vector<std::int64_t> heads; ///< 0-based, ascending, those of the map
    std::vector<PointState> states;  ///< [P]
    QRectF window;                   ///< data units around what is shown
    QString note;                    ///< for the caption: "Shown: heads 1-4, a zoom of the map of all 32 heads."
};

/// @param heads  0-based
/// @errors  InvalidArgument (a head of which the map has no point with finite coordinates, a map without heads)
[[nodiscard]] Result<HeadsOfMap> headsOfMap(const HeadMap& map, std::span<const std::int64_t> heads);

/// The legend without the heads that are not among these; other legends stay.
void keepHeads(Legend& legend, std::span<const std::int64_t> heads);

/// A figure of a map that shows these heads alone, its axes fitted to them, and says so in its caption.
/// @param figure  of the whole map; its window and states are not used
/// @errors those of headsOfMap and figureOfMap
[[nodiscard]] Figure figureOfHeadsOnMap(std::shared_ptr<const HeadMap> map, ModelInfo info, MapFigure figure,
                                        std::vector<std::int64_t> heads);

/// Panels of one map, each with the points of one head alone, all with the same axes: those of the heads shown. As
/// many panels in a line as make a square, or fewer where they would be too narrow; one legend.
/// @errors those of figureOfHeadsOnMap
[[nodiscard]] Figure figureOfHeadPanels(std::shared_ptr<const HeadMap> map, ModelInfo info, MapFigure figure,
                                        std::vector<std::int64_t> heads);

} // namespace headscope::viz
