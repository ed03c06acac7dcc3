// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/maps/head_map.h"
#include "model/data/model_info.h"
#include "viz/axis/legend_painter.h"
#include "viz/export/figure_export.h"
#include "viz/export/panels/map_inset.h"
#include "viz/geometry/view_transform.h"
#include "viz/scatter/point_coloring.h"
#include "viz/scatter/region_labels.h"
#include "viz/scatter/scatter_painter.h"

#include <QRectF>
#include <QString>

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headscope::viz
{

/// What of a map goes into its figure.
struct MapFigure
{
    PointColoring coloring;         ///< made for this map, InkTheme::Light
    std::vector<PointState> states; ///< [P]; empty = all shown
    std::optional<QRectF> window;   ///< data units in view; empty = the whole map
    bool legend = true;             ///< with all its entries, next to the map or under it
    int numThreads = 1;
    ScatterMode mode = ScatterMode::Dots;
    std::vector<RegionLabel> regions = {}; ///< names of places, as they are in `regionsView`
    ViewTransform regionsView = {};
    std::string pooling = {};          ///< of the documents' tokens, for the caption: "last"; empty: not said
    std::optional<MapInset> inset{};   ///< a part of it, enlarged in a corner
    QString marks{};                   ///< sentence of the caption about what `above` marks: "Enlarged: document D."
    std::vector<LegendHit> faded = {}; ///< entries of the legend whose points are hidden or pale
    /// Paints over the dots what else the screen shows of them, such as rings: data as drawn, its view, and
    /// the radius of a dot, in the units of a screen.
    std::function<void(QPainter&, const ScatterData&, const ViewTransform&, double radiusPx)> above = {};
};

/// "t-SNE of 320,000 head vectors (10,000 documents × 32 heads) of MODEL (stage 1, layer 31):
/// perplexity 30, sparse affinities (90 neighbours), 750 iterations, PCA start, KL 2.52 (of these affinities, as the
/// run estimates it).": what a caption of a map must say.
[[nodiscard]] QString mapCaption(const HeadMap& map, const ModelInfo& info);

/// Which points of a map are shown, pale or hidden, with a space before: " Shown: heads 1–6 of 9 (1,152 of 1,728
/// points). Pale grey: 300 points that are not selected."; "" where all are shown in full.
/// @param states  [P]; empty = all shown
[[nodiscard]] QString shownSentences(const HeadMap& map, std::span<const PointState> states);

/// What the colours of a figure are, and how tokens were pooled, with a space before: " Colour: topic. Pooling of
/// tokens: last."
[[nodiscard]] QString figureSentences(const MapFigure& figure);

/// Everything that made a map, for the file's description.
[[nodiscard]] std::vector<std::pair<QString, QString>> mapParameters(const HeadMap& map, const ModelInfo& info);

/// A map with its legend. Above 5,000 points the dots are one raster layer (layerDpi)
/// inside vector text; below, every dot is a vector shape (PDF, SVG). An empty caption in `options`
/// is filled with mapCaption, shownSentences, the sentence of the marks and figureSentences, missing parameters with
/// those of the map. The map keeps the shape of its window, and the height follows.
/// @errors ShapeMismatch (the colouring is not for this map), InvalidArgument (no finite point, nothing in the inset)
[[nodiscard]] Figure figureOfMap(std::shared_ptr<const HeadMap> map, ModelInfo info, MapFigure figure);

} // namespace headscope::viz
