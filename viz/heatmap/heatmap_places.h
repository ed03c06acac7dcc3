// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/topic_results.h"
#include "viz/color/color_scale.h"
#include "viz/color/inks.h"
#include "viz/heatmap/heatmap_cells.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::viz
{

struct HeatmapStyle
{
    InkTheme theme = InkTheme::Light;
    double textPx = 11;
    std::optional<ScaleLimits> limits; ///< empty: heatmapLimits of the values
    std::optional<ColorScale> scale;   ///< wins over limits
    bool title = true;                 ///< the stage's sentence above
    bool layerInTitle = false;         ///< for heatmaps of several layers
    bool key = true;                   ///< letters and names of the topics below
    bool letters = false;              ///< the letters alone, for windows with a key of their own
    bool colorBar = true;
    bool colorBarRoom = true; ///< without a bar, keep its place free all the same: for maps under each other
    bool marks = false;       ///< room above the columns for marks of chosen documents
    CellPooling pooling = CellPooling::Mean;
    std::vector<std::int64_t> rows;    ///< heads' rows (1 + head) from the top, or some; empty: all, by index
    const ClusterTree* tree = nullptr; ///< of the heads, drawn on the right where rows are in its order
    bool columnTrees = true;           ///< drawn above the columns where they are by clusters
    bool treeRoom = false;             ///< keep its place free: for maps under each other
    /// Decides whether rows are high enough for numbers, in place of the box's height: maps under each
    /// other must decide alike, or their columns would not be under each other.
    std::optional<double> commonHeight;
    /// The cells begin no nearer to the box's left edge, for the same reason: names of groups are wider
    /// than those of segments, which are in none.
    double leastLeft = 0;
    int numThreads = 1;
};

/// Heads of one KV group that are together.
struct HeatmapBracket
{
    std::int64_t group = 0;
    std::int64_t begin = 0; ///< place from the top
    std::int64_t end = 0;
};

/// Where the parts of a heatmap are in its box, whatever part of the cells is shown; empty rectangles are of parts
/// that the style leaves out.
struct HeatmapPlaces
{
    std::vector<std::int64_t> order; ///< row at each place from the top
    std::vector<std::int64_t> place; ///< [1 + H] place of each row; of the full one, and of those not shown, -1
    std::vector<HeatmapBracket> brackets;
    QRectF box;
    QRectF plot; ///< of the cells
    QRectF bar;
    QRectF title;
    QRectF letters;
    QRectF marks;                 ///< band of the marks
    QRectF columnTree;            ///< band of the columns' trees
    QRectF headTree;              ///< band of the heads' tree
    double numberWidth = 0;       ///< of heads' numbers next to the strip; 0: there is no room
    double fullHeight = 0;        ///< of the full row
    double fullGap = 0;           ///< between the full row and the heads
    double stripWidth = 0;        ///< of the head colours
    std::vector<QRectF> keyBoxes; ///< one per topic, empty when there is no key

    [[nodiscard]] QRectF headsArea() const;
    [[nodiscard]] std::int64_t headsShown() const { return static_cast<std::int64_t>(order.size()); }
};

/// @param grouped  the model as rows of this stage fall into groups (model/data/key_sharing.h)
/// @param box      in the painter's units; text keeps its size, the cells take what is left
/// @threads needs a QGuiApplication (fonts)
[[nodiscard]] HeatmapPlaces measureHeatmap(const Heatmap& heatmap, const ModelInfo& info, const ModelInfo& grouped,
                                           const QRectF& box, const HeatmapStyle& style, const ColorScale& scale);

/// "Stage 1, heads before o_proj"; of a last layer "Stage 3, segments after the final norm".
/// With its layer in front where that is asked for.
[[nodiscard]] QString heatmapTitle(const Heatmap& heatmap, const ModelInfo& info, bool layer = false);

/// Between the parts of a heatmap.
inline constexpr double kHeatmapGap = 6;

} // namespace headscope::viz
