// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_claims.h"
#include "app/cli/report/report_numbers.h"
#include "app/results/label_probe_frame.h"
#include "app/results/layers_frame.h"
#include "app/results/topics/heatmap_frame.h"
#include "app/results/topics/match_frame.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/heads_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace headscope::cli
{

namespace
{

using enum Facet;

// clang-format off
constexpr Slot kMatch[] = {{"stage"}, {"k"}, {"full"}, {"full", Low, "low"}, {"full", High, "high"},
    {"full", Chance, "chance"}, {"full", P, "p"}, {"best"}, {"share", Value, "its share"}};
constexpr Slot kContrasts[] = {{"stage"}, {"row"}, {"contrast"}, {"contrast", Low, "low"}, {"contrast", High, "high"},
    {"contrast", Null, "null"}, {"contrast", P, "p"}, {"contrast", Q, "q"}};
constexpr Slot kHeads[] = {{"head"}, {"group"}, {"mean_norm"}, {"spread"},
    {"selectivity_unbiased", Value, "sel. unbiased"}, {"selectivity_unbiased", Low, "sel. low"},
    {"selectivity_unbiased", High, "sel. high"}, {"selectivity_unbiased", Null, "sel. null"},
    {"selectivity_unbiased", Q, "sel. q"}, {"match"}, {"match", Low}, {"match", High}, {"match", Null}, {"match", Q},
    {"follows_full"}, {"follows_full", Low, "follows low"}, {"follows_full", High, "follows high"}, {"top_topic"},
    {"top_excess", Q, "top q"}};
constexpr Slot kLabelProbe[] = {{"head"}, {"accuracy"}, {"accuracy", Low, "low"}, {"accuracy", High, "high"},
    {"balanced_accuracy", Value, "balanced"}, {"accuracy", Chance, "chance"}, {"accuracy", P, "p"},
    {"accuracy", Q, "q"}};
constexpr Slot kLayers[] = {{"layer"}, {"stage"}, {"accuracy"}, {"accuracy", Low, "low"}, {"accuracy", High, "high"},
    {"test_documents"}, {"purity"}, {"purity", Low}, {"purity", High}, {"purity", Null}, {"purity", Q},
    {"redundancy"}, {"redundancy", Low}, {"redundancy", High}};
// clang-format on
constexpr FrameInfo kMatchTable = {.key = "match", .columns = {}, .file = kMatch};
constexpr FrameInfo kContrastsTable = {.key = "contrasts", .columns = {}, .file = kContrasts};
constexpr FrameInfo kHeadsTable = {.key = "heads", .columns = {}, .file = kHeads};
constexpr FrameInfo kLabelProbeTable = {.key = "label_probe", .columns = {}, .file = kLabelProbe};
constexpr FrameInfo kLayersTable = {.key = "layers", .columns = {}, .file = kLayers};

/// The values of a number of an answer's heads, smallest and largest, and how many have a q below 0.05.
struct HeadRange
{
    double low = kNoNumber;
    double high = kNoNumber;
    std::int64_t best = 0; ///< the head with the largest
    std::int64_t telling = 0;
};

HeadRange rangeOf(const Json& heads, const std::string& key)
{
    HeadRange range;
    for (const Json& head : heads)
    {
        const double own = numberOf(head, key);
        range.telling += numberIfThere(partIfThere(head, "q"), key) < kSmallQ ? 1 : 0;
        if (!std::isfinite(own))
            continue;
        range.low = std::isfinite(range.low) ? std::min(range.low, own) : own;
        if (!(own <= range.high))
        {
            range.high = own;
            range.best = countOf(head, "head");
        }
    }
    return range;
}

/// Whether everything matches at this k, as with as many as there are topics.
bool isCertain(const Json& answer, const std::string& key)
{
    const Json& certain = partOf(answer, "certain");
    return std::ranges::find(certain, Json(key)) != certain.end();
}

} // namespace

namespace
{

/// A row of the table of matches.
struct MatchLine
{
    std::string stage;
    std::int64_t k = 0;
    double chance = kNoNumber;
    std::int64_t best = 0;
    double share = kNoNumber;
    double full = kNoNumber;
    Interval ci95;
    double p = kNoNumber;
};

/// " (24 per topic on average)": of how many documents a topic's share is; empty where nothing can be divided.
std::string perTopicWords(const Json& answer)
{
    const std::int64_t present = countOf(answer, "labels_present");
    const std::int64_t documents = countOf(answer, "documents");
    if (present < 1)
        return {};
    return documents % present == 0 && !(numberIfThere(answer, "majority") * static_cast<double>(present) > 1 + 1e-9)
               ? fmt::format(" ({} per topic)", documents / present)
               : fmt::format(" ({:.1f} per topic on average)",
                             static_cast<double>(documents) / static_cast<double>(present));
}

Frame matchesOf(const std::vector<MatchLine>& lines)
{
    using L = MatchLine;
    Frame frame(kMatchSummaryFrame);
    frame.add("stage", columnValues(lines, &L::stage));
    frame.add("k", columnValues(lines, &L::k));
    frame.add("full", columnValues(lines, &L::full))
        .interval(columnValues(lines, &L::ci95))
        .set(Chance, columnValues(lines, &L::chance))
        .set(P, columnValues(lines, &L::p));
    frame.add("best", columnValues(lines, &L::best));
    frame.add("share", columnValues(lines, &L::share));
    return frame;
}

} // namespace

void sayMatch(ReportSection& section, const Parts& parts, const ReportSubject& subject)
{
    std::vector<MatchLine> lines;
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const Json& full = partOf(answer, "full");
        const std::string stage = stageOf(part->item);
        const Json& levels = partOf(answer, "k");
        for (const Json& k : levels)
        {
            const std::string key = "top" + k.dump();
            if (isCertain(answer, key))
                continue;
            const HeadRange range = rangeOf(partOf(answer, "heads"), key);
            const Interval interval = intervalOf(partOf(partOf(full, "ci95"), key));
            const double chance = numberOf(partOf(answer, "chance"), key);
            if (part == parts.front() && !subject.isOtherLayer)
                section.claims.push_back(fmt::format(
                    "Match at {}: with the full vector, the true topic is among the {} nearest of {} topics for {} of "
                    "{} documents{}; chance {}, p {:.2g} (labels permuted among the documents {} times).",
                    k.dump(), k.dump(), partOf(answer, "topics").dump(), withInterval(numberOf(full, key), interval),
                    withCommas(countOf(answer, "documents")), perTopicWords(answer), shown(chance),
                    numberIfThere(partIfThere(full, "p"), key), partOf(answer, "permutations").dump()));
            section.claims.push_back(fmt::format("Stage {}, k = {}: the {}s match between {} and {} of the documents "
                                                 "(chance {}); {} of {} differ from permuted labels (q < 0.05).",
                                                 stage, k.dump(), stage == "1" ? "head" : "segment", shown(range.low),
                                                 shown(range.high), shown(chance), range.telling,
                                                 partOf(answer, "heads").size()));
            lines.push_back({stage, k.get<std::int64_t>(), chance, range.best, range.high, kNoNumber, {}, kNoNumber});
            if (!subject.isOtherLayer)
            {
                lines.back().full = numberOf(full, key);
                lines.back().ci95 = interval;
                lines.back().p = numberIfThere(partIfThere(full, "p"), key);
            }
        }
        const double chance =
            levels.empty() ? kNoNumber : numberOf(partOf(answer, "chance"), "top" + levels.front().dump());
        if (const std::string majority = majorityWords(answer, chance); part == parts.front() && !majority.empty())
            section.claims.push_back(
                majority + " A small p does not mean that the match exceeds the proportion of the most common label.");
    }
    addTable(section, "match",
             "Proportion of documents whose true topic is among the k nearest topics, by the full vector and by the "
             "head or segment with the highest match. The latter was selected on these documents, so its value is "
             "optimistically biased.",
             matchesOf(lines), kMatchTable);
}

