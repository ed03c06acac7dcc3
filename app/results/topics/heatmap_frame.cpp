// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/topics/heatmap_frame.h"

#include "app/frames/frame_json.h"
#include "model/analysis/statistics/permutations.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/place_columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

constexpr std::string_view kContrastQ =
    "Benjamini-Hochberg over all rows of all stages and layers shown, except the full vector's";
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr ColumnInfo kRowColumn = {"row", "Row",  "", "The full vector, or a head or segment by its number",
                                   "",    S::Text};

// clang-format off
constexpr ColumnInfo kHeatmapColumns[] = {
    kLayerColumn,
    kStageColumn,
    kRowColumn,
    {"mean", "Mean", "", "Cosine of a document with its labelled topic (a cell), -1 to 1, mean over the documents", ""},
    {"sd", "Standard deviation", "", "Standard deviation of the cells of the row", ""},
    {"evenness", "Evenness", "",
     "Participation ratio (sum c)^2 / (n sum c^2) of the n cells, negative cells as 0: 1 where all are equal, 1/n "
     "where only one is positive", "Describes how evenly a head responds, not how well: a head with weak but even "
                                   "responses has a high value"},
    {"spearman", "Follows full", "",
     "Spearman's rank correlation with the row of the full vector within topics, mean over topics, -1 to 1",
     "At stage 3, a segment is part of the full vector; this alone makes the two correlate"},
    {"eta2", "Raw eta squared", "", "Proportion of the variance of the cells that lies between topics, 0 to 1",
     "Above 0 even for permuted labels, and larger with topics that are close to every document"},
    {"top_topic", "Raw top topic", "", "Topic whose cells (raw cosines) have the largest mean",
     "Not the top topic of `heads`, where each topic's mean over all documents is subtracted", S::Text},
    {"top_topic_kept", "Top topic kept", "", "Proportion of permutations of the labels with the same raw top topic", "",
     S::Share},
    {"contrast", "Contrast", "",
     "Mean cosine with the labelled topic minus the mean cosine with the other topics shown, -2 to 2; compared with "
     "permuted labels", ""},
    {"permutations", "Permutations", "", "Number of permutations of the labels", "", S::Count},
    {"topic_mean", "Topic means", "", "Mean of the cells of each topic, in the order of the topics", "", S::Tree},
};
constexpr Slot kJson[] = {{"row"}, {"mean"}, {"sd"}, {"eta2"}, {"spearman"}, {"spearman", Span, "spearman_ci95"},
    {"evenness"}, {"top_topic"}, {"contrast"}, {"contrast", Span, "contrast_ci95"}, {"contrast", P, "p"},
    {"permutations"}, {"contrast", NullMethod, "null"}, {"contrast", Null, "null_mean"}, {"contrast", Q, "q"},
    {"eta2", Null, "eta2_null_mean"}, {"eta2", P, "eta2_p"}, {"top_topic_kept"}, {"topic_mean"}, kRest};
constexpr Slot kFile[] = {{"layer"}, {"stage"}, {"row"}, {"mean"}, {"sd"}, {"evenness"}, {"spearman"},
    {"spearman", Low, {}, 0, true}, {"spearman", High, {}, 0, true}, {"eta2", Value, "raw eta2"},
    {"top_topic", Value, "raw top topic"}, {"top_topic_kept"}, {"eta2", Null, "raw eta2 null", 0, true},
    {"eta2", P, "raw eta2 p", 0, true}, {"contrast"}, {"contrast", Low}, {"contrast", High}, {"contrast", Null},
    {"contrast", P}, {"contrast", Q}, kRest};
constexpr Slot kDescribed[] = {{"layer"}, {"stage"}, {"row"}, {"mean"}, {"sd"}, {"evenness"}, {"spearman"},
    {"spearman", Low}, {"spearman", High}};
constexpr Slot kUntested[] = {{"layer"}, {"stage"}, {"row"}, {"contrast"}, {"contrast", Low}, {"contrast", High},
    {"eta2", Value, "raw eta2"}, {"top_topic", Value, "raw top topic"}, kRest};
constexpr Slot kTested[] = {{"layer"}, {"stage"}, {"row"}, {"contrast"}, {"contrast", Low}, {"contrast", High},
    {"contrast", Null}, {"contrast", P}, {"contrast", Q}, {"eta2", Value, "raw eta2"}, {"eta2", Null, "raw eta2 null"},
    {"eta2", P, "raw eta2 p"}, {"top_topic", Value, "raw top topic"}, {"top_topic_kept"}, kRest};
constexpr Slots kTexts[] = {kDescribed, kTested};
// What the line under the table explains.
constexpr Slot kExplained[] = {{"mean"}, {"sd"}, {"eta2", Value, "raw eta2"}, {"top_topic", Value, "raw top topic"},
    {"contrast"}, {"spearman"}, {"evenness"}};
