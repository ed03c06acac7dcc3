// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verbs/tsne_run.h"
#include "app/commands/tsne_command.h"
#include "model/base/result.h"
#include "model/data/maps/head_map.h"

#include <string>

namespace headscope::cli
{

/// A map that was computed before, and what its picture needs of the cache that it was made from.
struct StoredMap
{
    HeadMap map;
    TsneSource source;
};

/// Reads the map that `tsne --map` names, and finds its points in the cache. Layer and stage are the map's where the
/// command leaves them at their defaults.
/// @errors WrongUse (no cache, options of a run besides it), InvalidArgument (not a map of heads; another layer or
/// stage;
///         vectors that the map was not made from), those of readNamedMap and loadTsneSource
/// @cost   reads the vectors of the layer and stage, and hashes those of the map
[[nodiscard]] Result<StoredMap> loadStoredMap(const commands::TsneCommand& command, int numThreads, JobContext& job);

/// The vectors of the points that a map names.
/// @param place  of errors: the map as it was typed
/// @errors ShapeMismatch (a document or head that is not there), InvalidArgument (vectors that are not finite)
[[nodiscard]] Result<HeadPoints> pointsOfMap(const HeadMap& map, const HeadVectors& vectors, const std::string& place);

} // namespace headscope::cli
