// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/data_notices.h"
#include "app/cli/retrieval_input.h"
#include "app/commands/retrieve_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::cli
{

/// What votes: heads or segments of the stage that is searched, pieces of the full vector, or the full vector alone.
struct Voters
{
    std::string name;                             ///< "head", "segment", "piece"; "full vector" where nothing votes
    std::shared_ptr<const HeadVectors> documents; ///< [N, V, D] those that are searched
    std::shared_ptr<const HeadVectors> queries;   ///< [J, V, D]
    std::vector<double> weights;                  ///< [V]; 0: does not vote
    VectorGaps documentGaps;                      ///< of those that vote
    VectorGaps queryGaps;
    std::vector<bool> ranked; ///< [N] whether anything that votes has a direction in the document
    std::vector<bool> asking; ///< [J] the same of the query
    LeftOut leftOutDocuments; ///< those that are not ranked
    LeftOut leftOutQueries;   ///< those that do not ask

    /// What has no direction somewhere, as sentences for people.
    [[nodiscard]] std::vector<std::string> notices() const;
    /// "58 of 60 documents are ranked; 3 of 4 heads vote."; "" where all do.
    [[nodiscard]] std::string text() const;
    /// As app/INTERFACE.md has it: documents, queries, voters.
    [[nodiscard]] Members leftOut() const;
};

/// What votes in a layer or stage: "head", "segment", or "piece" of the full vector.
[[nodiscard]] std::string voterName(VotingStrategy strategy, const HeadVectors& searched);

/// @param searched  of the rows of the input
/// @errors InvalidArgument (full vectors that cannot be split, heads that are not there; no query with a direction);
///         those of readHeadWeights and headScores
[[nodiscard]] Result<Voters> votersOf(const commands::RetrieveCommand& command, const CacheInput& input,
                                      const SearchVectors& searched, const RetrievalQueries& queries, int numThreads,
                                      JobContext& job);

} // namespace headscope::cli
