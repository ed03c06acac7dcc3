// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/head_map.h"
#include "model/data/model_info.h"
#include "model/data/probe_result.h"
#include "model/data/topic_results.h"
#include "viz/export/figure_export.h"
#include "viz/geometry/view_transform.h"
#include "viz/heatmap/heatmap_painter.h"
#include "viz/scatter/point_coloring.h"
#include "viz/scatter/region_labels.h"
#include "viz/scatter/scatter_painter.h"

#include <QRectF>

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace headscope::viz
{

/// What of a map goes into its figure.
struct MapFigure
{
    PointColoring coloring;             ///< made for this map, Theme::Light
    std::span<const PointState> states; ///< [P]; empty = all shown
    std::optional<QRectF> window;       ///< data units in view; empty = the whole map
    bool legend = true;                 ///< smaller in a small figure, left out where not even that fits
    int numThreads = 1;
    ScatterMode mode = ScatterMode::Dots;
    std::vector<RegionLabel> regions = {}; ///< names of places, as they stand in `regionsView`
    ViewTransform regionsView = {};
};

/// "t-SNE of 320,000 head vectors (10,000 documents × 32 heads) of MODEL (stage 1, layer 31):
/// perplexity 30, 750 iterations, seed 1, KL 2.52.": what a caption of a map must say.
[[nodiscard]] QString mapCaption(const HeadMap& map, const ModelInfo& info);
/// Stage, layer, sort order and number of documents of a heatmap.
[[nodiscard]] QString heatmapCaption(const Heatmap& heatmap, const ModelInfo& info);
/// What a caption adds where segments are among what it shows; else nothing.
[[nodiscard]] QString segmentsNote(std::span<const Stage> stages);
/// Split, rows and options of probes.
[[nodiscard]] QString probeCaption(std::span<const ProbeResult> results, const ModelInfo& info);

/// A map with its legend. Above 5,000 points the dots are one raster layer at the figure's dpi
/// inside vector text; below, every dot is a vector shape (PDF, SVG). An empty caption in `options`
/// is filled with mapCaption, missing parameters with those of the map.
/// @errors as exportDrawing; ShapeMismatch (the colouring is not for this map), InvalidArgument (no
///         finite point)
[[nodiscard]] Status exportMap(const HeadMap& map, const ModelInfo& info, const MapFigure& figure,
                               const std::filesystem::path& path, FigureOptions options = {});

/// One or more heatmaps (stages) under each other, with a common colour scale and one key.
/// @param scale  of the colours; nothing: the limits of all heatmaps together
/// @errors as exportDrawing; InvalidArgument (no heatmap, or one without a column)
[[nodiscard]] Status exportHeatmap(std::span<const Heatmap> heatmaps, const ModelInfo& info,
                                   const std::filesystem::path& path, FigureOptions options = {},
                                   const std::optional<ScaleChoice>& scale = {});
/// Limits that show the values of all of them well.
[[nodiscard]] ScaleLimits commonLimits(std::span<const Heatmap> heatmaps);
[[nodiscard]] Status exportHeatmap(const Heatmap& heatmap, const ModelInfo& info, const std::filesystem::path& path,
                                   FigureOptions options = {});

/// The probe table, and for each result its confusion matrix and its bars.
/// @errors as exportDrawing; InvalidArgument (no result)
[[nodiscard]] Status exportProbe(std::span<const ProbeResult> results, const ModelInfo& info,
                                 const std::filesystem::path& path, FigureOptions options = {});

} // namespace headscope::viz
