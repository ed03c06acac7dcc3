// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/heads_table.h"

#include "app/results/smallest_q.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/data/frame/text_table.h"
#include "model/data/head_ranges.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headscope
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Cells of one head; NaN where there are no answers.
class HeadCells
{
public:
    HeadCells(const HeadAnswers* answers, std::size_t head) : m_answers(answers), m_head(head) {}

    [[nodiscard]] double of(const std::vector<double> HeadAnswers::*values) const
    {
        return m_answers != nullptr ? (m_answers->*values)[m_head] : kNaN;
    }
    [[nodiscard]] double value(const TestedNumbers HeadAnswers::*numbers) const
    {
        return m_answers != nullptr ? (m_answers->*numbers).value[m_head] : kNaN;
    }
    [[nodiscard]] double q(const TestedNumbers HeadAnswers::*numbers) const
    {
        return m_answers != nullptr ? (m_answers->*numbers).q[m_head] : kNaN;
    }
    [[nodiscard]] Interval ci95(const TestedNumbers HeadAnswers::*numbers) const
    {
        return m_answers != nullptr ? (m_answers->*numbers).ci95[m_head] : Interval();
    }
    [[nodiscard]] PermutationNull null(const TestedNumbers HeadAnswers::*numbers) const
    {
        return m_answers != nullptr ? (m_answers->*numbers).null[m_head] : PermutationNull();
    }
    [[nodiscard]] Interval follows() const
    {
        return m_answers != nullptr && m_head < m_answers->followsCi95.size() ? m_answers->followsCi95[m_head]
                                                                              : Interval();
    }
    [[nodiscard]] double chance() const { return m_answers != nullptr ? m_answers->matchChance : kNaN; }

private:
    const HeadAnswers* m_answers;
    std::size_t m_head;
};

std::vector<std::string> headerOf(Stage stage)
{
    return {std::string(unitName(stage)),
            "group",
            "mean norm",
            "spread",
            "score",
            "mean similarity",
            "sd similarity",
            "selectivity",
            "selectivity null",
            "follows full",
            "follows low",
            "follows high",
            "match",
            "evenness",
            "top topic",
            "top similarity",
            "selectivity q",
            "match q",
            "top q",
            "selectivity low",
            "selectivity high",
            "selectivity p",
            "match low",
            "match high",
            "match chance",
            "match null",
            "match p",
            "top excess",
            "top excess null",
            "top p",
            "selectivity unbiased",
            "unbiased low",
            "unbiased high",
            "unbiased null"};
}

Json intervalJson(const Interval& interval)
{
    return std::isfinite(interval.low) ? Json{interval.low, interval.high} : Json();
}

} // namespace

ResultTable headsTable(const HeadRows& rows, const ModelInfo& model, std::span<const std::int64_t> heads, bool groups)
{
    using A = HeadAnswers;
    ResultTable table(headerOf(rows.stage));
    for (const std::int64_t head : heads)
    {
        const auto h = static_cast<std::size_t>(head);
        if (h >= rows.statistics.size())
            continue;
        const HeadCells cell(rows.answers, h);
        const HeadStatistics& statistics = rows.statistics[h];
        // A stage that is kept uncut has one row, whatever the model's groups.
        const Interval eta = cell.ci95(&A::etaSquared);
        const Interval unbiased = cell.ci95(&A::selectivity);
        const Interval match = cell.ci95(&A::match);
        table.add({shownNumber(HeadIndex(head)),
                   groups ? ResultTable::Cell(shownNumber(model.groupOf(HeadIndex(head)))) : ResultTable::Cell("-"),
                   statistics.meanNorm,
                   statistics.spread,
                   statistics.score,
                   cell.of(&A::meanSimilarity),
                   cell.of(&A::sdSimilarity),
                   cell.value(&A::etaSquared),
                   cell.null(&A::etaSquared).mean,
                   cell.of(&A::followsFull),
                   cell.follows().low,
                   cell.follows().high,
                   cell.value(&A::match),
                   cell.of(&A::evenness),
                   rows.topTopic[h],
                   cell.of(&A::topSimilarity),
                   cell.q(&A::selectivity),
                   cell.q(&A::match),
                   cell.q(&A::topExcess),
                   eta.low,
                   eta.high,
                   cell.null(&A::selectivity).p,
                   match.low,
                   match.high,
                   cell.chance(),
                   cell.null(&A::match).mean,
                   cell.null(&A::match).p,
                   cell.value(&A::topExcess),
                   cell.null(&A::topExcess).mean,
                   cell.null(&A::topExcess).p,
                   cell.value(&A::selectivity),
                   unbiased.low,
                   unbiased.high,
                   cell.null(&A::selectivity).mean});
    }
    return table;
}

