// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "model/data/maps/head_map_set.h"

#include <cstdint>

namespace headscope::cli
{

using namespace results;

struct AlignedRun
{
    HeadMapSet set;
    std::int64_t documents = 0;
    std::int64_t leftOut = 0; ///< documents of which a vector holds NaN or infinity
    double seconds = 0;       ///< of the maps, without reading
};

/// One map for the full vector and one for each chosen head of each chosen layer and stage of a
/// cache, from a common start, aligned.
/// @param given    start positions for TsneStart::Given
/// @param quality  measure every map, with measureMap
/// @errors those of openCacheInput, alignedMaps and measureMap
[[nodiscard]] Result<AlignedRun> runAligned(const InputOptions& input, const TsneOptions& options, const MatrixF* given,
                                            bool quality, int numThreads, JobContext& job);

} // namespace headscope::cli
