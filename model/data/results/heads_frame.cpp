// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/heads_frame.h"

#include "model/data/frame/method_names.h"
#include "model/data/results/head_columns.h"

#include <array>
#include <limits>
#include <vector>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

constexpr std::string_view kSelectivityCaution =
    "Above 0 even for permuted labels, about (topics - 1) / (documents - 1): compare the value with its null mean";
constexpr std::string_view kTopCaution =
    "The test shows whether some topic has an excess this large, not which topic it is";

// clang-format off
constexpr ColumnInfo kHeadsColumns[] = {
    {"head", "Head", "", "Index of the head or segment (from 1)", "", S::Index, "segment"},
    {"group", "KV group", "", "Index of the KV group (from 1); heads in a group share a KV head", "", S::Index},
    kMeanNormColumn,
    kSpreadColumn,
    kScoreColumn,
    kSimilarityColumn,
    {"sd_similarity", "Standard deviation of the similarity", "",
     "Standard deviation of the cosine with the labelled topic, over the labelled documents", ""},
    {"selectivity", "Selectivity (eta squared)", "",
     "Proportion of the variance of the cosines with the labelled topic that lies between topics, 0 to 1; by default "
     "each topic's mean cosine over all documents is subtracted first", kSelectivityCaution},
    kSelectivityColumn,
    kFollowsColumn,
    kMatchColumn,
    kEvennessColumn,
    {"top_topic", "Top topic", "",
     "Topic with the largest excess. The excess is the mean cosine between a topic and its documents, by default "
     "minus the mean over all labelled documents",
     kTopCaution, S::Text},
    {"top_similarity", "Similarity of the top topic", "",
     "Cosine with the top topic, -1 to 1, mean over the documents of that topic", ""},
    {"top_excess", "Excess of the top topic", "",
     "Largest excess of any topic: the mean cosine of the topic's documents with the topic, by default minus the mean "
     "over all labelled documents", kTopCaution},
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
constexpr std::array<Slots, 3> kTexts = {kDescribed, kTested, kTop};
// clang-format on

/// The interval, mean of the null, p and q of a number of these heads.
void addTests(Column& column, const TestedNumbers& numbers, std::string_view method, std::span<const std::size_t> heads)
{
    const auto of = [heads](const auto& values) {
        return columnValues(heads, [&](std::size_t h) { return values[h]; });
    };
    column.interval(of(numbers.ci95), method).null(of(numbers.null)).set(Q, of(numbers.q));
}

void addAnswers(Frame& frame, const HeadTopicStatistics& answers, std::span<const std::size_t> heads)
{
    const auto interval = [&answers](std::size_t h) {
        return h < answers.followsCi95.size() ? answers.followsCi95[h] : Interval();
    };
    frame.find("follows_full")->interval(columnValues(heads, interval), kJackknife);
    addTests(*frame.find("selectivity"), answers.etaSquared, kJackknife, heads);
    addTests(*frame.find("selectivity_unbiased"), answers.selectivity, kJackknife, heads);
    addTests(*frame.find("match"), answers.match, kWilson, heads);
    const auto of = [heads](const auto& values) {
        return columnValues(heads, [&](std::size_t h) { return values[h]; });
    };
    frame.find("top_excess")->null(of(answers.topExcess.null)).set(Q, of(answers.topExcess.q));
    frame.find("match")->set(Chance, answers.matchChance);
    frame.find("selectivity")->nullMethod = Column::Texts(heads.size(), std::string(kLabelsPermuted));
}

} // namespace

constinit const FrameInfo kHeadsFrame = {
    .key = "heads", .columns = kHeadsColumns, .json = kJson, .file = kFile, .paper = kPaper, .texts = kTexts};

HeadRows headRowsOf(const HeadReport& report)
{
    return {report.stage, report.statistics, report.answers ? &*report.answers : nullptr, report.topTopic};
}

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

} // namespace headscope
