// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/tsne_state.h"
#include "model/data/head_map.h"

namespace headscope
{

/// The map of chosen head vectors, from the first to the last iteration: for the command line, and
/// for jobs of the window that publish on the way.
/// @param points       as gatherPoints makes them
/// @param stage,layer  what the vectors are; written into the map
/// @param onIteration  called after each iteration on this thread; snapshotMap() builds a map there
/// @errors those of TsneState::create and run
[[nodiscard]] Result<HeadMap> makeMap(const HeadPoints& points, Stage stage, LayerIndex layer,
                                      const TsneOptions& options, int numThreads, JobContext& job,
                                      const TsneState::OnIteration& onIteration = {}, const MatrixF* given = nullptr);

/// The map as it stands now: positions, iteration, divergence at the last check; no hash yet.
/// @param frame  everything that does not change: points, stage, layer, input hash
[[nodiscard]] HeadMap snapshotMap(const TsneState& state, const HeadMap& frame);

/// What a map of these points says before its first iteration: ids, options, input hash.
[[nodiscard]] HeadMap frameOfMap(const HeadPoints& points, Stage stage, LayerIndex layer, const TsneOptions& options);

} // namespace headscope
