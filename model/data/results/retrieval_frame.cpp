// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/retrieval_frame.h"

#include "model/data/head_ranges.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

// clang-format off
constexpr ColumnInfo kRetrievalColumns[] = {
    {"query", "Query", "", "The document or text that is the query", "", S::Text},
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
     "Number of ranks by which the result is above (+) or below (-) its place in the other ranking; new: not in the "
     "other ranking", "",
     S::Text},
    {"heads", "Heads", "", "Number of heads or segments that voted for the document", "", S::Count},
    {"who", "Who", "", "Indices of the heads or segments that voted for the document (from 1)", "", S::Text},
};
constexpr ColumnInfo kMeasureColumns[] = {
    {"measure", "Measure", "", "Name of the measure, and the number of results that it covers", "", S::Text},
    {"mean", "Mean", "",
     "Mean of the measure over the queries with known relevant documents, 0 to 1; chance is the value for a random "
     "order of the documents",
     "Documents without a judgement count as irrelevant"},
    {"queries", "Queries", "", "Number of queries with known relevant documents", "", S::Count},
};
constexpr ColumnInfo kSameLabelColumns[] = {
    {"strategy", "Strategy", "", "How documents are ranked", "", S::Text},
    {"label", "Label column", "", "Name of the label column", "", S::Text},
    {"share", "Same label", "",
     "Proportion of the labelled results that have the label of the query document, mean over the queries; chance is "
     "the value for results in random order", "", S::Share},
    {"queries", "Queries", "", "Number of labelled query documents", "", S::Count},
};
constexpr Slot kSameLabelJson[] = {{"label"}, {"share"}, {"share", Span, "ci95"},
    {"share", IntervalMethod, "ci95_method"}, {"share", Chance, "chance"}, {"queries"}};
constexpr Slot kMeasureFile[] = {{"measure"}, {"mean"}, {"mean", Low, "low 95 %"}, {"mean", High, "high 95 %"},
    {"mean", Chance, "by chance"}, {"queries"}, kRest};
// clang-format on

/// How many places a result stands above (+) or below (-) those of the other ranking; "new": it is not in that one.
std::string movedText(const RankedDocuments& other, DocumentIndex document, std::int64_t place)
{
    const auto found = std::ranges::find(other.results, document, &RetrievedDocument::document);
    if (found == other.results.end())
        return "new";
    const std::int64_t moved = (found - other.results.begin()) - place;
    return (moved > 0 ? "+" : "") + std::to_string(moved);
}

} // namespace

constinit const FrameInfo kRetrievedFrame = {.key = "retrieve", .columns = kRetrievalColumns};
constinit const FrameInfo kSameLabelFrame = {.key = "same_label", .columns = kSameLabelColumns, .json = kSameLabelJson};
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

Frame rankingsFrame(const RetrievalComparison& comparison, const DocumentSet& documents, const std::string& labelColumn)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN(); // of the other kind of ranking
    const RankedDocuments* both[] = {&comparison.first, &comparison.second};
    std::vector<const RetrievedDocument*> results;
    Column::Texts strategies;
    Column::Texts moved;
    Column::Wholes ranks;
    Column::Reals votes;
    Column::Reals cosines;
    for (const RankedDocuments* ranked : both)
    {
        const RankedDocuments& other = ranked == both[0] ? comparison.second : comparison.first;
        const bool isCosine = ranked->strategy == VotingStrategy::Standard;
        for (const RetrievedDocument& result : ranked->results)
        {
            const std::int64_t place = &result - ranked->results.data();
            results.push_back(&result);
            strategies.emplace_back(votingName(ranked->strategy));
            moved.push_back(movedText(other, result.document, place));
            ranks.push_back(place + 1);
            votes.push_back(isCosine ? kNone : result.votes);
            cosines.push_back(isCosine ? 1 - result.votes : kNone);
        }
    }
    const auto isStandard = [](const RankedDocuments* ranked) { return ranked->strategy == VotingStrategy::Standard; };
    Frame frame(kRetrievedFrame);
    frame.add("query", Column::Texts(results.size(), comparison.query));
    frame.add("strategy", std::move(strategies));
    frame.add("rank", std::move(ranks));
    frame.add("document", columnValues(results, [](const auto* result) { return result->document.value(); }));
    frame.add("id", columnValues(results, [&](const auto* result) { return documents.ids[result->document.index()]; }));
    if (const LabelColumn* labels = documents.label(labelColumn); labels != nullptr)
        frame
            .add("label",
                 columnValues(results, [&](const auto* result) { return labels->category(result->document.index()); }))
            .named(labelColumn);
    if (!std::ranges::all_of(both, isStandard))
        frame.add("votes", std::move(votes));
    if (std::ranges::any_of(both, isStandard))
        frame.add("cosine", std::move(cosines));
    frame.add("moved", std::move(moved));
    addVoters(frame, results);
    return frame;
}

} // namespace headscope