void sayHeatmap(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    Json shownRows = Json::array();
    Column::Texts stages;
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const Json one = Json::array({answer});
        const Json& results = answer.contains("results") ? partOf(answer, "results") : one;
        std::size_t tested = 0; // rows, without those of the full vector
        for (const Json& result : results)
            tested += partOf(result, "rows").size() - 1;
        for (const Json& result : results)
        {
            const Json& rows = partOf(result, "rows");
            Frame contrasts = frameOf(rows, kHeatmapFrame);
            section.claims.push_back(
                fmt::format("Stage {}: the contrast of the true topic against other topics exceeds the contrast for "
                            "permuted labels in {} of {} rows (q < 0.05, Benjamini-Hochberg over the {} rows of {} "
                            "stage{}, without the full vector; labels permuted {} times); {} documents of {} topics.",
                            stageOf(result), tellingRows(columnOf(contrasts, "contrast")), rows.size() - 1, tested,
                            results.size(), results.size() == 1 ? "" : "s",
                            rows.front().contains("permutations") ? countOf(rows.front(), "permutations") : 0,
                            countOf(result, "documents"), partOf(result, "topics").size()));
            for (const Json& row : rows)
                shownRows.push_back(row);
            stages.insert(stages.end(), rows.size(), stageOf(result));
        }
    }
    Frame contrasts = frameOf(std::move(shownRows), kHeatmapFrame);
    if (contrasts.rows() == 0)
        return;
    contrasts.add("stage", std::move(stages));
    addTable(section, "contrasts",
             "Contrast of the rows of the heatmaps: mean cosine with the true topic minus the mean cosine with the "
             "other topics shown. Low, high: 95% by jackknife over the sampled documents. Null: mean over labels "
             "permuted among these documents, with p and q. The interval shows how the value varies with the "
             "documents; p shows whether it depends on their labels. The interval may include the null where p is "
             "small.",
             std::move(contrasts), kContrastsTable);
}

