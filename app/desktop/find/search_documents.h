// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/retrieval/voting.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/results/retrieval_results.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace headscope::desktop
{

/// What is searched: the vectors of one layer and stage, the full vectors, and how much each head and
/// segment counts by itself.
struct SearchBase
{
    std::shared_ptr<const HeadVectors> heads;    ///< [N, H, D]
    std::shared_ptr<const HeadVectors> full;     ///< rows are the full vectors
    std::shared_ptr<const HeadVectors> segments; ///< the same in H pieces; null where they cannot be cut so
    std::vector<double> headScores;              ///< [H]
    std::vector<double> segmentScores;           ///< [H]; empty without segments
    std::string fullSource;
    Origin origin{}; ///< of the vectors
    /// Ascending; only these are found, by vectors of their own below. Empty: all are.
    std::vector<std::int64_t> candidates;
    std::shared_ptr<const HeadVectors> candidateHeads;
    std::shared_ptr<const HeadVectors> candidateFull;
    std::shared_ptr<const HeadVectors> candidateSegments;
};

/// @errors those of headScores
/// @threads a worker's business
[[nodiscard]] Result<std::shared_ptr<const SearchBase>>
makeSearchBase(std::shared_ptr<const HeadVectors> heads, std::shared_ptr<const HeadVectors> full,
               const std::string& fullSource, std::int64_t modelHeads, int numThreads, JobContext& job);

/// The same, but only some documents can be found; any document may still ask.
/// @param candidates  ascending; empty: all of them
/// @cost copies the vectors of the candidates
[[nodiscard]] std::shared_ptr<const SearchBase> withCandidates(const std::shared_ptr<const SearchBase>& base,
                                                               std::vector<std::int64_t> candidates);

/// The query's nearest documents by everything that may vote. Weights change nothing here, so that
/// moving a fader only votes again.
struct QueryLists
{
    std::string query;
    std::optional<std::int64_t> document;
    std::vector<NearestList> heads;    ///< [H]
    std::vector<NearestList> segments; ///< [H]; empty without segments
    NearestList full;
};

/// One of the documents asks.
/// @errors Cancelled
[[nodiscard]] Result<QueryLists> askDocument(const SearchBase& base, std::int64_t document, const std::string& id,
                                             std::int64_t top, int numThreads, JobContext& job);
/// A text asks, by its own vectors of the same layer and stage.
/// @param heads, full  of one document, shaped as those that are searched
[[nodiscard]] Result<QueryLists> askVectors(const SearchBase& base, const HeadVectors& heads, const HeadVectors& full,
                                            const std::string& text, std::int64_t top, int numThreads, JobContext& job);

/// Queries whose relevant documents are known, with their lists.
struct MeasuredQueries
{
    std::vector<QueryLists> lists;
    std::vector<std::vector<std::int64_t>> relevant; ///< rows, of each query
};

/// Everything a vote depends on that is not the query.
struct VoteOptions
{
    VotingStrategy first = VotingStrategy::Multirag;
    VotingStrategy second = VotingStrategy::Standard;
    std::vector<double> factors; ///< [H] of the user, 0 mutes; empty: all 1
};

/// Votes and measures.
/// @param relevant  rows relevant to this query; may be empty
/// @param measured  queries to take means over, or null
/// @param labels    [N] for the category ratio; may be empty
/// @cost lists only: far below a millisecond a query
[[nodiscard]] std::shared_ptr<const RetrievalComparison>
compareStrategies(const SearchBase& base, const QueryLists& query, std::vector<std::int64_t> relevant,
                  const MeasuredQueries* measured, std::span<const std::int32_t> labels, const VoteOptions& options);

/// The same rankings measured anew: with other labels, say.
/// @param factors  that the rankings were voted with
[[nodiscard]] std::shared_ptr<const RetrievalComparison>
withMeasures(RetrievalComparison comparison, const SearchBase& base, const MeasuredQueries* measured,
             std::span<const std::int32_t> labels, const std::vector<double>& factors);

} // namespace headscope::desktop