constexpr Slot kExplainedKept[] = {{"top_topic_kept"}};

constexpr ColumnInfo kMeanColumns[] = {
    kLayerColumn,
    kStageColumn,
    kRowColumn,
    {"mean", "Mean", "",
     "Mean cosine of the topic's documents with the topic, or its difference from another mean", ""},
};
// clang-format on

/// A row of a heatmap: 0 full, 1 + head.
struct Line
{
    const HeatmapLines* of = nullptr;
    std::size_t row = 0;

    [[nodiscard]] const Heatmap& heatmap() const { return *of->heatmap; }
    /// With one document a topic there is no variance inside topics to compare with.
    [[nodiscard]] bool isDefined() const { return heatmap().values.cols() > std::ssize(heatmap().topicNames); }
    [[nodiscard]] bool follows() const
    {
        return row > 0 && (of->spearmanOfParts || heatmap().stage != Stage::OutputSegment);
    }
};

std::vector<Line> linesOf(std::span<const HeatmapLines> heatmaps)
{
    std::vector<Line> lines;
    for (const HeatmapLines& each : heatmaps)
    {
        lines.push_back({&each, 0});
        for (const std::int64_t head : each.heads)
            if (const auto row = static_cast<std::size_t>(head) + 1; row < each.statistics->mean.size())
                lines.push_back({&each, row});
    }
    return lines;
}

void addNulls(Frame& frame, const std::vector<Line>& lines)
{
    const auto of = [&lines](auto projection) { return columnValues(lines, projection); };
    frame.add("top_topic_kept", of([](const Line& line) { return line.of->null->topTopicKept[line.row]; }));
    frame.find("eta2")->null(
        of([](const Line& line) { return line.isDefined() ? line.of->null->ofEta2[line.row] : PermutationNull(); }));
    frame.add("contrast", of([](const Line& line) { return line.of->null->contrast[line.row]; }))
        .interval(of([](const Line& line) { return line.of->null->contrastCi95[line.row]; }))
        .null(of([](const Line& line) { return line.of->null->ofContrast[line.row]; }))
        .set(Q, of([](const Line& line) { return line.row < line.of->q.size() ? line.of->q[line.row] : kNaN; }));
}

} // namespace

constinit const FrameInfo kHeatmapFrame = {
    .key = "heatmap", .columns = kHeatmapColumns, .json = kJson, .file = kFile, .texts = kTexts};
constinit const FrameInfo kTopicMeansFrame = {.key = "means", .columns = kMeanColumns};

std::string topTopicOf(const Heatmap& heatmap, const HeatmapStatistics& statistics, std::size_t row)
{
    const auto topic = std::ranges::find(heatmap.topicOrder, statistics.topTopic[row]);
    return topic == heatmap.topicOrder.end()
               ? std::string()
               : heatmap.topicNames[static_cast<std::size_t>(topic - heatmap.topicOrder.begin())];
}

void addContrastRates(std::span<HeatmapLines> heatmaps)
{
    std::vector<double> p;
    std::vector<double*> places; // [rows that are tested] of their q
    for (HeatmapLines& each : heatmaps)
    {
        each.q.assign(each.statistics->mean.size(), kNaN);
        for (const std::int64_t head : each.heads)
            if (const auto row = static_cast<std::size_t>(head) + 1;
                each.null != nullptr && row < each.null->ofContrast.size())
            {
                p.push_back(each.null->ofContrast[row].p);
                places.push_back(&each.q[row]);
            }
    }
    const auto q = benjaminiHochberg(p);
    for (std::size_t i = 0; i < q.size(); ++i)
        *places[i] = q[i];
}

std::string heatmapWords(const HeatmapNull& null, bool fullHoldsSegment)
{
    std::string text = columnWords(kHeatmapFrame, kExplained);
    if (fullHoldsSegment)
        text +=
            "-: not shown at stage 3, whose segments are parts of the full vector (see \"Follows full\" of `heads`, "
            "which excludes the segment).\n";
    text += fmt::format("low, high: 95%, {}{}.\n", kJackknife,
                        std::isfinite(null.contrastCi95.front().low)
                            ? ""
                            : " (none for fewer than ten documents, or for documents that were selected as the nearest "
                              "to their topics)");
    if (!null.leftOut.empty())
        return text + (null.leftOut == "not requested" ? std::string() : "no p: " + null.leftOut + "\n");
    return text +
           fmt::format("contrast p: (1 + permutations with a contrast at least as large) / (1 + {}), with the labels "
                       "permuted among these documents; contrast q: {}. null: mean over the permutations. raw eta2 p: "
                       "the same for raw eta2. {}An interval shows how a value varies with the documents. p shows "
                       "whether the value depends on the labels. The interval may include the null where p is small.\n",
                       null.ofContrast.front().permutations, kContrastQ, columnWords(kHeatmapFrame, kExplainedKept));
}

