// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/heads/halved_scores.h"
#include "model/analysis/heads/pruning_units.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/results/pruning_results.h"

namespace headscope
{

/// In which order units go.
enum class PruningOrder
{
    Single,   ///< by the measure without each alone, the largest first
    Backward, ///< greedy: each time the one whose removal leaves most
    Forward,  ///< greedy, from the other end: each time the one that adds most
};

/// What an order gains where it is chosen and elsewhere: the documents are halved again and again, the order is found
/// on one half and judged on the other, for every number of units that stay. A choice is judged too well by the
/// documents that chose it; the other half knows nothing of it. An order found on half the documents is found with
/// less than there is: what all of them choose is at least about as good.
/// @return isEmpty() where there are fewer than two documents or units
/// @errors Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost   at most halvings x units^2 / 2 evaluations of the measure; halves share most of them
[[nodiscard]] Result<PruningValidation> validateByHalves(const HeadSetMeasure& measure, const ModelInfo& model,
                                                         PruningUnit unit, PruningOrder order,
                                                         const HalvingOptions& options, int numThreads,
                                                         JobContext& job);

} // namespace headscope
