// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/attention/token_map.h"

#include <cstdint>
#include <functional>

namespace headscope::desktop
{

/// Which tokens of a head to place.
struct TokenMapRequest
{
    HeadCorpusPtr corpus;
    TokenMapKind kind = TokenMapKind::QueriesAndKeys;
    std::int64_t tokens = 2000; ///< at most, drawn from the sample by its seed
    int numThreads = 1;
};

/// A t-SNE of them: sparse affinities, perplexity 30 or a third of the points where they are few, 750 iterations, from
/// principal components.
/// @param onSnapshot  the map as it is, every some iterations, on this thread
/// @errors InvalidArgument (fewer than 5 tokens); those of TsneState
/// @threads same map on any number of threads
[[nodiscard]] Result<TokenMapPtr>
placeTokens(const TokenMapRequest& request, const std::function<void(const TokenMapPtr&)>& onSnapshot, JobContext& job);

} // namespace headscope::desktop
