// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "model/data/maps/head_map_set.h"

#include <cstdint>
#include <string>

namespace headscope::cli
{

struct AlignedRun
{
    HeadMapSet set;
    std::string changed; ///< in the model of the cache (ModelChanges::words); empty: nothing
    std::int64_t documents = 0;
    std::int64_t leftOut = 0; ///< documents of which a vector holds NaN or infinity
    double seconds = 0;       ///< of the maps, without reading
};

/// What is measured of every map besides its divergence.
struct AlignedMeasures
{
    bool quality = false;        ///< with measureMap
    std::int64_t noiseTwins = 0; ///< with measureHeadFloors; 0: no floor
};

/// One map for the full vector and one for each chosen head of each chosen layer and stage of a
/// cache, from a common start, aligned.
/// @param given    start positions for TsneStart::Given
/// @errors those of openCacheInput, alignedMaps, measureMap and measureHeadFloors
[[nodiscard]] Result<AlignedRun> runAligned(const InputOptions& input, const TsneOptions& options, const MatrixF* given,
                                            const AlignedMeasures& measures, int numThreads, JobContext& job);

} // namespace headscope::cli
