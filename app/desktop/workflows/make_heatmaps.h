// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/topic_results.h"
#include "model/io/cache_reader.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// The heatmaps of the stages of one layer for one label column, one per stage that has topic
/// vectors, in the order of the stages.
/// @param stages  those of the layer; stages without topic vectors are left out
/// @errors InvalidArgument (no topic vectors for this column and layer), those of makeHeatmap
/// @threads a worker's business
[[nodiscard]] Result<std::vector<std::shared_ptr<const Heatmap>>>
makeHeatmaps(CacheReader& reader, LayerIndex layer, const std::vector<Stage>& stages, const std::string& column,
             const HeatmapOptions& options, int numThreads, JobContext& job);

} // namespace headscope::desktop
