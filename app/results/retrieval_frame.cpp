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
    {"query", "Query", "", "The document or text that asks", "", S::Text},
    {"strategy", "Strategy", "", "How results are found", "", S::Text},
    {"rank", "Rank", "", "Place of the result: in files from 0, else from 1", "", S::Index},
    {"document", "Document", "", "Row of the document, from 0", "", S::Index},
    {"id", "Id", "", "Name of the document", "", S::Text},
    {"label", "Label", "", "Label of the document", "", S::Text},
    {"votes", "Votes", "", "Sum of the votes that it got", ""},
    {"cosine_distance", "Cosine distance", "", "1 less the cosine with the query", ""},
    {"cosine", "Cosine", "", "Cosine with the query", ""},
    {"moved", "Moved", "", "Places above (+) or below (-) those of the other ranking; new: it is not in that one", "",
     S::Text},
    {"heads", "Heads", "", "Heads, segments or pieces that voted for it", "", S::Count},
    {"who", "Who", "", "Numbers of these, from 1", "", S::Text},
};
constexpr ColumnInfo kMeasureColumns[] = {
    {"measure", "Measure", "", "Name of the measure and number of results", "", S::Text},
    {"mean", "Mean", "", "Mean over the queries whose relevant documents are known", ""},
    {"queries", "Queries", "", "Queries of the mean", "", S::Count},
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
