// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/retrieval_frame.h"

#include "model/data/head_ranges.h"

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

// clang-format off
constexpr ColumnInfo kColumns[] = {
    {"query", "Query", "", "The document or text that is searched with", "", S::Text},
    {"strategy", "Strategy", "", "How documents are ranked", "", S::Text},
    {"rank", "Rank", "", "Rank of the result: from 0 in files, from 1 elsewhere", "", S::Index},
    {"document", "Document", "", "Row of the document in the cache, from 0", "", S::Index},
    {"id", "Id", "", "Name of the document", "", S::Text},
    {"label", "Label", "", "Label of the document", "", S::Text},
    {"votes", "Votes", "", "Sum of the votes of the heads for the document, in units of the strategy",
     "Not a probability, and not comparable between strategies or queries"},
    {"cosine_distance", "Cosine distance", "", "1 - cosine with the query, 0 to 2", ""},
    {"cosine", "Cosine", "", "Cosine with the query, -1 to 1", ""},
    {"moved", "Moved", "",
     "Ranks by which it is above (+) or below (-) its rank in the other ranking; new: not in the other one", "",
     S::Text},
    {"heads", "Heads", "", "Number of heads or segments that voted for it", "", S::Count},
    {"who", "Who", "", "Numbers of these, from 1", "", S::Text},
};
constexpr ColumnInfo kMeasureColumns[] = {
    {"measure", "Measure", "", "Name of the measure, and the number of results that it looks at", "", S::Text},
    {"mean", "Mean", "",
     "Mean of the measure over the queries with known relevant documents, 0 to 1; chance is a random order of the "
     "documents",
     "Documents that were not judged count as irrelevant"},
    {"queries", "Queries", "", "Number of queries with known relevant documents", "", S::Count},
};
constexpr Slot kMeasureFile[] = {{"measure"}, {"mean"}, {"mean", Low, "low 95 %"}, {"mean", High, "high 95 %"},
    {"mean", Chance, "by chance"}, {"queries"}, kRest};
// clang-format on

} // namespace

constinit const FrameInfo kRetrievedFrame = {.key = "retrieve", .columns = kColumns};
constinit const FrameInfo kRetrievalMeasuresFrame = {
    .key = "retrieval_measures", .columns = kMeasureColumns, .file = kMeasureFile};

void addVoters(Frame& frame, std::span<const RetrievedDocument* const> results)
{
    frame.add("heads", columnValues(results, [](const RetrievedDocument* result) { return result->byHead.size(); }));
    frame.add("who", columnValues(results, [](const RetrievedDocument* result) {
                  return formatHeadRanges(
                      columnValues(result->byHead, [](const HeadVote& vote) { return vote.head.value(); }));
              }));
}

} // namespace headscope
