// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/retrieve_measures.h"

#include "model/analysis/retrieval/retrieval_metrics.h"
#include "model/analysis/statistics/intervals.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/retrieval_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace headscope::cli
{
namespace
{

constexpr std::int64_t kMinQueries = 10; ///< fewer are drawn again into much the same ones

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

MeanRetrievalMetrics meansOf(const std::vector<RetrievalMetrics>& each)
{
    MeanRetrievalMetrics means;
    for (const RetrievalMetrics& one : each)
        means.add(one);
    return means;
}

Members valuesOf(const RetrievalMetrics& of)
{
    return {{"success", listNode(of.success)},
            {"success_ratio", listNode(of.successRatio)},
            {"category_ratio", listNode(of.categoryRatio)},
            {"weighted_success", listNode(of.weightedSuccess)},
            {"recall", listNode(of.successRatio)},
            {"ndcg", listNode(of.ndcg)},
            {"mrr", of.reciprocalRank}};
}

} // namespace

void RetrieveMeasures::add(std::span<const std::int64_t> ranked, std::span<const std::int64_t> relevant,
                           std::span<const std::int32_t> labels, RetrievalMetrics chance, std::int64_t asking)
{
    m_each.push_back(measureRanking(ranked, relevant, labels));
    m_chance.push_back(std::move(chance));
    if (m_documents == 0)
        return;
    for (std::size_t i = 0; i < kMeasureCount; ++i)
        m_jackknives[i].add(kMeasures[i].value(m_each.back()), asking);
    std::set<std::int64_t> rows(ranked.begin(), ranked.end());
    rows.insert(relevant.begin(), relevant.end());
    rows.erase(asking);
    for (const std::int64_t row : rows)
    {
        std::vector<std::int64_t> left(ranked.begin(), ranked.end());
        std::vector<std::int64_t> wanted(relevant.begin(), relevant.end());
        std::erase(left, row);
        std::erase(wanted, row);
        const auto other = wanted.empty() ? std::nullopt : std::optional(measureRanking(left, wanted, labels));
        for (std::size_t i = 0; i < kMeasureCount; ++i)
            m_jackknives[i].addWithout(row, other ? std::optional(kMeasures[i].value(*other)) : std::nullopt);
    }
}

bool RetrieveMeasures::hasIntervals() const
{
    return queries() >= kMinQueries;
}

/// By documents left out, or by queries drawn again; none where they are few.
Interval RetrieveMeasures::intervalOf(std::size_t measure, std::uint64_t seed) const
{
    if (!hasIntervals())
        return {};
    if (m_documents > 0)
        return m_jackknives[measure].interval(m_documents);
    const auto mean = [this, measure](std::span<const std::int64_t> drawn) {
        double sum = 0;
        for (const std::int64_t query : drawn)
            sum += kMeasures[measure].value(m_each[static_cast<std::size_t>(query)]);
        return sum / static_cast<double>(drawn.size());
    };
    return withWidthAtEnds(bootstrapInterval(std::ssize(m_each), mean, {.seed = seed}).ci95, queries());
}

Members RetrieveMeasures::result(std::int64_t top, std::uint64_t seed) const
{
    Members result = {{"queries", queries()}};
    std::ranges::move(valuesOf(meansOf(m_each).mean()), std::back_inserter(result));
    Members intervals;
    for (std::size_t i = 0; i < kMeasureCount; ++i)
    {
        const Interval ci95 = intervalOf(i, seed);
        intervals.emplace_back(kMeasures[i].key, hasIntervals() ? listNode(std::array{ci95.low, ci95.high}) : Node());
    }
    result.insert(result.end(),
                  {{"mrr_at", top},
                   {"chance", valuesOf(meansOf(m_chance).mean())},
                   {"ci95_method", hasIntervals() ? Node(m_documents > 0 ? kJackknife : kQueryBootstrap) : Node()},
                   {"ci95", std::move(intervals)}});
    return result;
}

Frame RetrieveMeasures::table(std::int64_t top, std::uint64_t seed) const
{
    std::vector<Interval> intervals;
    for (std::size_t i = 0; i < kMeasureCount; ++i)
        intervals.push_back(intervalOf(i, seed));
    const auto meansOver = [](const std::vector<RetrievalMetrics>& each) {
        return columnValues(kMeasures, [&each](const Measure& measure) { return meanOf(measure, each); });
    };
    Frame frame(kRetrievalMeasuresFrame);
    frame.add("measure", columnValues(kMeasures, [top](const Measure& measure) {
                  return fmt::format("{} {}", measure.title, top);
              }));
    frame.add("mean", meansOver(m_each)).interval(intervals).set(Facet::Chance, meansOver(m_chance));
    frame.add("queries", Column::Wholes(kMeasureCount, queries()));
    return frame;
}

std::string RetrieveMeasures::text(std::int64_t top, std::int64_t asked, const std::string& label,
                                   std::uint64_t seed) const
{
    const std::string interval = !hasIntervals() ? "too few for an interval"
                                 : m_documents > 0
                                     ? "low, high: 95% by jackknife over the documents, each left out as query and as "
                                       "result"
                                     : "low, high: 95% by bootstrap over the queries, with the documents fixed";
    return fmt::format(
        "\nMeans over the {} of {} queries that have known relevant documents; {}; by chance: value for results in "
        "random order.\n{}Success ratio: proportion of the relevant documents among the results (recall). Weighted "
        "success: (2 x success ratio + category ratio) / 3; category ratio: {}. nDCG: gains of 1 / log2(rank + 1), "
        "relative to the best order. MRR: 1 / rank of the first relevant result, 0 without one.\n",
        withCommas(queries()), withCommas(asked), interval, frameText(table(top, seed)),
        label.empty()
            ? std::string("1, because no label column is selected")
            : fmt::format("proportion of the relevant documents' labels (\"{}\") that occur among the results", label));
}

} // namespace headscope::cli
