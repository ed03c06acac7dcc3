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
#include <filesystem>
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
/// @errors as exportDrawing; InvalidArgument (no heatmap, or one without a column)
[[nodiscard]] Status exportHeatmap(std::span<const Heatmap> heatmaps, const ModelInfo& info,
                                   const std::filesystem::path& path, FigureOptions options = {},
                                   const std::optional<ScaleChoice>& scale = {});
/// Colour limits that suit the values of all of them.
[[nodiscard]] ScaleLimits commonLimits(std::span<const Heatmap> heatmaps);
[[nodiscard]] Status exportHeatmap(const Heatmap& heatmap, const ModelInfo& info, const std::filesystem::path& path,
                                   FigureOptions options = {});

/// How the heatmaps of a window become a figure.
struct HeatmapFigure
{
    std::optional<ScaleChoice> scale; ///< empty: as exportHeatmap
    HeatmapRows rows = HeatmapRows::Index;
    std::vector<std::int64_t> heads; ///< that have a row, 0-based, ascending; empty: all
    CellPooling pooling = CellPooling::Mean;
    HeatmapWindow window;                    ///< the part in view
    std::vector<std::uint8_t> lit;           ///< documents that are not pale, [M]; empty: none is pale
    std::shared_ptr<const TopicMatch> match; ///< as bars beside the heatmaps; null: none
};

/// Heatmaps under each other as a window shows them: order of rows, trees and colours. The caption says
/// them.
/// @errors as exportHeatmap
[[nodiscard]] Status exportHeatmapPanels(std::span<const std::shared_ptr<const HeatmapPanel>> panels,
                                         const ModelInfo& info, const HeatmapFigure& figure,
                                         const std::filesystem::path& path, FigureOptions options = {});

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
/// @errors as exportDrawing; InvalidArgument (no table)
[[nodiscard]] Status exportMatrices(std::span<const MatrixFigure> tables, const QStringList& key,
                                    const std::filesystem::path& path, FigureOptions options);

} // namespace headscope::viz
