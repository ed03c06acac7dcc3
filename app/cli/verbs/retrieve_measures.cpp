// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/retrieve_measures.h"

#include "app/results/result_table.h"
#include "app/results/text_table.h"
#include "model/analysis/retrieval/retrieval_metrics.h"
#include "model/analysis/statistics/intervals.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

namespace headscope::cli
{
namespace
{

using results::Json;
using results::ResultTable;

constexpr std::int64_t kFewestQueries = 10; ///< fewer are drawn again into much the same ones

/// A measure as a number of one query: its value for all the results.
struct Measure
{
    std::string_view key;
    std::string_view title; ///< "nDCG at", before the number of results
    double (*value)(const RetrievalMetrics&);
};

double lastOf(const std::vector<double>& values)
{
    return values.empty() ? 0 : values.back();
}

constexpr std::array<Measure, 4> kMeasures{
    {{"success_ratio", "success ratio at", [](const RetrievalMetrics& of) { return lastOf(of.successRatio); }},
     {"weighted_success", "weighted success at", [](const RetrievalMetrics& of) { return lastOf(of.weightedSuccess); }},
     {"ndcg", "nDCG at", [](const RetrievalMetrics& of) { return lastOf(of.ndcg); }},
     {"mrr", "MRR at", [](const RetrievalMetrics& of) { return of.reciprocalRank; }}}};

double meanOf(const Measure& measure, const std::vector<RetrievalMetrics>& each)
{
    double sum = 0;
    for (const RetrievalMetrics& one : each)
        sum += measure.value(one);
    return sum / static_cast<double>(each.size());
}

/// By queries drawn again; none where they are few.
Interval intervalOf(const Measure& measure, const std::vector<RetrievalMetrics>& each, std::uint64_t seed)
{
    if (std::ssize(each) < kFewestQueries)
        return {};
    const auto mean = [&](std::span<const std::int64_t> drawn) {
        double sum = 0;
        for (const std::int64_t query : drawn)
            sum += measure.value(each[static_cast<std::size_t>(query)]);
        return sum / static_cast<double>(drawn.size());
    };
    return bootstrapInterval(std::ssize(each), mean, {.seed = seed}).ci95;
}

MeanRetrievalMetrics meansOf(const std::vector<RetrievalMetrics>& each)
{
    MeanRetrievalMetrics means;
    for (const RetrievalMetrics& one : each)
        means.add(one);
    return means;
}

Json valuesOf(const RetrievalMetrics& of)
{
    return {{"success", of.success},
            {"success_ratio", of.successRatio},
            {"category_ratio", of.categoryRatio},
            {"weighted_success", of.weightedSuccess},
            {"recall", of.successRatio},
            {"ndcg", of.ndcg},
            {"mrr", of.reciprocalRank}};
}

} // namespace

void RetrieveMeasures::add(RetrievalMetrics one, RetrievalMetrics chance)
{
    m_each.push_back(std::move(one));
    m_chance.push_back(std::move(chance));
}

Json RetrieveMeasures::json(std::int64_t top, std::uint64_t seed) const
{
    Json json = {{"queries", queries()}};
    json.update(valuesOf(meansOf(m_each).mean()));
    json["mrr_at"] = top;
    json["chance"] = valuesOf(meansOf(m_chance).mean());
    const bool enough = queries() >= kFewestQueries;
    json["ci95_method"] = enough ? Json("bootstrap by query") : Json();
    Json intervals = Json::object();
    for (const Measure& measure : kMeasures)
    {
        const Interval ci95 = intervalOf(measure, m_each, seed);
        intervals[std::string(measure.key)] = enough ? Json{ci95.low, ci95.high} : Json();
    }
    json["ci95"] = std::move(intervals);
    return json;
}

results::ResultTable RetrieveMeasures::table(std::int64_t top, std::uint64_t seed) const
{
    ResultTable table({"measure", "mean", "low", "high", "by chance"});
    for (const Measure& measure : kMeasures)
    {
        const Interval ci95 = intervalOf(measure, m_each, seed);
        table.add({fmt::format("{} {}", measure.title, top), meanOf(measure, m_each), ci95.low, ci95.high,
                   meanOf(measure, m_chance)});
    }
    return table;
}

std::string RetrieveMeasures::text(std::int64_t top, std::int64_t asked, const std::string& label,
                                   std::uint64_t seed) const
{
    const std::string interval = queries() >= kFewestQueries
                                     ? "low, high: 95 % by bootstrap over the queries, documents fixed"
                                     : "too few for an interval";
    return fmt::format(
        "\nMeans over the {} of {} queries whose relevant documents are known; {}; by chance: of results in random "
        "order.\n{}Success ratio: share of the relevant documents among the results (recall). Weighted success: (2 x "
        "success ratio + category ratio) / 3; category ratio: {}. nDCG: gains of 1 / log2(rank + 1), over the best "
        "order. MRR: 1 / rank of the first relevant result, 0 where none is among them.\n",
        results::withCommas(queries()), results::withCommas(asked), interval, table(top, seed).text(),
        label.empty() ? std::string("1, no label column is chosen")
                      : fmt::format("share of the relevant documents' labels (\"{}\") that the results have", label));
}

} // namespace headscope::cli
