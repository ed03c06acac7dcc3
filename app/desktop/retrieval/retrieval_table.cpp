// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/retrieval/retrieval_table.h"

#include "model/analysis/retrieval/voting.h"
#include "model/data/head_ranges.h"

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

ResultTable retrievalTable(const RetrievalComparison& comparison, const DocumentSet& documents,
                           const std::string& labelColumn)
{
    const LabelColumn* labels = documents.label(labelColumn);
    const RankedDocuments* both[] = {&comparison.first, &comparison.second};
    const auto votes = [](const RankedDocuments* ranked) { return ranked->strategy != VotingStrategy::Standard; };
    const bool anyVotes = std::ranges::any_of(both, votes);
    const bool anyCosine = !std::ranges::all_of(both, votes);
    std::vector<std::string> header = {"query", "strategy", "rank", "document", "id"};
    if (labels != nullptr)
        header.push_back(labelColumn);
    if (anyVotes)
        header.emplace_back("votes");
    if (anyCosine)
        header.emplace_back("cosine");
    header.insert(header.end(), {"moved", "heads", "who"});
    ResultTable table(header);
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN(); // of the other kind of ranking
    for (const RankedDocuments* ranked : both)
    {
        const RankedDocuments& other = ranked == both[0] ? comparison.second : comparison.first;
        std::int64_t place = 0;
        for (const RetrievedDocument& result : ranked->results)
        {
            std::vector<std::int64_t> voters;
            for (const HeadVote& vote : result.byHead)
                voters.push_back(vote.head.value());
            const auto document = result.document.index();
            std::vector<ResultTable::Cell> cells = {comparison.query, std::string(votingName(ranked->strategy)),
                                                    place + 1, result.document.value(), documents.ids[document]};
            if (labels != nullptr)
                cells.emplace_back(std::string(labels->category(document)));
            if (anyVotes)
                cells.emplace_back(votes(ranked) ? result.votes : kNone);
            if (anyCosine)
                cells.emplace_back(votes(ranked) ? kNone : 1 - result.votes);
            cells.emplace_back(movedText(other, result.document, place));
            cells.emplace_back(std::ssize(voters));
            cells.emplace_back(formatHeadRanges(voters));
            table.add(std::move(cells));
            ++place;
        }
    }
    return table;
}

} // namespace headscope::desktop
