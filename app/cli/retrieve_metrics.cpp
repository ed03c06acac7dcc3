// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/retrieve_metrics.h"

#include "app/cli/verbs/retrieve_measures.h"
#include "app/frames/frame_json.h"
#include "app/results/frame_output.h"
#include "model/analysis/retrieval/retrieval_chance.h"
#include "model/analysis/retrieval/same_label.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/retrieval_frame.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <unordered_map>
#include <utility>

namespace headscope::cli
{
namespace
{

/// Whether a label column is named, or is the only one.
bool hasLabel(const Retrieved& found)
{
    return !found.command.input.label.empty() || found.input.documents->labels.size() == 1;
}

std::vector<std::int64_t> rowsOf(const Ranking& ranking)
{
    std::vector<std::int64_t> rows;
    for (const RetrievedDocument& result : ranking)
        rows.push_back(result.document.value());
    return rows;
}

/// The documents that ask, of the queries that are measured.
std::vector<std::int64_t> askingOf(const Retrieved& found)
{
    std::vector<std::int64_t> asking;
    for (const std::size_t query : found.measured())
        asking.push_back(found.asking[query]);
    return asking;
}

/// The rankings that have relevant documents, measured. A document without a direction cannot be found, and is not
/// expected.
/// @param relevant  rows by the id of the query
/// @param labels    of the category ratio; without a name: none
RetrieveMeasures measureRelevant(const Retrieved& found,
                                 const std::unordered_map<std::string, std::vector<std::int64_t>>& relevant,
                                 const LabelColumn& labels)
{
    const std::vector<std::int64_t> ranked = found.ranked();
    const bool areDocuments = found.byDocuments() && areOthersAmong(askingOf(found), ranked);
    RetrieveMeasures measures(areDocuments ? std::ssize(ranked) : 0);
    for (const std::size_t query : found.measured())
    {
        const auto known = relevant.find(found.queries.ids[query]);
        if (known == relevant.end())
            continue;
        std::vector<std::int64_t> wanted = known->second;
        std::vector<std::int64_t> candidates = ranked;
        for (auto* const rows : {&wanted, &candidates})
            std::erase(*rows, found.queries.ownRow(query)); // it cannot be found
        std::erase_if(wanted, [&found](std::int64_t row) { return found.hasNoDirection(row); });
        if (wanted.empty())
            continue;
        measures.add(rowsOf(found.rankings[query]), wanted, labels.codes,
                     expectedByChance(candidates, found.command.retrieval.top, wanted, labels.codes),
                     areDocuments ? found.asking[query] : -1);
    }
    return measures;
}

/// How many results the longest ranking has, and whether each holds all documents that could be found.
std::pair<std::int64_t, bool> lengthOf(const Retrieved& found)
{
    const std::int64_t others = std::ssize(found.ranked()) - (found.command.includeSelf ? 0 : 1);
    std::int64_t most = 0;
    bool isAll = true;
    for (const std::size_t query : found.measured())
    {
        most = std::max(most, std::ssize(found.rankings[query]));
        isAll = isAll && std::ssize(found.rankings[query]) >= others;
    }
    return {most, isAll};
}

} // namespace

std::vector<std::int64_t> Retrieved::ranked() const
{
    std::vector<std::int64_t> rows;
    for (std::size_t at = 0; at < input.rows.size(); ++at)
        if (voters.ranked[at])
            rows.push_back(input.rows[at]);
    return rows;
}

std::vector<std::size_t> Retrieved::measured() const
{
    std::vector<std::size_t> numbers;
    for (std::size_t query = 0; query < rankings.size(); ++query)
        if (voters.asking[query])
            numbers.push_back(query);
    return numbers;
}

bool Retrieved::hasNoDirection(std::int64_t row) const
{
    const auto at = std::ranges::lower_bound(input.rows, row);
    return at != input.rows.end() && *at == row && !voters.ranked[static_cast<std::size_t>(at - input.rows.begin())];
}

std::string measuresFile(const commands::RetrieveCommand& command)
{
    const std::filesystem::path output = command.output;
    const std::string ending = output.extension().string();
    if (command.relevant.empty() || (ending != ".tex" && ending != ".csv"))
        return {};
    return (output.parent_path() / (output.stem().string() + "-measures" + ending)).string();
}

Status addMeasures(Answer& answer, const Retrieved& found, const Provenance& provenance)
{
    HEADSCOPE_TRY(const auto relevant, relevantRows(found.command.relevant, found.queries, *found.input.documents));
    LabelColumn labels;
    if (hasLabel(found))
    {
        HEADSCOPE_TRY(labels, chooseLabel(found.input, found.command.input.label));
    }
    const RetrieveMeasures measures = measureRelevant(found, relevant, labels);
    const std::int64_t asked = std::ssize(found.measured());
    const std::int64_t top = found.command.retrieval.top;
    if (measures.queries() == 0)
        return Error{ErrorCode::InvalidArgument,
                     "there are no relevant documents for these queries",
                     found.command.relevant,
                     {}};
    if (measures.queries() < asked)
        answer.notices.push_back(fmt::format("{} of {} queries have no relevant documents and are not measured",
                                             asked - measures.queries(), asked));
    answer.text += measures.text(top, asked, labels.name, found.seed);
    Members metrics = measures.result(top, found.seed);
    const std::string file = measuresFile(found.command);
    if (!file.empty())
        metrics.emplace_back("output", file);
    addMembers(*answer.json, {{"metrics", std::move(metrics)}});
    if (file.empty())
        return {};
    return writeFrameFile(file, measures.table(top, found.seed), provenance, {}, csvTexts(found.command.plainCsv),
                          "retrieve");
}

Status addSameLabel(Answer& answer, const Retrieved& found)
{
    if (!hasLabel(found))
        return {};
    HEADSCOPE_TRY(const LabelColumn labels, chooseLabel(found.input, found.command.input.label));
    std::vector<std::vector<std::int64_t>> ranked;
    for (const std::size_t query : found.measured())
        ranked.push_back(rowsOf(found.rankings[query]));
    const SameLabel same =
        sameLabel(ranked, askingOf(found), labels.codes, found.ranked(), !found.command.includeSelf, found.seed);
    if (same.queries == 0)
        return {};
    const auto [most, isAll] = lengthOf(found);
    const bool interval = std::isfinite(same.ci95.low) && !isAll;
    const std::string method = same.byDocument ? std::string(kJackknife) : std::string(kQueryBootstrap);
    Frame frame(kSameLabelFrame);
    frame.add("label", Column::Texts(1, labels.name));
    frame.add("share", Column::Reals(1, same.share))
        .interval(std::array{interval ? same.ci95 : Interval()}, interval ? method : std::string())
        .set(Facet::Chance, same.chance);
    frame.add("queries", Column::Wholes(1, same.queries));
    (*answer.json)["same_label"] = frameJson(frame).front();
    if (same.isCertain)
    {
        answer.text += fmt::format("\nSame \"{}\" as the query document: all labelled documents have the same value, "
                                   "so there is nothing to test.\n",
                                   labels.name);
        return {};
    }
    if (isAll)
    {
        answer.text += fmt::format("\nSame \"{}\" as the query document: {:.4f} of the {} results. The results "
                                   "include every document, so there is nothing to test.\n",
                                   labels.name, same.share, most);
        return {};
    }
    answer.text +=
        fmt::format("\nSame \"{}\" as the query document: {:.4f} of {}{} results{}, by chance {:.4f}.\n", labels.name,
                    same.share, same.allLabelled ? "" : "the labelled documents among ", most,
                    interval            ? fmt::format(", mean over {} queries (95% {:.4f} to {:.4f}, {})",
                                                      withCommas(same.queries), same.ci95.low, same.ci95.high,
                                           same.byDocument ? method + ", each left out as query and as result"
                                                                      : method + ", documents fixed")
                    : same.queries == 1 ? std::string(", of one query")
                                        : fmt::format(", mean over {} queries (too few for an interval)", same.queries),
                    same.chance);
    return {};
}

} // namespace headscope::cli
