// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/model_info.h"
#include "model/data/results/heatmap_panel.h"
#include "viz/export/figure_export.h"
#include "viz/heatmap/heatmap_layout.h"
#include "viz/heatmap/matrix_painter.h"

#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headscope::viz
{

/// Stage, layer, sort order and number of documents of a heatmap.
/// @param all     stages that are shown with it, its own among them; empty: its own alone
/// @param layers  the same of layers
[[nodiscard]] QString heatmapCaption(const Heatmap& heatmap, const ModelInfo& info, std::span<const Stage> all = {},
                                     std::span<const LayerIndex> layers = {});

/// One or more heatmaps (stages) under each other, with a common colour scale and one key.
/// @param scale  of the colours; nothing: the limits of all heatmaps together
/// @errors InvalidArgument (no heatmap, or one without a column)
[[nodiscard]] Figure figureOfHeatmaps(std::vector<std::shared_ptr<const Heatmap>> heatmaps, ModelInfo info,
                                      std::optional<ScaleChoice> scale = {});

/// How the heatmaps of a window become a figure.
struct HeatmapFigure
{
    std::optional<ScaleChoice> scale; ///< empty: as figureOfHeatmaps
    HeatmapRows rows = HeatmapRows::Index;
    std::vector<std::int64_t> heads; ///< that have a row, 0-based, ascending; empty: all
    CellPooling pooling = CellPooling::Mean;
    HeatmapWindow window;                    ///< the part in view
    std::vector<std::uint8_t> lit;           ///< documents that are not pale, [M]; empty: none is pale
    std::shared_ptr<const TopicMatch> match; ///< as bars next to the heatmaps; null: none
};

/// Heatmaps under each other as a window shows them: order of rows, trees and colours. The caption says
/// them.
/// @errors as figureOfHeatmaps
[[nodiscard]] Figure figureOfHeatmapPanels(std::vector<std::shared_ptr<const HeatmapPanel>> panels, ModelInfo info,
                                           HeatmapFigure figure);

/// One of several tables of one figure.
struct MatrixFigure
{
    MatrixD values;
    QStringList rowNames;
    QStringList columnNames;
    MatrixStyle style;  ///< its scale counts
    QString scaleTitle; ///< what the colours stand for; of the first table
};

/// Tables side by side, or under each other where the figure is too narrow, with their scale and a key of
/// their letters below.
/// @param key  "A  Cooking", one a topic; may be empty
/// @errors InvalidArgument (no table)
[[nodiscard]] Figure figureOfMatrices(std::vector<MatrixFigure> tables, QStringList key);

} // namespace headscope::viz
