// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/heads/halved_scores.h"
#include "model/analysis/heads/pruning_units.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/results/pruning_results.h"

#include <cstdint>
#include <vector>

namespace headscope
{

/// Most units whose subsets are all tried: 4,096 of them.
inline constexpr std::int64_t kMaxUnitsSearched = 12;

/// The best set of every size, among all: what the greedy order may miss. Ties: the set whose units come first.
/// @param options  halvings: the best set of each size, and the best size, are found on one half and judged on the
/// other; 0: not done
/// @errors InvalidArgument (more than kMaxUnitsSearched units), Cancelled
/// @cost   2^units evaluations of the measure
[[nodiscard]] Result<SubsetSearch> bestSubsets(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit,
                                               const HalvingOptions& options, int numThreads, JobContext& job);

} // namespace headscope
