// SPDX-License-Identifier: GPL-3.0-or-later
// The documents of the open cache, run through its model again.
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/model_info.h"
#include "model/io/cache/cache_info.h"

#include <string>

namespace headscope::desktop
{

class EngineServer;

/// Why documents of a cache cannot be run through its model again, as a sentence; "": they can.
[[nodiscard]] std::string obstacleToRunning(const CacheHeader& header, const DocumentSet& documents);

/// Asks whether a model is the one that made a cache. It is loaded for that, where the cache knows its files.
/// @return a notice where nothing can be compared, as a sentence; empty: it is that model
/// @errors those of EngineServer::ask and of checkSameModel (another model)
[[nodiscard]] Result<std::string> checkModelOfCache(EngineServer& engine, const std::string& model,
                                                    const ModelInfo& cache, JobContext& job);

} // namespace headscope::desktop
