// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_claims.h"
#include "app/cli/report/report_numbers.h"
#include "model/data/frame/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace headscope::cli
{

namespace
{

// clang-format off
constexpr AnswerColumn kMatch[] = {{"stage", "stage", true}, {"k", "k"}, {"full", "full"}, {"low", "ci95.0"},
    {"high", "ci95.1"}, {"chance", "chance"}, {"p", "p"}, {"best", "best"}, {"its share", "share"}};
constexpr AnswerColumn kContrasts[] = {{"stage", "stage", true}, {"row", "row", true}, {"contrast", "contrast"},
    {"low", "contrast_ci95.0"}, {"high", "contrast_ci95.1"}, {"null", "null_mean"}, {"p", "p"}, {"q", "q"}};
constexpr AnswerColumn kHeads[] = {{"head", "head"}, {"group", "group"}, {"mean norm", "mean_norm"},
    {"spread", "spread"}, {"selectivity", "selectivity_unbiased"}, {"sel. low", "ci95.selectivity_unbiased.0"},
    {"sel. high", "ci95.selectivity_unbiased.1"}, {"sel. null", "null_mean.selectivity_unbiased"},
    {"sel. q", "q.selectivity_unbiased"}, {"match", "match"}, {"match low", "ci95.match.0"},
    {"match high", "ci95.match.1"}, {"match null", "null_mean.match"}, {"match q", "q.match"},
    {"follows full", "follows_full"}, {"follows low", "ci95.follows_full.0"}, {"follows high", "ci95.follows_full.1"},
    {"top topic", "top_topic", true}, {"top q", "q.top_topic"}};
constexpr AnswerColumn kLabelProbe[] = {{"head", "head", true}, {"accuracy", "accuracy"}, {"low", "ci95.0"},
    {"high", "ci95.1"}, {"balanced", "balanced_accuracy"}, {"chance", "chance"}, {"p", "p"}, {"q", "q"}};
constexpr AnswerColumn kLayers[] = {{"layer", "layer"}, {"stage", "stage", true}, {"accuracy", "accuracy"},
    {"low", "ci95.0"}, {"high", "ci95.1"}, {"test documents", "test_documents"}, {"purity", "purity"},
    {"purity low", "purity_ci95.0"}, {"purity high", "purity_ci95.1"}, {"purity null", "purity_null_mean"},
    {"purity q", "purity_q"}, {"redundancy", "redundancy"}, {"redundancy low", "redundancy_ci95.0"},
    {"redundancy high", "redundancy_ci95.1"}};
// clang-format on

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
        range.telling += numberOf(partOf(head, "q"), key) < 0.05 ? 1 : 0;
        if (!std::isfinite(own))
            continue;
        range.low = std::isfinite(range.low) ? std::min(range.low, own) : own;
        if (!(own <= range.high))
        {
            range.high = own;
            range.best = partOf(head, "head").get<std::int64_t>();
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

/// " (the last layer's, uncut, whatever layer the heads are of)", in a few words of the answer.
std::string fullWords(const Json& answer)
{
    const Json& source = partOf(partOf(answer, "full"), "source");
    return source.is_string() ? fmt::format(" ({})", source.get<std::string>()) : std::string();
}

} // namespace

void sayMatch(ReportSection& section, const Parts& parts, const ReportSubject& subject)
{
    Json rows = Json::array();
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
            const Json& interval = partOf(partOf(full, "ci95"), key);
            const double chance = numberOf(partOf(answer, "chance"), key);
            if (part == parts.front() && !subject.isOtherLayer)
                section.claims.push_back(
                    fmt::format("By the full vector{} the own topic is among the {} nearest for {} of {} documents; "
                                "chance {}, p {:.2g} (labels permuted among the documents {} times).",
                                fullWords(answer), k.dump(), withInterval(partOf(full, key), interval),
                                withCommas(partOf(answer, "documents").get<std::int64_t>()), shown(chance),
                                numberOf(partOf(full, "p"), key), partOf(answer, "permutations").dump()));
            section.claims.push_back(fmt::format("Stage {}, k = {}: the {}s match between {} and {} of the documents "
                                                 "(chance {}); {} of {} are told from "
                                                 "permuted labels (q < 0.05).",
                                                 stage, k.dump(), stage == "1" ? "head" : "segment", shown(range.low),
                                                 shown(range.high), shown(chance), range.telling,
                                                 partOf(answer, "heads").size()));
            rows.push_back(
                {{"stage", stage}, {"k", k}, {"chance", chance}, {"best", range.best}, {"share", range.high}});
            if (!subject.isOtherLayer)
                rows.back().update(
                    Json{{"full", partOf(full, key)}, {"ci95", interval}, {"p", partOf(partOf(full, "p"), key)}});
        }
        const double chance =
            levels.empty() ? kNoNumber : numberOf(partOf(answer, "chance"), "top" + levels.front().dump());
        if (const std::string majority = majorityWords(answer, chance); part == parts.front() && !majority.empty())
            section.claims.push_back(majority + " A small p does not mean better than that.");
    }
    addTable(section, "match",
             "Share of documents whose own topic is among the k nearest, by the full vector and by the head "
             "or segment that matches most: chosen by these documents, so its number is too good.",
             rows, kMatch);
}

namespace
{

/// How many of the rows have a q below 0.05.
std::int64_t tellingRows(const Json& rows, const std::function<double(const Json&)>& q)
{
    return std::ranges::count_if(rows, [&](const Json& row) { return q(row) < 0.05; });
}

} // namespace

