// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/topics/heads_frame.h"

#include "app/results/smallest_q.h"
#include "app/results/topic_loading.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/head_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

constexpr std::string_view kSelectivityCaution =
    "Above 0 even for permuted labels, about (topics - 1) / (documents - 1): compare it with its null";
constexpr std::string_view kTopCaution =
    "The test is of whether some topic has so large an excess, not of which topic it is";

// clang-format off
constexpr ColumnInfo kColumns[] = {
    {"head", "Head", "", "Number of the head or segment, from 1", "", S::Index, "segment"},
    {"group", "KV group", "", "Number of the KV group, the heads that share a KV head, from 1", "", S::Index},
    {"mean_norm", "Strength", "", "L2 norm of the vectors, mean over the documents",
     "The output projection scales every head differently: a long vector need not have a large influence"},
    {"spread", "Spread", "",
     "1 - |mean unit vector|^2, the mean cosine distance of two documents: 0 where all vectors point the same way, "
     "near 1 where their directions cancel",
     "A large common offset makes it small even where what varies around it is informative"},
    {"score", "Score", "", "Mean norm x spread: the weight of a head in multi-head RAG",
     "A weight, not a quality measure; it uses no labels"},
    {"mean_similarity", "Similarity", "",
     "Cosine of a document's vector with that of its labelled topic, -1 to 1, mean over the labelled documents", ""},
    {"sd_similarity", "Standard deviation of the similarity", "",
     "Standard deviation of this cosine over the labelled documents", ""},
    {"selectivity", "Selectivity (eta squared)", "",
     "Proportion of the variance of the cosines with the labelled topic that lies between topics, 0 to 1; by default "
     "each topic's mean cosine over all documents is subtracted first", kSelectivityCaution},
    {"selectivity_unbiased", "Selectivity", "",
     "Eta squared corrected for its bias (epsilon squared): 0 on average where topics do not differ, 1 at most",
     "Single values may be slightly negative"},
    {"follows_full", "Follows full", "",
     "Spearman's rank correlation with the cosines of the full vector within topics, mean over topics, -1 to 1",
     "At stage 3 a segment is a part of the full vector, which by default is taken without it"},
    {"match", "Match", "",
     "Proportion of labelled documents whose nearest topic vector, by cosine, is their label's; chance is 1 / topics",
     "Where labels are of unequal size, always predicting the commonest one may be above chance", S::Share},
    {"evenness", "Evenness", "",
     "Participation ratio (sum c)^2 / (n sum c^2) of the n cosines with the labelled topic, negative ones as 0: 1 "
     "where all are equal, 1/n where one is all",
     "A shape, not a quality measure: a head that responds to nothing evenly scores high"},
    {"top_topic", "Top topic", "", "Topic with the largest top excess", kTopCaution, S::Text},
    {"top_similarity", "Similarity of the top topic", "",
     "Cosine with the top topic, -1 to 1, mean over the documents of that topic", ""},
    {"top_excess", "Excess of the top topic", "",
     "Largest over the topics: mean cosine of the topic's documents with it, by default minus the mean over "
     "all labelled documents", kTopCaution},
};
constexpr Slot kJson[] = {kValues, {"follows_full", Span}, {"selectivity", Span}, {"selectivity_unbiased", Span},
    {"match", Span}, {"selectivity", P}, {"selectivity_unbiased", P}, {"match", P}, {"top_excess", P, "p.top_topic"},
    {"selectivity", Q}, {"selectivity_unbiased", Q}, {"match", Q}, {"top_excess", Q, "q.top_topic"},
    {"selectivity", Null}, {"selectivity_unbiased", Null}, {"match", Null}, {"top_excess", Null, "null_mean.top_topic"},
    {"selectivity", NullMethod, "null"}, kRest};
// The order in which columns were added over time.
constexpr Slot kFile[] = {{"head"}, {"group"}, {"mean_norm"}, {"spread"}, {"score"}, {"mean_similarity"},
    {"sd_similarity"}, {"selectivity"}, {"selectivity", Null}, {"follows_full"}, {"follows_full", Low, "follows low"},
    {"follows_full", High, "follows high"}, {"match"}, {"evenness"}, {"top_topic"}, {"top_similarity"},
    {"selectivity_unbiased", Q, "selectivity q"}, {"match", Q}, {"top_excess", Q, "top q"}, {"selectivity", Low},
    {"selectivity", High}, {"selectivity_unbiased", P, "selectivity p"}, {"match", Low}, {"match", High},
    {"match", Chance}, {"match", Null}, {"match", P}, {"top_excess"}, {"top_excess", Null},
    {"top_excess", P, "top p"}, {"selectivity_unbiased"}, {"selectivity_unbiased", Low, "unbiased low"},
    {"selectivity_unbiased", High, "unbiased high"}, {"selectivity_unbiased", Null, "unbiased null"}, kRest};
