// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "model/analysis/maps/map_snapshots.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace headscope::cli
{

/// The points of a map, and what they were taken from (nothing for a plain matrix).
struct TsneSource
{
    HeadPoints points;
    Stage stage = Stage::HeadOutput;
    LayerIndex layer;
    ModelInfo model;
    std::optional<CacheInput> input;
    std::shared_ptr<const HeadVectors> vectors;
};

/// @errors those of openCacheInput and readPoints; WrongUse (several layers or stages)
[[nodiscard]] Result<TsneSource> loadTsneSource(const InputOptions& options, int numThreads, JobContext& job);

struct TsneRun
{
    HeadMap map;
    TsneSeconds seconds;
    std::optional<int> resumedFrom; ///< the iteration at which a state file was taken up
};

/// A map from its first or, where `state` names a file that is there, from its last iteration to
/// options.iterations. The file is written when the job is stopped between two iterations, once a
/// minute on the way, and at the end.
/// @param given  start positions for TsneStart::Given
/// @param state  empty: none is read or written
/// @errors those of TsneState::create and run, readTsneState, checkSameRun and writeTsneState; Cancelled (its file is
///         the state, where the run can be resumed)
[[nodiscard]] Result<TsneRun> runTsne(const TsneSource& source, const TsneOptions& options, const MatrixF* given,
                                      const std::filesystem::path& state, int numThreads, JobContext& job);

} // namespace headscope::cli
