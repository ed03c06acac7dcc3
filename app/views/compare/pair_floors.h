// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/maps/head_map.h"
#include "model/data/maps/map_pair.h"
#include "model/io/cache/cache_reader.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::desktop
{

/// A kept map whose noise floor is wanted, or has come.
struct FloorOf
{
    std::uint64_t id = 0; ///< in the library
    std::shared_ptr<const HeadMap> map;
};

/// Whether the options of a map repeat it, so that noise replicates of it can be made.
[[nodiscard]] bool canHaveFloor(const HeadMap& map);

/// The same maps with their noise floors.
/// @errors those of CacheReader and noiseFloor; ShapeMismatch (points that the cache does not have)
/// @threads to be called on a worker
[[nodiscard]] Result<std::vector<FloorOf>> withFloors(const std::vector<FloorOf>& maps, CacheReader& reader,
                                                      int numThreads, JobContext& job);

/// What a figure's caption says of the noise floors of a pair, with a space before; empty where none is known.
[[nodiscard]] QString floorCaption(const MapPair& pair);

} // namespace headscope::desktop
