// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/heatmap_stack.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace headscope::ui
{

/// What stands over the picture of the heatmaps: pointer, chosen and hovered documents and heads.
struct HeatmapMarks
{
    std::optional<HeatmapPlace> hover; ///< under the pointer or the keys' crosshair
    std::optional<DocumentIndex> primary;
    std::optional<HeadIndex> primaryHead;
    std::optional<DocumentIndex> hoveredDocument; ///< in another view
    std::optional<HeadIndex> hoveredHead;
    std::vector<std::int64_t> litHeads;
    std::optional<std::pair<double, double>> band; ///< columns that are dragged over
};

/// Paints them in the colours of the window's theme.
/// @threads GUI thread
void paintHeatmapMarks(QPainter& painter, const HeatmapStack& stack, const HeatmapMarks& marks);

} // namespace headscope::ui
