// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verbs/tsne_run.h"
#include "model/analysis/maps/maps_agreement.h"

#include <string>
#include <vector>

namespace headscope::cli
{

/// Maps of the same points that differ in nothing but their seed.
struct SeedRuns
{
    std::vector<HeadMap> maps; ///< NAME-seed1, NAME-seed2, ...
    MapsAgreement agreement;
    double seconds = 0; ///< of the maps, without reading
};

/// Runs the maps of the seeds options.seed, options.seed + 1, ..., one after another, and compares each with each.
/// @param options  of all of them; its start is random or jittered
/// @param count    at least 2
/// @param given    start positions for TsneStart::Given
/// @param quality  measure every map, with measureMap
/// @errors those of runTsne, measureMap and mapsAgreement
[[nodiscard]] Result<SeedRuns> runSeeds(const TsneSource& source, const TsneOptions& options, int count,
                                        const MatrixF* given, const std::string& name, bool quality, int numThreads,
                                        JobContext& job);

/// The numbers that say how far a map can be trusted, of its own perplexities, metric and kernel.
/// @errors those of measureMap
[[nodiscard]] Result<MapTrust> trustOf(const HeadMap& map, const TsneSource& source, int numThreads, JobContext& job);

} // namespace headscope::cli
