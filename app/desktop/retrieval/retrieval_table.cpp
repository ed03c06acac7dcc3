// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/retrieval/retrieval_table.h"

#include "app/results/retrieval_frame.h"
#include "model/analysis/retrieval/voting.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace headscope::desktop
{
namespace
{

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

Frame retrievalTable(const RetrievalComparison& comparison, const DocumentSet& documents,
                     const std::string& labelColumn)
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

} // namespace headscope::desktop
