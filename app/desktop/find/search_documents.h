// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/retrieval/voting.h"
#include "model/base/job_context.h"
#include "model/base/numbers/all_finite.h"
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

/// What is searched: the vectors of one layer and stage, the full vectors, and the score of each head and segment.
struct SearchBase
{
    std::shared_ptr<const HeadVectors> heads;    ///< [N, H, D]
    std::shared_ptr<const HeadVectors> full;     ///< rows are the full vectors
    std::shared_ptr<const HeadVectors> segments; ///< the same in H segments; null where H does not divide them
    std::vector<double> headScores;              ///< [H]
    std::vector<double> segmentScores;           ///< [H]; empty without segments
    std::string fullSource;
    Origin origin{};            ///< of the vectors
    std::vector<bool> headRows; ///< [N] whether any head has a direction
    std::vector<bool> fullRows; ///< [N] whether the full vector has one
    /// Documents that can be found, ascending, with copies of their vectors below. Empty: all.
    std::vector<std::int64_t> candidates;
    std::shared_ptr<const HeadVectors> candidateHeads;
    std::shared_ptr<const HeadVectors> candidateFull;
    std::shared_ptr<const HeadVectors> candidateSegments;
};

/// @errors those of headScores
/// @threads to be called on a worker
[[nodiscard]] Result<std::shared_ptr<const SearchBase>>
makeSearchBase(std::shared_ptr<const HeadVectors> heads, std::shared_ptr<const HeadVectors> full,
               const std::string& fullSource, std::int64_t modelHeads, int numThreads, JobContext& job);

/// The same, but only some documents can be found; any document may still be the query.
/// @param candidates  ascending; empty: all of them
/// @cost copies the vectors of the candidates
[[nodiscard]] std::shared_ptr<const SearchBase> withCandidates(const std::shared_ptr<const SearchBase>& base,
                                                               std::vector<std::int64_t> candidates);

/// The query's nearest documents by each head, each segment and the full vector. They do not depend on weights, so
/// that moving a fader only repeats the vote.
struct QueryLists
{
    std::string query;
    std::optional<DocumentIndex> document;
    std::vector<NearestList> heads;    ///< [H]
    std::vector<NearestList> segments; ///< [H]; empty without segments
    NearestList full;
    // Whether the query has a direction: by each head, by each segment, by the full vector.
    std::vector<Pointing> headDirections;
    std::vector<Pointing> segmentDirections;
    Pointing fullDirection = Pointing::Points;
};

/// The lists of a query that is one of the documents.
/// @errors Cancelled
[[nodiscard]] Result<QueryLists> askDocument(const SearchBase& base, DocumentIndex document, const std::string& id,
                                             std::int64_t top, int numThreads, JobContext& job);
/// The lists of a text, given its own vectors of the same layer and stage.
/// @param heads, full  of one document, shaped as those that are searched
[[nodiscard]] Result<QueryLists> askVectors(const SearchBase& base, const HeadVectors& heads, const HeadVectors& full,
                                            const std::string& text, std::int64_t top, int numThreads, JobContext& job);

/// Queries whose relevant documents are known, with their lists.
struct MeasuredQueries
{
    std::vector<QueryLists> lists;
    std::vector<std::vector<std::int64_t>> relevant; ///< rows, of each query
};

/// Everything a vote depends on besides the query.
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

/// The same rankings measured again, for example with other labels.
/// @param factors  that the rankings were voted with
[[nodiscard]] std::shared_ptr<const RetrievalComparison>
withMeasures(RetrievalComparison comparison, const SearchBase& base, const MeasuredQueries* measured,
             std::span<const std::int32_t> labels, const std::vector<double>& factors);

} // namespace headscope::desktop
