// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/circuits/contributions.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/contribution_results.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Effects of the parts of N documents along their own vectors, and the lengths of these.
struct OwnEffects
{
    std::span<const PartValues> effects; ///< [N]
    std::span<const double> norms;       ///< [N]
};

/// What every part is to the vectors: effects over lengths, means over documents with their bootstrap by document.
/// @param direct   of the vectors as they are
/// @param centred  without the means over the documents; a document that is its own mean has no number here
/// @param model    for the places of the parts
/// @errors Cancelled
/// @threads reentrant; uses `threads`, of which no result depends
/// @cost   parts x 1000 x N
[[nodiscard]] Result<std::vector<PartShare>> partShares(const ResidualModel& model, const OwnEffects& direct,
                                                        const OwnEffects& centred, std::uint64_t seed, int threads,
                                                        JobContext& job);

} // namespace headscope