ResultTable describedHeads(const ResultTable& table, Stage stage)
{
    const std::array<std::string_view, 28> columns = {
        unitName(stage), "group",           "mean norm",     "spread",        "score",         "mean similarity",
        "sd similarity", "evenness",        "follows full",  "follows low",   "follows high",  "match",
        "match low",     "match high",      "match null",    "match p",       "match q",       "selectivity unbiased",
        "unbiased low",  "unbiased high",   "unbiased null", "selectivity p", "selectivity q", "top topic",
        "top excess",    "top excess null", "top p",         "top q"};
    return table.columns(columns);
}

std::string headsText(const ResultTable& table, const HeadRows& rows)
{
    const std::string_view unit = unitName(rows.stage);
    if (rows.answers == nullptr)
        return table.columns(std::array<std::string_view, 5>{unit, "group", "mean norm", "spread", "score"}).text();
    const std::array<std::string_view, 11> described = {unit,           "group",           "mean norm",     "spread",
                                                        "score",        "mean similarity", "sd similarity", "evenness",
                                                        "follows full", "follows low",     "follows high"};
    if (rows.answers->options.permutations < 1)
        return table.columns(described).text() + '\n' +
               table
                   .columns(std::array<std::string_view, 9>{unit, "selectivity unbiased", "unbiased low",
                                                            "unbiased high", "match", "match low", "match high",
                                                            "top topic", "top excess"})
                   .text();
    const std::array<std::string_view, 13> tested = {unit,
                                                     "selectivity unbiased",
                                                     "unbiased low",
                                                     "unbiased high",
                                                     "unbiased null",
                                                     "selectivity p",
                                                     "selectivity q",
                                                     "match",
                                                     "match low",
                                                     "match high",
                                                     "match null",
                                                     "match p",
                                                     "match q"};
    return table.columns(described).text() + '\n' + table.columns(tested).text() + '\n' +
           table
               .columns(std::array<std::string_view, 6>{unit, "top topic", "top excess", "top excess null", "top p",
                                                        "top q"})
               .text();
}

namespace
{

/// The line of match and of what is said of top topics.
std::string matchText(const HeadRows& rows, bool centred)
{
    return fmt::format("Match: own topic the nearest of {} (chance {:.4g}), Wilson's 95 %{}. {}{}Top topic: whose "
                       "documents' mean cosine with it is largest{}; top excess is {}.\n",
                       rows.answers->topics, rows.answers->matchChance,
                       rows.areCentroids ? ", the centroids taken as given: somewhat too narrow" : "",
                       presentText(rows.labels, std::array<std::int64_t, 1>{1}, rows.answers->topics),
                       majorityText(rows.labels),
                       centred ? "\nagainst its mean over all documents (`heatmap`: the largest mean as it is)" : "",
                       centred ? "by how much" : "that mean");
}

} // namespace