void sayHeads(ReportSection& section, const Parts& parts, const ReportSubject& subject)
{
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const std::string stage = stageOf(part->item);
        Frame heads = frameOf(partOf(answer, "heads"), kHeadsFrame);
        const std::int64_t telling = tellingRows(columnOf(heads, "selectivity_unbiased"));
        const std::int64_t rows = heads.rows();
        if (Column* head = columnOf(heads, "head"); head != nullptr && stage != "1") // segments belong to no KV group
        {
            head->named("segment");
            if (Column* group = columnOf(heads, "group"); group != nullptr)
                group->values = Column::Wholes(static_cast<std::size_t>(rows), kNoCount);
        }
        std::string explained;
        for (const std::string_view key : {"spread", "selectivity_unbiased", "match", "follows_full", "top_topic"})
            if (const Column* column = columnOf(heads, key))
                explained += fmt::format("{}{}: {}", explained.empty() ? "" : " ", column->info->title,
                                         columnSentences(*column->info));
        addTable(section, "heads-table-stage" + stage,
                 fmt::format("Stage {}: statistics of the {}. 95% intervals: {} for \"Selectivity\" and \"Follows "
                             "full\", {} for \"Match\". \"Null\" is the mean over permuted labels, and q is given with "
                             "it. Grey: q > 0.05, not distinguishable from permuted labels. {}",
                             stage, stage == "1" ? "heads" : "segments", kJackknife, kWilson, explained),
                 std::move(heads), kHeadsTable,
                 {{"selectivity_unbiased", "selectivity_unbiased"}, {"match", "match"}, {"top_topic", "top_excess"}});
        if (subject.topics)
            section.claims.push_back(
                fmt::format("Stage {}: selectivity differs from permuted labels in {} of {} rows (q < 0.05).", stage,
                            telling, rows));
        const Json& redundancy = partOf(answer, "redundancy");
        if (redundancy.is_object() && std::isfinite(numberOf(redundancy, "mean")))
            section.claims.push_back(
                fmt::format("Stage {}: the {} linear CKA of two heads or segments is {} on average, over {} pairs and "
                            "{} documents.",
                            stage, textOf(redundancy, "method"),
                            withInterval(numberOf(redundancy, "mean"), intervalOf(partOf(redundancy, "ci95"))),
                            partOf(redundancy, "pairs").dump(), partOf(redundancy, "documents").dump()));
    }
}

namespace
{

/// How many heads have the smallest p that there can be; empty where fewer than two have.
std::string floorWords(const Json& answer, std::string_view unit)
{
    const double floor = numberOf(answer, "smallest_p");
    constexpr double kRounding = 1e-9;
    const Json& heads = partOf(answer, "heads");
    const auto atFloor = std::ranges::count_if(
        heads, [floor](const Json& head) { return numberIfThere(head, "p") <= floor + kRounding; });
    return atFloor < 2
               ? std::string()
               : fmt::format(" The p value of {} {}s is the smallest possible, {:.4f}, so p and q cannot rank them.",
                             atFloor, unit, floor);
}

} // namespace

void sayLabelProbe(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const std::string stage = stageOf(part->item);
        const std::string unit = stage == "1" ? "head" : "segment";
        const Json& full = partOf(answer, "full");
        Json rows = partOf(answer, "heads");
        rows.push_back(full);
        rows.back()["head"] = "all";
        Frame table = frameOf(rows, kLabelProbeFrame);
        const Column* accuracy = columnOf(table, "accuracy");
        const std::int64_t telling = tellingRows(accuracy);
        if (accuracy != nullptr)
        {
            table.find("head")->named(unit);
            table.find("accuracy")->set(Chance, numberOf(answer, "chance"));
        }
        addTable(
            section, "label-probe-stage" + stage,
            fmt::format("Stage {}: accuracy of a linear probe that predicts the label from the vectors of one {}, on "
                        "held-out documents; means over {} splits, 95% by the corrected resampled t. Balanced: mean "
                        "recall of the labels. Chance: the larger of guessing and of always predicting the most common "
                        "label. p: labels permuted among the test documents, twice the median over the splits. q: over "
                        "all rows except the last, which holds all vectors concatenated.",
                        stage, unit, partOf(partOf(full, "splits"), "n").dump()),
            std::move(table), kLabelProbeTable);
        section.claims.push_back(fmt::format(
            "Stage {}: from the vectors of {} of {} {}s, the label is predicted more often than permuted labels are (q "
            "< 0.05); chance {}.{} A label that a text contains can often be predicted from any vector of the text. A "
            "{} that predicts a label need not be specialised in this label, and {}s are not compared with each other.",
            stage, telling, rows.size() - 1, unit, shown(numberOf(answer, "chance")), floorWords(answer, unit), unit,
            unit));
    }
}

void sayLayers(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    Json rows = Json::array();
    for (const ReportPart* part : parts)
        for (const Json& row : partOf(*part->answer, "results"))
            rows.push_back(row);
    addTable(section, "layers-table",
             "Probe accuracy, topic purity and redundancy by layer and stage. Accuracy: on test documents, 95% by "
             "Wilson over the effective sample size; offsets alone may make the accuracy high at any stage. Purity and "
             "redundancy: 95% by jackknife over documents, which shows how they vary with the documents. Null and q of "
             "purity: labels permuted among these documents.",
             frameOf(rows, kLayersFrame), kLayersTable);
}

} // namespace headscope::cli
