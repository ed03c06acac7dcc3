// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/head_vectors.h"
#include "model/data/maps/head_map.h"
#include "model/data/results/importance_options.h"
#include "model/data/results/switch_off_results.h"
#include "model/io/cache/cache_reader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope::desktop
{

class EngineServer;

/// What is asked for when heads are switched off in the running model.
struct SwitchOffAsk
{
    std::string model; ///< its path
    std::shared_ptr<CacheReader> reader;
    std::vector<std::int64_t> documents; ///< that may be drawn, ascending; empty: all
    SwitchOffChoices chosen;
    std::vector<std::int64_t> heads; ///< that are off: from 0, ascending, at least one
    /// Of the layer and stage that the window shows: what moves on the map.
    std::shared_ptr<const HeadVectors> vectors;
    std::shared_ptr<const HeadMap> map; ///< that the window shows; null: none
    std::uint64_t seed = 1;
    int threads = 1;

    [[nodiscard]] LayerIndex layer() const { return LayerIndex(chosen.layer); }
};

/// Runs the texts of the cache through its model with heads off, and compares with the cache; next to it a cut of the
/// cached vectors, the model not run.
/// @errors those of checkModelOfCache, EngineServer::ask and CacheReader; InvalidArgument (fewer than two documents
///         with a text); Cancelled
/// @threads to be called on a worker
/// @cost   an extraction of the documents that were drawn, up to the last layer
[[nodiscard]] Result<SwitchOffResult> switchOff(EngineServer& engine, const SwitchOffAsk& ask, JobContext& job);

} // namespace headscope::desktop