constexpr Slot kPaper[] = {{"head"}, {"group"}, {"mean_norm"}, {"spread"}, {"score"}, {"mean_similarity"},
    {"sd_similarity"}, {"evenness"}, {"follows_full"}, {"follows_full", Low, "follows low"},
    {"follows_full", High, "follows high"}, {"match"}, {"match", Low}, {"match", High}, {"match", Null}, {"match", P},
    {"match", Q}, {"selectivity_unbiased"}, {"selectivity_unbiased", Low, "unbiased low"},
    {"selectivity_unbiased", High, "unbiased high"}, {"selectivity_unbiased", Null, "unbiased null"},
    {"selectivity_unbiased", P, "selectivity p"}, {"selectivity_unbiased", Q, "selectivity q"}, {"top_topic"},
    {"top_excess"}, {"top_excess", Null}, {"top_excess", P, "top p"}, {"top_excess", Q, "top q"}, kRest};
constexpr Slot kDescribed[] = {{"head"}, {"group"}, {"mean_norm"}, {"spread"}, {"score"}, {"mean_similarity"},
    {"sd_similarity"}, {"evenness"}, {"follows_full"}, {"follows_full", Low, "follows low"},
    {"follows_full", High, "follows high"}};
constexpr Slot kTested[] = {{"head"}, {"selectivity_unbiased"}, {"selectivity_unbiased", Low, "unbiased low"},
    {"selectivity_unbiased", High, "unbiased high"}, {"selectivity_unbiased", Null, "unbiased null"},
    {"selectivity_unbiased", P, "selectivity p"}, {"selectivity_unbiased", Q, "selectivity q"}, {"match"},
    {"match", Low}, {"match", High}, {"match", Null}, {"match", P}, {"match", Q}};
constexpr Slot kTop[] = {{"head"}, {"top_topic"}, {"top_excess"}, {"top_excess", Null}, {"top_excess", P, "top p"},
    {"top_excess", Q, "top q"}, kRest};
constexpr Slot kUntested[] = {{"head"}, {"selectivity_unbiased"}, {"selectivity_unbiased", Low, "unbiased low"},
    {"selectivity_unbiased", High, "unbiased high"}, {"match"}, {"match", Low}, {"match", High}, {"top_topic"},
    {"top_excess"}, kRest};
constexpr Slot kPlain[] = {{"head"}, {"group"}, {"mean_norm"}, {"spread"}, {"score"}};
constexpr std::array<Slots, 3> kTexts = {kDescribed, kTested, kTop};

constexpr ColumnInfo kPairColumns[] = {
    {"rank", "Rank", "", "Rank of the pair by CKA, from 1, the most similar first", "", S::Index},
    {"head", "Head", "", "Number of the first head or segment, from 1", "", S::Index, "segment"},
    {"other_head", "Other head", "", "Number of the second one, from 1", "", S::Index, "other segment"},
    {"cka", "CKA", "",
     "Linear CKA of the two over the same documents; 1 where the similarities between documents are the same up to "
     "scale",
     "The debiased estimate is about 0 on average for unrelated heads and may be negative; the biased one is above 0"},
    {"mean_cosine", "Cosine of means", "", "Cosine of their mean vectors, -1 to 1",
     "Offsets only, not what varies between documents"},
    {"neighbor_overlap", "Neighbours in common", "",
     "Proportion of a document's nearest documents that both have in common, mean over documents; chance is "
     "neighbours / (documents - 1)", "", S::Share},
};
constexpr Slot kPairFile[] = {{"rank"}, {"head"}, {"other_head"}, {"cka"}, {"mean_cosine"}, {"neighbor_overlap"},
    {"cka", Low}, {"cka", High}, kRest};
// clang-format on

/// The interval, mean of the null, p and q of a number of these heads.
void addTests(Column& column, const TestedNumbers& numbers, std::span<const std::size_t> heads)
{
    const auto of = [heads](const auto& values) {
        return columnValues(heads, [&](std::size_t h) { return values[h]; });
    };
    column.interval(of(numbers.ci95)).null(of(numbers.null)).set(Q, of(numbers.q));
}

void addAnswers(Frame& frame, const HeadTopicStatistics& answers, std::span<const std::size_t> heads)
{
    const auto interval = [&answers](std::size_t h) {
        return h < answers.followsCi95.size() ? answers.followsCi95[h] : Interval();
    };
    frame.find("follows_full")->interval(columnValues(heads, interval));
    addTests(*frame.find("selectivity"), answers.etaSquared, heads);
    addTests(*frame.find("selectivity_unbiased"), answers.selectivity, heads);
    addTests(*frame.find("match"), answers.match, heads);
    const auto of = [heads](const auto& values) {
        return columnValues(heads, [&](std::size_t h) { return values[h]; });
    };
    frame.find("top_excess")->null(of(answers.topExcess.null)).set(Q, of(answers.topExcess.q));
    frame.find("match")->set(Chance, answers.matchChance);
    frame.find("selectivity")->nullMethod = Column::Texts(heads.size(), "labels shuffled among the documents");
}

} // namespace

