// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/origin.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

class Fields;

/// How the heads' lists of nearest documents become one ranking. The first six are those of multi-head
/// retrieval (Besta et al. 2024, arXiv 2406.05085); Cormack, Clarke & Buettcher 2009 (doi 10.1145/1571941.1572114)
/// for the reciprocal ranks.
enum class VotingStrategy
{
    Multirag,       ///< head score x 2^-rank
    Decay,          ///< 2^-rank
    Distance,       ///< 1 / cosine distance
    Split,          ///< 2^-rank on segments of the standard embedding
    SplitWeighted,  ///< segment score x 2^-rank
    Standard,       ///< nearest by the standard embedding
    ReciprocalRank, ///< 1 / (60 + rank)
    Borda,          ///< list length - rank
};

/// The name that commands use: "multirag", "split-weighted", ...
[[nodiscard]] std::string_view votingName(VotingStrategy strategy);
/// What people call it: "Votes by score (multirag)".
[[nodiscard]] std::string_view votingTitle(VotingStrategy strategy);
/// What each voter gives a document: "1 / its cosine distance"; "" where nothing votes.
[[nodiscard]] std::string_view votesOf(VotingStrategy strategy);

/// How documents are found.
struct RetrievalOptions
{
    VotingStrategy strategy = VotingStrategy::Multirag;
    std::int64_t top = 10; ///< results, and the length of each voter's list

    friend bool operator==(const RetrievalOptions&, const RetrievalOptions&) = default;
};

/// Declares how documents are found.
void fields(Fields& f, RetrievalOptions& o);

/// The vote of one head for one result.
struct HeadVote
{
    HeadIndex head;
    std::int64_t rank = 0; ///< from 0
    double weight = 0;
};

struct RetrievedDocument
{
    DocumentIndex document;       ///< row
    double votes = 0;             ///< sum of weights; for Standard the cosine distance
    std::vector<HeadVote> byHead; ///< in head order; empty for Standard
};

/// How many of the relevant documents a ranking contains, for the first 1..n results.
struct RetrievalMetrics
{
    std::vector<double> success;         ///< [n] at j: 1 when all relevant documents are among the first j + 1
    std::vector<double> successRatio;    ///< share of the relevant ones that are (recall)
    std::vector<double> categoryRatio;   ///< share of the relevant documents' labels that are covered
    std::vector<double> weightedSuccess; ///< (2 successRatio + categoryRatio) / 3
    std::vector<double> ndcg;            ///< binary relevance, logarithm base 2
    double reciprocalRank = 0;           ///< of the first relevant result; 0 when there is none
};

/// The answer of one strategy to one query.
struct RankedDocuments
{
    VotingStrategy strategy = VotingStrategy::Multirag;
    std::vector<RetrievedDocument> results; ///< best first
    /// Of this query, when documents relevant to it are known.
    std::optional<RetrievalMetrics> metrics;
    /// Means over all queries whose relevant documents are known; 0 queries when none is.
    std::int64_t measuredQueries = 0;
    RetrievalMetrics meanMetrics;
    /// Voters that would vote and have no direction for the query, ascending; for Standard 0, the full vector.
    std::vector<std::int64_t> silent;
    bool anyNotFinite = false;  ///< of the silent: NaN or infinity; else all are zero
    bool onFullVector = false;  ///< the voters are segments of the full vector, or the full vector itself
    bool isAnswered = true;     ///< whether anything has a direction for the query
    std::int64_t notRanked = 0; ///< candidates in which nothing that votes has a direction
};

/// Two strategies' answers to one query, side by side.
struct RetrievalComparison
{
    std::string query;                     ///< id of a document, or the text that was asked
    std::optional<DocumentIndex> document; ///< row, when the query is one of the documents
    std::vector<std::int64_t> relevant;    ///< rows; empty when not known
    std::int64_t candidates = 0;           ///< documents that were searched; 0: all
    RankedDocuments first;
    RankedDocuments second;
    Origin origin{};
};

} // namespace headscope
