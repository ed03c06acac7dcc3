// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/result_table.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope::results
{

/// A heatmap, its statistics, and the heads (or segments, 0-based) whose rows are wanted beside the full one.
struct HeatmapLines
{
    const Heatmap* heatmap = nullptr;
    const HeatmapStatistics* statistics = nullptr;
    std::span<const std::int64_t> heads;
};

/// The topic with the largest mean in a row (0 full, 1 + head); "" for none.
[[nodiscard]] std::string topTopicOf(const Heatmap& heatmap, const HeatmapStatistics& statistics, std::size_t row);

/// A line for every row, the full one first; heads that a heatmap has no row of are left out.
/// @param places  with layer and stage, as rows of several heatmaps need them
[[nodiscard]] ResultTable heatmapTable(std::span<const HeatmapLines> heatmaps, bool places);

} // namespace headscope::results
