// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/circuits/composition_command.h"
#include "app/commands/circuits/contributions_command.h"
#include "app/commands/circuits/lens_command.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/circuits/circuit_result.h"
#include "model/io/cache/cache_reader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headscope::desktop
{

class EngineServer;

/// What the circuits tab asks a model.
struct CircuitsRequest
{
    std::string model; ///< its path
    std::shared_ptr<CacheReader> reader;
    /// The verb, without model, documents and output.
    std::variant<commands::ContributionsCommand, commands::CompositionCommand, commands::LensCommand> command;
    std::vector<std::int64_t> documents; ///< that may be drawn, ascending; empty: all
    std::vector<std::int64_t> pair;      ///< rows of two documents, or empty; of one document with a query
    std::string query;                   ///< a text that is compared with the document of the pair; empty: none
    std::int64_t most = 200;             ///< documents that are run
    std::uint64_t seed = 1;
    int threads = 1;
};

/// Asks the engine, and reads what it wrote. Ids of documents are those of the cache.
/// @errors those of checkModelOfCache, EngineServer::ask and readCircuitFile
/// @threads to be called on a worker
[[nodiscard]] Result<CircuitResultPtr> measureCircuits(EngineServer& engine, const CircuitsRequest& ask,
                                                       JobContext& job);

} // namespace headscope::desktop
