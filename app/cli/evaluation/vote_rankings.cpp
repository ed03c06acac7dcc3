// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation/vote_rankings.h"

#include "model/analysis/retrieval/voting.h"
#include "model/base/parallel.h"

#include <algorithm>
#include <optional>

namespace headscope::cli
{

Result<std::vector<std::pair<VotingStrategy, Matrix<std::int32_t>>>>
voteRankings(const HeadVectors& documents, const HeadVectors& queries, std::span<const std::int64_t> own,
             std::int64_t k, const std::vector<std::int64_t>& heads, int numThreads, JobContext& job)
{
    const std::int64_t count = std::min(k, documents.documents());
    std::vector<std::vector<NearestList>> lists(static_cast<std::size_t>(queries.documents()),
                                                std::vector<NearestList>(static_cast<std::size_t>(documents.heads())));
    for (std::int64_t head = 0; head < documents.heads(); ++head)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const CosineIndex index(documents.head(HeadIndex(head)));
        parallelFor(numThreads, queries.documents(), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t query = begin; query < end && !job.stopRequested(); ++query)
            {
                const std::int64_t self = own.empty() ? -1 : own[static_cast<std::size_t>(query)];
                lists[static_cast<std::size_t>(query)][static_cast<std::size_t>(head)] =
                    index.nearestOthers(queries.vector(DocumentIndex(query), HeadIndex(head)), count,
                                        self < 0 ? std::nullopt : std::optional(DocumentIndex(self)));
            }
        });
    }
    HEADSCOPE_CHECK(job.checkStop());
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