void sayHeatmap(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    Json shownRows = Json::array();
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
            section.claims.push_back(fmt::format(
                "Stage {}: the contrast of own against other topics exceeds that of permuted labels for {} of {} rows "
                "(q < 0.05, Benjamini-Hochberg over the {} rows of {} stage{} without the full vector's; labels "
                "permuted {} times), {} documents of {} topics.",
                stageOf(result), tellingRows(rows, [](const Json& row) { return numberOf(row, "q"); }), rows.size() - 1,
                tested, results.size(), results.size() == 1 ? "" : "s", countOf(rows.front(), "permutations"),
                partOf(result, "documents").dump(), partOf(result, "topics").size()));
            for (const Json& row : rows)
            {
                shownRows.push_back(row);
                shownRows.back()["stage"] = stageOf(result);
            }
        }
    }
    addTable(section, "contrasts",
             "Contrast of the rows of the heatmaps: mean cosine with the own topic less that with the other "
             "topics shown; low, high: 95 % by jackknife over the documents drawn; null: mean over labels "
             "permuted among them, p and q beside it. The interval says how far the number moves with other "
             "documents, p whether it depends on the labels of these: it may hold the null where p is small.",
             shownRows, kContrasts);
}

void sayHeads(ReportSection& section, const Parts& parts, const ReportSubject& subject)
{
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const std::string stage = stageOf(part->item);
        const Json& heads = partOf(answer, "heads");
        auto columns = std::to_array(kHeads);
        if (stage != "1") // segments belong to no KV group
        {
            columns[0].header = "segment";
            columns[1] = {"group", "none", true};
        }
        addTable(section, "heads-table-stage" + stage,
                 fmt::format(
                     "Stage {}: what describes the {}. 95 % of selectivity and follows full by jackknife over "
                     "documents, of match after Wilson; null: mean over permuted labels, q beside it. "
                     "Spread: 1 - |mean unit vector|^2. Selectivity: share of the variance of the cosines with the own "
                     "topic, less each topic's mean over all documents, that lies between topics, without the bias of "
                     "eta squared (epsilon squared): it may be slightly negative. Follows full: "
                     "Spearman's correlation with the cosines of the full vector{} inside topics, mean over them. "
                     "Top q: that some topic has so large an excess; which one, is not tested.",
                     stage, stage == "1" ? "heads" : "segments", stage == "3" ? " without the segment" : ""),
                 heads, columns);
        if (subject.topics)
            section.claims.push_back(fmt::format(
                "Stage {}: selectivity is told from permuted labels for {} of {} (q < 0.05).", stage,
                tellingRows(heads,
                            [](const Json& head) { return numberOf(partOf(head, "q"), "selectivity_unbiased"); }),
                heads.size()));
        const Json& redundancy = partOf(answer, "redundancy");
        if (redundancy.is_object() && std::isfinite(numberOf(redundancy, "mean")))
            section.claims.push_back(
                fmt::format("Stage {}: {} linear CKA of two of them is {} on average, over {} pairs and {} documents.",
                            stage, partOf(redundancy, "method").get<std::string>(),
                            withInterval(partOf(redundancy, "mean"), partOf(redundancy, "ci95")),
                            partOf(redundancy, "pairs").dump(), partOf(redundancy, "documents").dump()));
    }
}

void sayLabelProbe(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const std::string stage = stageOf(part->item);
        const std::string unit = stage == "1" ? "head" : "segment";
        const Json& heads = partOf(answer, "heads");
        const Json& full = partOf(answer, "full");
        Json rows = heads;
        rows.push_back(full);
        rows.back()["head"] = "all";
        for (Json& row : rows)
            row["chance"] = partOf(answer, "chance");
        auto columns = std::to_array(kLabelProbe);
        columns[0].header = unit;
        addTable(section, "label-probe-stage" + stage,
                 fmt::format("Stage {}: the label told from one {}'s vectors by a linear probe, on documents "
                             "that did not train it: means over {} splits, 95 % by the corrected resampled t; "
                             "balanced: mean over the labels of the share that is told; chance: the larger of "
                             "guessing and of always naming the commonest label; p: labels permuted among the "
                             "test documents, twice the median over the splits; q over the rows without the "
                             "last, in which all stand one after another.",
                             stage, unit, partOf(partOf(full, "splits"), "n").dump()),
                 rows, columns);
        section.claims.push_back(fmt::format(
            "Stage {}: the label is told from the vectors of {} of {} {}s more often than permuted labels are (q < "
            "0.05); chance {}. A label that a text carries is often told from any vector of it: a {} that tells it "
            "need not be about it, and {}s are not compared with each other.",
            stage, tellingRows(heads, [](const Json& row) { return numberOf(row, "q"); }), heads.size(), unit,
            shown(numberOf(answer, "chance")), unit, unit));
    }
}

void sayLayers(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    Json rows = Json::array();
    for (const ReportPart* part : parts)
        for (const Json& row : partOf(*part->answer, "results"))
            rows.push_back(row);
    addTable(section, "layers-table",
             "Probe (accuracy on its test documents, 95 % of Wilson over effective rows of these; at any stage "
             "offsets alone may make it large), topic purity and redundancy by layer and stage, 95 % of both by "
             "jackknife over documents, which says how far they move with other ones; null and q of purity: labels "
             "permuted among these.",
             rows, kLayers);
}

} // namespace headscope::cli
