// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/make_heatmaps.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/results/importance_options.h"
#include "model/data/results/importance_results.h"
#include "model/io/cache/cache_reader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope::desktop
{

class EngineServer;

/// What is asked for when heads are measured in the running model.
struct ImportanceRequest
{
    std::string model; ///< its path
    std::shared_ptr<CacheReader> reader;
    HeatmapLabels labels;                ///< of the match; an empty column: none
    std::vector<std::int64_t> documents; ///< that may be drawn, ascending; empty: all
    ImportanceChoices chosen;
    std::uint64_t seed = 1;
    int threads = 1;

    [[nodiscard]] LayerIndex layer() const { return LayerIndex(chosen.layer); }
    [[nodiscard]] bool byGroups() const { return chosen.units == "groups"; }
};

/// What the heads of a layer are worth in the running model, and by a cut of the cached vectors, over the same
/// documents.
/// @errors those of checkModelOfCache, EngineServer::ask and CacheReader; BadFormat (an answer that makes no sense)
/// @threads to be called on a worker
[[nodiscard]] Result<ImportanceComparison> measureImportance(EngineServer& engine, const ImportanceRequest& ask,
                                                             JobContext& job);

/// The part of the cache: what a cut of the stage-1 vectors of a layer loses.
/// @param rows     documents
/// @param missing  why it says nothing, or nothing of a match
/// @errors those of CacheReader and HeadMatch
[[nodiscard]] Result<std::vector<CacheAblation>>
cutValues(const ImportanceRequest& ask, const std::vector<std::int64_t>& rows, std::string& missing, JobContext& job);

} // namespace headscope::desktop
