// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/topic_results.h"
#include "model/io/cache_reader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// The labels of a heatmap and where their topic vectors are.
struct HeatmapLabels
{
    std::shared_ptr<const DocumentSet> documents;
    std::string column;                  ///< of the documents
    std::string topicColumn;             ///< of the cache's topic vectors
    std::vector<std::int64_t> topicRows; ///< of each category; empty: as they stand
};

/// The heatmaps of the stages of one layer for one label column, one per stage that has topic
/// vectors, in the order of the stages.
/// @param stages  those of the layer; stages without topic vectors are left out
/// @errors InvalidArgument (no topic vectors for this column and layer), those of makeHeatmap
/// @threads a worker's business
[[nodiscard]] Result<std::vector<std::shared_ptr<const Heatmap>>>
makeHeatmaps(CacheReader& reader, LayerIndex layer, const std::vector<Stage>& stages, const HeatmapLabels& labels,
             const HeatmapOptions& options, int numThreads, JobContext& job);

} // namespace headscope::desktop
