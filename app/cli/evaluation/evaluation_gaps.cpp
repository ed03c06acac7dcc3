// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation/evaluation_gaps.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>

namespace headscope::cli
{
namespace
{

std::vector<bool> withDirection(const std::vector<Pointing>& rows)
{
    std::vector<bool> points;
    for (const Pointing direction : rows)
        points.push_back(direction == Pointing::Points);
    return points;
}

} // namespace

Result<std::vector<std::int64_t>>
EvaluationGaps::leaveOut(const Measurable& found, const std::vector<std::string>& documentIds,
                         const std::vector<std::string>& queryIds, std::optional<JudgedQueries>& judged,
                         std::optional<ReadPairs>& pairs, const std::string& qrels, const std::string& pairsFile)
{
    measured = withDirection(found.documents);
    for (std::size_t row = 0; row < documentIds.size(); ++row)
        documents.add(found.documents[row], documentIds[row]);
    for (std::size_t query = 0; query < found.queries.size(); ++query)
        queries.add(found.queries[query], queryIds[static_cast<std::size_t>(judged->asking[query])]);
    if (documents.count() + queries.count() == 0)
        return allIndices(std::ssize(found.queries));
    std::vector<std::int64_t> asking;
    if (judged)
    {
        HEADSCOPE_TRY(asking, judged->leaveOut(measured, withDirection(found.queries), qrels));
    }
    if (pairs)
        HEADSCOPE_CHECK(pairs->leaveOut(measured, pairsFile));
    return asking;
}

void EvaluationGaps::note(const PlaceVectors& place, const std::vector<std::int64_t>& headsThatCount)
{
    const HeadVectors& vectors = *place.documents;
    std::vector<std::int64_t> rows = allIndices(vectors.documents());
    std::erase_if(rows, [this](std::int64_t row) { return !measured[static_cast<std::size_t>(row)]; });
    const std::string_view unit = unitName(vectors.stage());
    const auto add = [&](const std::string& zero, std::string_view what) {
        if (!zero.empty())
            heads.push_back(fmt::format("layer {}, stage {}: a {} {} ({})", vectors.layer().value(),
                                        stageName(vectors.stage()), unit, what, zero));
    };
    add(byHead(gapsOf(vectors, rows, headsThatCount).zero, unit),
        "does not rank documents in which its vector is zero, and has no similarity if a pair names one");
    if (place.queries)
        add(byHead(gapsOf(*place.queries, allIndices(place.queries->documents()), headsThatCount).zero, unit),
            "finds nothing for queries in which its vector is zero");
}

std::vector<std::string> EvaluationGaps::notices(const std::optional<JudgedQueries>& judged,
                                                 const std::optional<ReadPairs>& pairs) const
{
    std::vector<std::string> sentences;
    for (std::string notice : {documents.notice("document", "documents"), queries.notice("query", "queries")})
        if (!notice.empty())
            sentences.push_back(std::move(notice));
    const auto count = [&sentences](std::int64_t number, std::string_view one, std::string_view several) {
        if (number > 0)
            sentences.push_back(fmt::format("excluded {} {}", number, number == 1 ? one : several));
    };
    if (judged)
    {
        count(judged->leftOutJudgements, "judgement of a document without a direction",
              "judgements of documents without a direction");
        count(judged->withoutRelevant, "query whose relevant documents all have no direction",
              "queries whose relevant documents all have no direction");
    }
    if (pairs)
        count(pairs->leftOut, "pair of documents without a direction", "pairs of documents without a direction");
    return sentences;
}

Members EvaluationGaps::members(const std::optional<JudgedQueries>& judged, const std::optional<ReadPairs>& pairs) const
{
    Members members = {{"documents", documents.members()}};
    if (judged)
        members.insert(members.end(), {{"queries", queries.members()},
                                       {"queries_without_relevant", judged->withoutRelevant},
                                       {"judgements", judged->leftOutJudgements}});
    if (pairs)
        members.emplace_back("pairs", pairs->leftOut);
    return members;
}

} // namespace headscope::cli