Json heatmapMeasures(bool fullHoldsSegment)
{
    const auto definition = [](std::string_view key) { return std::string(kHeatmapFrame.find(key)->definition); };
    return {{"eta2", definition("eta2")},
            {"top_topic", definition("top_topic")},
            {"p", "of contrast"},
            {"q", fmt::format("of contrast, {}", kContrastQ)},
            {"spearman", fullHoldsSegment ? columnSentences(*kHeatmapFrame.find("spearman")) : definition("spearman")}};
}

std::string heatmapRowName(Stage stage, std::size_t row)
{
    return row == 0 ? std::string("full") : fmt::format("{} {}", unitName(stage), row);
}

Frame heatmapFrame(std::span<const HeatmapLines> heatmaps, bool places)
{
    const std::vector<Line> lines = linesOf(heatmaps);
    const auto of = [&lines](auto projection) { return columnValues(lines, projection); };
    const auto number = [&of](const std::vector<double> HeatmapStatistics::*values) {
        return of([values](const Line& line) { return (line.of->statistics->*values)[line.row]; });
    };
    Frame frame(kHeatmapFrame);
    if (places)
    {
        frame.add("layer", of([](const Line& line) { return line.heatmap().layer.value(); }));
        frame.add("stage", of([](const Line& line) { return stageName(line.heatmap().stage); }));
    }
    frame.add("row", of([](const Line& line) { return heatmapRowName(line.heatmap().stage, line.row); }));
    frame.add("mean", number(&HeatmapStatistics::mean));
    frame.add("sd", number(&HeatmapStatistics::sd));
    frame.add("evenness", number(&HeatmapStatistics::evenness));
    Column& spearman = frame.add("spearman", of([](const Line& line) {
                                     return line.follows() ? line.of->statistics->spearmanMean[line.row - 1] : kNaN;
                                 }));
    if (!heatmaps.empty() && !heatmaps.front().spearmanCi95.empty())
        spearman.interval(
            of([](const Line& line) { return line.follows() ? line.of->spearmanCi95[line.row - 1] : Interval(); }));
    frame.add("eta2",
              of([](const Line& line) { return line.isDefined() ? line.of->statistics->eta2[line.row] : kNaN; }));
    frame.add("top_topic",
              of([](const Line& line) { return topTopicOf(line.heatmap(), *line.of->statistics, line.row); }));
    if (!heatmaps.empty() && heatmaps.front().null != nullptr)
        addNulls(frame, lines);
    return frame;
}

Json heatmapRowsJson(const HeatmapLines& heatmap)
{
    const std::vector<Line> lines = linesOf({&heatmap, 1});
    const HeatmapStatistics& statistics = *heatmap.statistics;
    const HeatmapNull& null = *heatmap.null;
    const auto of = [&lines](auto projection) { return columnValues(lines, projection); };
    Frame frame = heatmapFrame({&heatmap, 1}, false);
    frame.find("row")->values = of([](const Line& line) { return line.row == 0 ? Node("full") : Node(line.row); });
    frame.find("top_topic")->values =
        of([&](const Line& line) { return Node(topTopicOf(line.heatmap(), statistics, line.row)); });
    Column& eta2 = *frame.find("eta2"); // with one document a topic, too
    eta2.values = of([&](const Line& line) { return statistics.eta2[line.row]; });
    eta2.null(of([&](const Line& line) { return null.ofEta2[line.row]; }));
    frame.find("contrast")->nullMethod = Column::Texts(lines.size(), std::string(kLabelsPermuted));
    frame.add("permutations", of([&](const Line& line) { return null.ofContrast[line.row].permutations; }));
    frame.add("topic_mean", of([&](const Line& line) {
                  return listNode(statistics.topicMean.row(static_cast<std::int64_t>(line.row)));
              }));
    Json rows = frameJson(frame);
    for (const char* key : {"spearman", "spearman_ci95", "q"}) // the full row is not held against itself
        rows.front().erase(key);
    for (Json& row : rows)
        for (const char* key :
             {"p", "permutations", "null", "null_mean", "q", "eta2_null_mean", "eta2_p", "top_topic_kept"})
            if (!null.leftOut.empty())
                row.erase(key);
    return rows;
}

std::string heatmapText(const Frame& frame, bool nulls)
{
    return nulls ? frameText(frame) : frameText(frame, kDescribed) + '\n' + frameText(frame, kUntested);
}

} // namespace headscope
