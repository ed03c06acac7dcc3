// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/retrieval_results.h"

#include "model/base/fields/fields.h"

#include <array>

namespace headscope
{
namespace
{

constexpr std::array kVotingWords = {FieldWord{"multirag", "Votes by score (multirag)"},
                                     FieldWord{"decay", "Equal votes (decay)"},
                                     FieldWord{"distance", "Votes by distance (distance)"},
                                     FieldWord{"split", "Full-vector segments (split)"},
                                     FieldWord{"split-weighted", "Segment scores (split-weighted)"},
                                     FieldWord{"standard", "Full vector (standard)"},
                                     FieldWord{"rrf", "Reciprocal ranks (rrf)"},
                                     FieldWord{"borda", "Borda count (borda)"}};

/// What each voter gives the documents of its list; "": nothing votes.
constexpr std::array<std::string_view, kVotingWords.size()> kVotes = {"the score (mean norm x spread) x 2^-rank",
                                                                      "2^-rank",
                                                                      "1 / the document's cosine distance",
                                                                      "2^-rank",
                                                                      "the score (mean norm x spread) x 2^-rank",
                                                                      "",
                                                                      "1 / (60 + rank)",
                                                                      "the length of the list minus the rank"};

} // namespace

std::string_view votingName(VotingStrategy strategy)
{
    return kVotingWords[static_cast<std::size_t>(strategy)].word;
}

std::string_view votingTitle(VotingStrategy strategy)
{
    return kVotingWords[static_cast<std::size_t>(strategy)].label;
}

std::string_view votesOf(VotingStrategy strategy)
{
    return kVotes[static_cast<std::size_t>(strategy)];
}

void fields(Fields& f, RetrievalOptions& o)
{
    f("strategy", o.strategy, kVotingWords, "--strategy",
      "how heads vote: six ways of multi-head RAG (Besta et al. 2024); rrf: reciprocal rank fusion (Cormack et al. "
      "2009); borda: Borda count, not in the paper")
        .label("Strategy");
    f("top", o.top, "--top", "number of results, and length of each head's list")
        .label("Results", "Number of results, and length of each voter’s list of nearest documents.")
        .countFrom(1)
        .offers(1, 200)
        .unit("results");
}

} // namespace headscope