std::string headsLegend(const HeadRows& rows, const HeadRedundancy* redundancy, bool fullIsParts)
{
    const std::string unit(unitName(rows.stage));
    std::string text =
        "Spread: 1 - |mean unit vector|^2, the mean cosine distance of two documents, each with itself counted as 0 "
        "(n / (n - 1)\ntimes as much without). Score: mean norm x spread.\n";
    if (rows.answers != nullptr)
    {
        const HeadAnswers& answers = *rows.answers;
        const bool centred = answers.options.selectivity == SelectivityMode::Centred;
        text +=
            fmt::format("Similarity: cosine with the own topic, over {} labelled documents. Evenness: "
                        "(sum c)^2 / (n sum c^2) over\nall of them, negative ones as 0: 1 where all documents answer "
                        "alike.\n",
                        withCommas(answers.documents));
        text += answers.selectivityMissing.empty()
                    ? fmt::format(
                          "Selectivity unbiased (epsilon squared): share of the variance of these cosines{} that lies "
                          "between topics, 1 - (1 - eta^2) (N - 1) / (N - T)\nof N documents and T topics: 0 on "
                          "average where topics do not differ, single values may be slightly negative; low, high: "
                          "95 %\nby jackknife over documents. Eta squared itself, which is above 0 by chance, is "
                          "`selectivity` in --json, .csv and .h5.\n",
                          centred ? ",\nless each topic's mean over all documents (`heatmap` shows the raw one),"
                                  : "; raw: mostly how near the topics' names are to everything,")
                    : fmt::format("No selectivity: {}.\n", answers.selectivityMissing);
        const bool follows =
            std::ranges::any_of(answers.followsFull, [](double value) { return std::isfinite(value); });
        if (!follows)
            text += "No follows full: inside no topic are there documents enough for a correlation.\n";
        else
            text += fmt::format(
                "Follows full: Spearman's correlation with the cosines of the full vector inside topics, mean over "
                "topics{}; low,\nhigh: 95 % by jackknife over documents.\n",
                rows.stage == Stage::OutputSegment && answers.options.follows == FollowsMode::Rest
                    ? ";\nthe full vector without the segment itself"
                : rows.stage == Stage::OutputSegment || fullIsParts
                    ? fmt::format(";\nthe {} is a part of the full vector here, which alone makes them agree", unit)
                    : "");
        text += matchText(rows, centred);
        text +=
            answers.options.permutations > 0
                ? fmt::format("p: (1 + shufflings of the labels among the documents with at least as much) / (1 + {}) "
                              "(seed {}). q: p after Benjamini-Hochberg\nover the rows of its column (the {}s of "
                              "this layer and stage) and not across columns; above 0.05 the number of this\n"
                              "column is not told from its value for shuffled labels by these documents; another "
                              "column's may be. Null: mean over the shufflings.\nTop p, top q: that some topic has so "
                              "large an excess; which one it is, is not tested, and another may be as near.\n",
                              answers.options.permutations, answers.options.seed, unit)
                : std::string("No q: no permutation of the labels was asked for.\n");
        text += smallestQText(std::ssize(rows.statistics), answers.options.permutations);
    }
    if (redundancy != nullptr && redundancy->pairs > 0)
        text += fmt::format("Redundancy: {} linear CKA {:.4g}{}, mean over {} pairs of {}s, {} documents.\n",
                            ckaName(redundancy->method), redundancy->meanCka,
                            std::isfinite(redundancy->meanCkaCi95.low)
                                ? fmt::format(" (95 % by {}: {:.4g} to {:.4g})", kJackknife,
                                              redundancy->meanCkaCi95.low, redundancy->meanCkaCi95.high)
                                : std::string(),
                            redundancy->pairs, unit, withCommas(redundancy->documents));
    return text;
}

Json headTestsJson(const HeadAnswers& answers, std::size_t head)
{
    const HeadCells cell(&answers, head);
    Json tests;
    tests["ci95"]["follows_full"] = intervalJson(cell.follows());
    const std::pair<const char*, const TestedNumbers HeadAnswers::*> all[] = {
        {"selectivity", &HeadAnswers::etaSquared},
        {"selectivity_unbiased", &HeadAnswers::selectivity},
        {"match", &HeadAnswers::match},
        {"top_topic", &HeadAnswers::topExcess}};
    for (const auto& [name, numbers] : all)
    {
        if (numbers != &HeadAnswers::topExcess)
            tests["ci95"][name] = intervalJson(cell.ci95(numbers));
        tests["p"][name] = cell.null(numbers).p;
        tests["q"][name] = cell.q(numbers);
        tests["null_mean"][name] = cell.null(numbers).mean;
    }
    tests["null"] = "labels shuffled among the documents";
    return tests;
}

Json matrixJson(const MatrixD& matrix)
{
    Json rows = Json::array();
    for (std::int64_t i = 0; i < matrix.rows(); ++i)
    {
        const auto row = matrix.row(i);
        rows.push_back(std::vector<double>(row.begin(), row.end()));
    }
    return rows;
}

Json redundancyJson(const HeadRedundancy& redundancy)
{
    Json json = {{"cka", matrixJson(redundancy.cka)},
                 {"method", ckaName(redundancy.method)},
                 {"mean", redundancy.meanCka},
                 {"pairs", redundancy.pairs},
                 {"documents", redundancy.documents},
                 {"ci95", intervalJson(redundancy.meanCkaCi95)},
                 {"ci95_method", Json()},
                 {"mean_cosine", matrixJson(redundancy.meanCosine)},
                 {"neighbor_overlap", matrixJson(redundancy.neighborOverlap)},
                 {"neighbor_overlap_chance", redundancy.neighborChance()}};
    if (redundancy.method == CkaMethod::Debiased)
    {
        json["ci95_method"] = kJackknife;
        json["cka_low"] = matrixJson(redundancy.ckaLow);
        json["cka_high"] = matrixJson(redundancy.ckaHigh);
    }
    return json;
}

} // namespace headscope
