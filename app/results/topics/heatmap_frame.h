// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/frames/json_type.h"
#include "model/data/frame/frame.h"
#include "model/data/results/interval.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// A heatmap, its statistics, and the heads (or segments, 0-based) whose rows are wanted next to the full one.
struct HeatmapLines
{
    const Heatmap* heatmap = nullptr;
    const HeatmapStatistics* statistics = nullptr;
    std::span<const std::int64_t> heads;
    const HeatmapNull* null = nullptr; ///< where it is known
    std::vector<double> q{};           ///< [1 + H] of HeatmapNull::ofContrast, NaN for the full row; may be empty
    /// false: no correlation with the full row where the row's segment is a part of it, which alone makes them agree.
    bool spearmanOfParts = true;
    std::span<const Interval> spearmanCi95{}; ///< [H]; may be empty, for all heatmaps of a table
};

/// The topic with the largest mean in a row (0 full, 1 + head); "" for none.
[[nodiscard]] std::string topTopicOf(const Heatmap& heatmap, const HeatmapStatistics& statistics, std::size_t row);

/// Sets q (Benjamini and Hochberg) of the contrasts of the chosen heads of all these heatmaps together.
void addContrastRates(std::span<HeatmapLines> heatmaps);

/// The line under the table that says what its words mean.
/// @param fullHoldsSegment  the full vector is made of the rows' segments (stage 3)
[[nodiscard]] std::string heatmapWords(const HeatmapNull& null, bool fullHoldsSegment);

/// What eta2, top_topic, p, q and spearman of `--json` are of.
[[nodiscard]] Json heatmapMeasures(bool fullHoldsSegment);

/// The rows of heatmaps, and what their cells say.
extern const FrameInfo kHeatmapFrame;
/// A mean of the cells of every row for each topic.
extern const FrameInfo kTopicMeansFrame;

/// A line for every row, the full one first; heads that a heatmap has no row of are left out.
/// @param places  with layer and stage, as rows of several heatmaps need them
[[nodiscard]] Frame heatmapFrame(std::span<const HeatmapLines> heatmaps, bool places);

/// The rows of a heatmap in JSON, whose null is known: numbers of heads in place of names, and eta2 wherever there is
/// one.
[[nodiscard]] Json heatmapRowsJson(const HeatmapLines& heatmap);

/// The table as people read it: what describes the rows, and under it what is tested, each number next to its null and
/// p.
/// @param nulls  they were asked for
[[nodiscard]] std::string heatmapText(const Frame& frame, bool nulls);

/// What a row is called: "full", "head 1".
/// @param row  0 full, 1 + head
[[nodiscard]] std::string heatmapRowName(Stage stage, std::size_t row);

} // namespace headscope
