// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/topics/heads_answer.h"

#include "app/results/smallest_q.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/text_table.h"
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
constexpr Slot kExplained[] = {{"spread"}, {"score"}};
constexpr Slot kExplainedAnswers[] = {{"mean_similarity"}, {"evenness"}, {"selectivity_unbiased"}, {"follows_full"},
    {"top_topic"}, {"top_excess"}};
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

/// How the full vector is taken that heads follow; nothing where that is as for all.
std::string followsText(const HeadRows& rows, const HeadNotes& notes)
{
    const bool follows =
        std::ranges::any_of(rows.answers->followsFull, [](double value) { return std::isfinite(value); });
    const bool isSegment = rows.stage == Stage::OutputSegment;
    if (!follows)
        return "\"Follows full\" is missing: no topic has enough documents to compute a correlation.\n";
    if (isSegment && rows.answers->options.follows == FollowsMode::Rest)
        return "\"Follows full\" is the correlation with the full vector, which excludes the segment itself here.\n";
    return isSegment || notes.fullIsParts
               ? fmt::format(
                     "\"Follows full\": the {} is part of the full vector; this alone makes the two correlate.\n",
                     unitName(rows.stage))
               : std::string();
}

/// Of what the numbers of labels are, and how their intervals were made.
std::string labelsText(const HeadRows& rows, const HeadNotes& notes)
{
    const HeadTopicStatistics& answers = *rows.answers;
    std::string text = fmt::format(
        "{} labelled documents of {} topics; match by chance {:.4g}. Low, high: 95% by {}; for match by {}{}.\n{}{}",
        withCommas(answers.documents), answers.topics, answers.matchChance, kJackknife, kWilson,
        areCentroids(notes.vectorsText) ? ", with the centroids as given: somewhat too narrow" : "",
        presentText(notes.labels, std::array<std::int64_t, 1>{1}, answers.topics), majorityText(notes.labels));
    if (!answers.selectivityMissing.empty())
        text += fmt::format("Selectivity is missing: {}.\n", answers.selectivityMissing);
    text += answers.options.selectivity == SelectivityMode::Centred
                ? "Top topic: the topic with the largest excess. Excess: the mean cosine of the topic's documents with "
                  "the topic, minus the\nmean over all labelled documents (`heatmap` shows the raw cosines).\n"
                : "Top topic: the topic with the largest mean cosine. Top topic and selectivity use the raw cosines, "
                  "which mostly\nmeasure how close a topic's name is to every document.\n";
    return text + followsText(rows, notes);
}

} // namespace

std::string headsLegend(const HeadRows& rows, const HeadNotes& notes, const HeadRedundancy* redundancy)
{
    const std::string unit(unitName(rows.stage));
    std::string text = columnWords(kHeadsFrame, kExplained);
    if (rows.answers != nullptr)
    {
        const HeadTopicStatistics& answers = *rows.answers;
        text += columnWords(kHeadsFrame, kExplainedAnswers);
        // Its caution is a notice, where labels are of unequal size.
        text += fmt::format("match: {}.\n", kHeadsFrame.find("match")->definition) + labelsText(rows, notes);
        text +=
            answers.options.permutations > 0
                ? fmt::format(
                      "p: (1 + permutations with a value at least as large) / (1 + {}), with the labels permuted among "
                      "the documents (seed {}).\nq: p after Benjamini-Hochberg over the rows of one column (the {}s of "
                      "this layer and stage),\nnot across columns; above 0.05 these documents do not distinguish the "
                      "value from its value for permuted labels.\nNull: mean over the permutations. Top p, top q: "
                      "whether some topic has an excess this large. Which topic has this excess is not tested.\n",
                      answers.options.permutations, answers.options.seed, unit)
                : std::string("q is missing: no permutations of the labels were requested.\n");
        text += smallestQText(std::ssize(rows.statistics), answers.options.permutations);
    }
    if (redundancy != nullptr && redundancy->pairs > 0)
        text += fmt::format("Redundancy: {} linear CKA {:.4g}{}, mean over {} pairs of {}s, {} documents.\n",
                            ckaName(redundancy->method), redundancy->meanCka,
                            std::isfinite(redundancy->meanCkaCi95.low)
                                ? fmt::format(" (95%, {}: {:.4g} to {:.4g})", kJackknife, redundancy->meanCkaCi95.low,
                                              redundancy->meanCkaCi95.high)
                                : std::string(),
                            redundancy->pairs, unit, withCommas(redundancy->documents));
    return text;
}

} // namespace headscope