constinit const FrameInfo kHeadsFrame = {
    .key = "heads", .columns = kColumns, .json = kJson, .file = kFile, .paper = kPaper, .texts = kTexts};
constinit const FrameInfo kHeadPairsFrame = {.key = "pairs", .columns = kPairColumns, .file = kPairFile};

Frame headsFrame(const HeadRows& rows, const ModelInfo& model, std::span<const std::int64_t> heads)
{
    using A = HeadTopicStatistics;
    std::vector<std::size_t> places;
    for (const std::int64_t head : heads)
        if (static_cast<std::size_t>(head) < rows.statistics.size())
            places.push_back(static_cast<std::size_t>(head));
    const auto each = [&places](auto projection) { return columnValues(places, projection); };
    const auto number = [&](double HeadStatistics::*value) {
        return each([&rows, value](std::size_t h) { return rows.statistics[h].*value; });
    };
    const auto answer = [&](const std::vector<double> A::*values) {
        return each([&rows, values](std::size_t h) {
            return rows.answers != nullptr ? (rows.answers->*values)[h] : std::numeric_limits<double>::quiet_NaN();
        });
    };
    const auto tested = [&](const TestedNumbers A::*numbers) {
        return each([&rows, numbers](std::size_t h) {
            return rows.answers != nullptr ? (rows.answers->*numbers).value[h]
                                           : std::numeric_limits<double>::quiet_NaN();
        });
    };
    Frame frame(kHeadsFrame);
    frame.add("head", each([](std::size_t h) { return shownNumber(HeadIndex(static_cast<std::int64_t>(h))); }))
        .named(std::string(unitName(rows.stage)));
    frame.add("group", each([&model](std::size_t h) {
                  return shownNumber(model.groupOf(HeadIndex(static_cast<std::int64_t>(h))));
              }));
    frame.add("mean_norm", number(&HeadStatistics::meanNorm));
    frame.add("spread", number(&HeadStatistics::spread));
    frame.add("score", number(&HeadStatistics::score));
    frame.add("mean_similarity", answer(&A::meanSimilarity));
    frame.add("sd_similarity", answer(&A::sdSimilarity));
    frame.add("selectivity", tested(&A::etaSquared));
    frame.add("selectivity_unbiased", tested(&A::selectivity));
    frame.add("follows_full", answer(&A::followsFull));
    frame.add("match", tested(&A::match));
    frame.add("evenness", answer(&A::evenness));
    frame.add("top_topic", each([&rows](std::size_t h) { return rows.topTopic[h]; }));
    frame.add("top_similarity", answer(&A::topSimilarity));
    frame.add("top_excess", tested(&A::topExcess));
    if (rows.answers != nullptr)
        addAnswers(frame, *rows.answers, places);
    return frame;
}

namespace
{

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

} // namespace

Members headsResult(const HeadRows& rows, Frame heads, const HeadRedundancy* redundancy)
{
    Members result = {{"heads", std::move(heads)},
                      {"redundancy", redundancy != nullptr ? redundancyNode(*redundancy) : Node()}};
    if (rows.answers == nullptr)
        return result;
    const HeadTopicStatistics& answers = *rows.answers;
    const Members facts = {
        {"labelled", answers.documents},
        {"topics", answers.topics},
        {"topic_vectors", rows.vectorsText},
        {"chance", Members{{"match", answers.matchChance}, {"match_of_present", rows.labels.chance(1)}}},
        {"labels_present", rows.labels.present},
        {"majority", rows.labels.majority()},
        {"labels_with_one_document", rows.labels.single},
        {"q_over", "the rows of one column, not across columns"},
        {"permutations", answers.options.permutations},
        {"ci95_method", Members{{"selectivity", kJackknife},
                                {"selectivity_unbiased", kJackknife},
                                {"match", kWilson},
                                {"follows_full", kJackknife}}}};
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
        return frameText(heads, kDescribed) + '\n' + frameText(heads, kUntested);
    return frameText(heads);
}

namespace
{

/// The line of match and of what is said of top topics.
std::string matchText(const HeadRows& rows, bool centred)
{
    return fmt::format("Match: own topic the nearest of {} (chance {:.4g}), Wilson's 95 %{}. {}{}Top topic: whose "
                       "documents' mean cosine with it is largest{}; top excess is {}.\n",
                       rows.answers->topics, rows.answers->matchChance,
                       areCentroids(rows.vectorsText) ? ", the centroids taken as given: somewhat too narrow" : "",
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

} // namespace headscope
