// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/heads/pruning_units.h"
#include "model/base/job_context.h"
#include "model/data/model_info.h"
#include "model/data/results/pruning_results.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Units among the heads of a measure; the last one may be smaller than the others.
[[nodiscard]] std::int64_t pruningUnits(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit);

/// The measure without each unit alone: step u is without unit u.
/// @return [units]
/// @errors Cancelled
[[nodiscard]] Result<std::vector<PruningStep>> withoutEach(const HeadSetMeasure& measure, const ModelInfo& model,
                                                           PruningUnit unit, int numThreads, JobContext& job);
/// The measure of every unit alone.
/// @errors Cancelled
[[nodiscard]] Result<std::vector<PruningStep>> eachAlone(const HeadSetMeasure& measure, const ModelInfo& model,
                                                         PruningUnit unit, int numThreads, JobContext& job);

/// Removes, one after another, the unit whose removal leaves the largest value (ties: the lower index
/// goes first), until one is left. Step 0 is the start (unit -1), the last unit is never removed.
/// @errors Cancelled
/// @cost   units^2 / 2 evaluations of the measure, each of which differs by one unit from the current set
[[nodiscard]] Result<std::vector<PruningStep>> backwardElimination(const HeadSetMeasure& measure,
                                                                   const ModelInfo& model, PruningUnit unit,
                                                                   int numThreads, JobContext& job);
/// Adds, one after another, the unit that gains most (ties: the lower index), from none to all.
/// parametersSaved and kvBytesSaved are those of the units not yet added.
/// @errors Cancelled
[[nodiscard]] Result<std::vector<PruningStep>> forwardSelection(const HeadSetMeasure& measure, const ModelInfo& model,
                                                                PruningUnit unit, int numThreads, JobContext& job);

/// Marks the steps of the Pareto curve: those that no other step beats, by being at least as good in value and
/// savings (parameters and cache bytes; where none are known, units that are off) and better in one of them.
void markFront(std::span<PruningStep> steps);

/// Units in the order of their removal, from the steps of one of the functions above.
/// @param steps  of withoutEach (largest value first, ties by lower unit), backwardElimination or
///               forwardSelection, their starting point included
/// @param adds   whether the steps are of forwardSelection
/// @return all units that steps name; of backwardElimination the survivor is missing
[[nodiscard]] std::vector<std::int64_t> removalOrder(std::span<const PruningStep> steps, bool adds);

} // namespace headscope
