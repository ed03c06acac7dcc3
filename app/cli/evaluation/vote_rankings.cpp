// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation/vote_rankings.h"

#include "model/analysis/retrieval/voting.h"

#include <algorithm>

namespace headscope::cli
{

Result<std::vector<std::pair<VotingStrategy, Matrix<std::int32_t>>>>
voteRankings(const HeadVectors& documents, const HeadVectors& queries, std::span<const std::int64_t> own,
             std::int64_t k, const std::vector<std::int64_t>& heads, int numThreads, JobContext& job)
{
    const std::int64_t count = std::min(k, documents.documents());
    HEADSCOPE_TRY(const auto lists, nearestByHeads(documents, queries, count, own, numThreads, job));
    HEADSCOPE_TRY(const std::vector<double> scores, headScores(documents, numThreads, job));
    std::vector<std::pair<VotingStrategy, Matrix<std::int32_t>>> rankings;
    for (const VotingStrategy strategy : kHeadVotes)
    {
        std::vector<double> weights(static_cast<std::size_t>(documents.heads()), 0.0);
        for (const std::int64_t head : heads)
            weights[static_cast<std::size_t>(head)] =
                votesByScore(strategy) ? scores[static_cast<std::size_t>(head)] : 1.0;
        Matrix<std::int32_t> ranking(queries.documents(), count);
        std::ranges::fill(ranking.values(), -1);
        for (std::int64_t query = 0; query < queries.documents(); ++query)
        {
            const auto found = fuseVotes(strategy, lists[static_cast<std::size_t>(query)], weights);
            for (std::size_t at = 0; at < found.size() && static_cast<std::int64_t>(at) < count; ++at)
                ranking(query, static_cast<std::int64_t>(at)) = static_cast<std::int32_t>(found[at].document.value());
        }
        rankings.emplace_back(strategy, std::move(ranking));
    }
    return rankings;
}

} // namespace headscope::cli
