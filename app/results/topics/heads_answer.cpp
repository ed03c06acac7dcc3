// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/topics/heads_answer.h"

#include "app/results/smallest_q.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/method_names.h"
#include "model/data/results/topic_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope
{
namespace
{

using enum Facet;

// clang-format off
constexpr Slot kUntested[] = {{"head"}, {"selectivity_unbiased"}, {"selectivity_unbiased", Low, "unbiased low"},
    {"selectivity_unbiased", High, "unbiased high"}, {"match"}, {"match", Low}, {"match", High}, {"top_topic"},
    {"top_excess"}, kRest};
constexpr Slot kPlain[] = {{"head"}, {"group"}, {"mean_norm"}, {"spread"}, {"score"}, kRest};
// clang-format on

Node redundancyNode(const HeadRedundancy& redundancy)
{
    const bool isDebiased = redundancy.method == CkaMethod::Debiased;
    Members members = {{"cka", redundancy.cka},
                       {"method", ckaName(redundancy.method)},
                       {"mean", redundancy.meanCka},
                       {"pairs", redundancy.pairs},
                       {"documents", redundancy.documents},
                       {"ci95", redundancy.meanCkaCi95},
                       {"ci95_method", textOrNull(isDebiased ? kJackknife : "")},
                       {"mean_cosine", redundancy.meanCosine},
                       {"neighbor_overlap", redundancy.neighborOverlap},
                       {"neighbor_overlap_chance", redundancy.neighborChance()}};
    if (isDebiased)
    {
        members.emplace_back("cka_low", redundancy.ckaLow);
        members.emplace_back("cka_high", redundancy.ckaHigh);
    }
    return members;
}

/// How the intervals of a column were made; nothing without intervals.
Node methodOf(const Column& column)
{
    return textOrNull(column.intervalMethod.empty() ? std::string() : column.intervalMethod.front());
}

} // namespace

Members headsResult(const HeadRows& rows, const HeadNotes& notes, Frame heads, const HeadRedundancy* redundancy)
{
    Members methods;
    for (const std::string_view key : {"selectivity", "selectivity_unbiased", "match", "follows_full"})
        methods.emplace_back(key, methodOf(*heads.find(key)));
    Members result = {{"heads", std::move(heads)},
                      {"redundancy", redundancy != nullptr ? redundancyNode(*redundancy) : Node()}};
    if (rows.answers == nullptr)
        return result;
    const HeadTopicStatistics& answers = *rows.answers;
    const Members facts = {
        {"labelled", answers.documents},
        {"topics", answers.topics},
        {"topic_vectors", notes.vectorsText},
        {"chance", Members{{"match", answers.matchChance}, {"match_of_present", notes.labels.chance(1)}}},
        {"labels_present", notes.labels.present},
        {"majority", notes.labels.majority()},
        {"labels_with_one_document", notes.labels.single},
        {"q_over", "the rows of one column, not across columns"},
        {"permutations", answers.options.permutations},
        {"ci95_method", std::move(methods)}};
    result.insert(result.end(), facts.begin(), facts.end());
    return result;
}

Node planesNode(const HeadPlanes& planes)
{
    return Members{
        {"cka", planes.cka}, {"mean_cosine", planes.meanCosine}, {"neighbor_overlap", planes.neighborOverlap}};
}

std::string headsText(const Frame& heads, const HeadRows& rows)
{
    if (rows.answers == nullptr)
        return frameText(heads, kPlain);
    if (rows.answers->options.permutations < 1)
        return frameText(heads, heads.about().texts.front()) + '\n' + frameText(heads, kUntested);
    return frameText(heads);
}

namespace
{

/// The line of match and of what is said of top topics.
std::string matchText(const HeadRows& rows, const HeadNotes& notes, bool centred)
{
    const std::string_view top = centred ? "exceeds\nthe mean over all labelled documents most (`heatmap`: the largest "
                                           "mean as it is); top excess is by how much"
                                         : "is largest; top excess is that mean";
    return fmt::format("Match: own topic the nearest of {} (chance {:.4g}), Wilson's 95 %{}. {}{}Top topic: whose "
                       "documents' mean cosine with it {}.\n",
                       rows.answers->topics, rows.answers->matchChance,
                       areCentroids(notes.vectorsText) ? ", the centroids taken as given: somewhat too narrow" : "",
                       presentText(notes.labels, std::array<std::int64_t, 1>{1}, rows.answers->topics),
                       majorityText(notes.labels), top);
}

} // namespace

std::string headsLegend(const HeadRows& rows, const HeadNotes& notes, const HeadRedundancy* redundancy)
{
    const std::string unit(unitName(rows.stage));
    std::string text =
        "Spread: 1 - |mean unit vector|^2, the mean cosine distance of two documents, each with itself counted as 0 "
        "(n / (n - 1)\ntimes as much without). Score: mean norm x spread.\n";
    if (rows.answers != nullptr)
    {
        const HeadTopicStatistics& answers = *rows.answers;
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
                : rows.stage == Stage::OutputSegment || notes.fullIsParts
                    ? fmt::format(";\nthe {} is a part of the full vector here, which alone makes them agree", unit)
                    : "");
        text += matchText(rows, notes, centred);
        text += answers.options.permutations > 0
                    ? fmt::format(
                          "p: (1 + permutations of the labels among the documents with at least as much) / (1 + {}) "
                          "(seed {}). q: p after Benjamini-Hochberg\nover the rows of its column (the {}s of "
                          "this layer and stage) and not across columns; above 0.05 the number of this\n"
                          "column is not told from its value for permuted labels by these documents; another "
                          "column's may be. Null: mean over the permutations.\nTop p, top q: that some topic has so "
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

} // namespace headscope
