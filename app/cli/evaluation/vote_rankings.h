// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/matrix.h"
#include "model/data/results/retrieval_results.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace headscope::cli
{

/// The strategies by which the heads of a stage vote.
inline constexpr VotingStrategy kHeadVotes[] = {VotingStrategy::Multirag, VotingStrategy::Decay,
                                                VotingStrategy::Distance, VotingStrategy::ReciprocalRank,
                                                VotingStrategy::Borda};

/// Rankings of queries by the votes of heads, each of which lists the k documents nearest to the query.
/// @param documents  [N, H, D]
/// @param queries    [J, H, D]
/// @param own        [J] the document that a query is, which it does not find; -1: none
/// @param heads      that vote, ascending
/// @return of each strategy [J, min(k, N)], -1 where there are no more
/// @errors those of headScores; Cancelled
[[nodiscard]] Result<std::vector<std::pair<VotingStrategy, Matrix<std::int32_t>>>>
voteRankings(const HeadVectors& documents, const HeadVectors& queries, std::span<const std::int64_t> own,
             std::int64_t k, const std::vector<std::int64_t>& heads, int numThreads, JobContext& job);

} // namespace headscope::cli
