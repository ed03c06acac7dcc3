// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/heads/head_set_measures.h"
#include "model/base/job_context.h"
#include "model/data/model_info.h"
#include "model/data/results/head_results.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Which part of the model is taken away at a time.
enum class PruningUnit
{
    Heads,
    Groups, ///< a key/value head with all its query heads
};

/// What a layer's attention loses with the heads that are not kept.
struct HeadSavings
{
    std::int64_t parameters = 0;
    std::int64_t kvBytes = 0; ///< per token at 2 bytes a value
};
/// A query head costs its rows of q_proj and columns of o_proj; keys, values and their cache go only
/// when no head of the group is left.
/// @param kept  [H]
[[nodiscard]] HeadSavings savingsWithout(const std::vector<bool>& kept, const ModelInfo& model);

/// Units among the heads of a measure; the last one may be smaller than the others.
[[nodiscard]] std::int64_t pruningUnits(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit);

/// What every single unit is worth: step u is the measure without unit u.
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

/// Marks the steps of the Pareto curve: those that no other step beats, by being at least as good in
/// value, parameters and cache bytes saved and better in one of them.
void markFront(std::span<PruningStep> steps);

/// Units in the order of their removal, from the steps of one of the functions above.
/// @param steps  of withoutEach (largest value first, ties by lower unit), backwardElimination or
///               forwardSelection, their starting point included
/// @param adds   whether the steps are of forwardSelection
/// @return all units that steps name; of backwardElimination the survivor is missing
[[nodiscard]] std::vector<std::int64_t> removalOrder(std::span<const PruningStep> steps, bool adds);

} // namespace headscope
