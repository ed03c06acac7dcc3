// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_claims.h"
#include "app/cli/report/report_numbers.h"
#include "model/data/frame/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace headscope::cli
{

namespace
{

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
    TableMaker table("match",
                     "Share of documents whose own topic is among the k nearest, by the full vector and by the head "
                     "or segment that matches most: chosen by these documents, so its number is too good.",
                     {"stage", "k", "full", "low", "high", "chance", "p", "best", "its share"});
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
                                "chance {}, p {:.2g} (labels shuffled among the documents {} times).",
                                fullWords(answer), k.dump(), withInterval(partOf(full, key), interval),
                                withCommas(partOf(answer, "documents").get<std::int64_t>()), shown(chance),
                                numberOf(partOf(full, "p"), key), partOf(answer, "permutations").dump()));
            section.claims.push_back(fmt::format("Stage {}, k = {}: the {}s match between {} and {} of the documents "
                                                 "(chance {}); {} of {} are told from "
                                                 "shuffled labels (q < 0.05).",
                                                 stage, k.dump(), stage == "1" ? "head" : "segment", shown(range.low),
                                                 shown(range.high), shown(chance), range.telling,
                                                 partOf(answer, "heads").size()));
            if (subject.isOtherLayer)
                table.add({stage, k.get<std::int64_t>(), kNoNumber, kNoNumber, kNoNumber, chance, kNoNumber, range.best,
                           range.high});
            else
                table.add({stage, k.get<std::int64_t>(), numberOf(full, key), boundOf(interval, 0),
                           boundOf(interval, 1), chance, numberOf(partOf(full, "p"), key), range.best, range.high});
        }
        const double chance =
            levels.empty() ? kNoNumber : numberOf(partOf(answer, "chance"), "top" + levels.front().dump());
        if (const std::string majority = majorityWords(answer, chance); part == parts.front() && !majority.empty())
            section.claims.push_back(majority + " A small p does not mean better than that.");
    }
    table.moveTo(section);
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
    TableMaker table("contrasts",
                     "Contrast of the rows of the heatmaps: mean cosine with the own topic less that with the other "
                     "topics shown; low, high: 95 % by jackknife over the documents drawn; null: mean over labels "
                     "shuffled among them, p and q beside it. The interval says how far the number moves with other "
                     "documents, p whether it depends on the labels of these: it may hold the null where p is small.",
                     {"stage", "row", "contrast", "low", "high", "null", "p", "q"});
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
                "Stage {}: the contrast of own against other topics exceeds that of shuffled labels for {} of {} rows "
                "(q < 0.05, Benjamini-Hochberg over the {} rows of {} stage{} without the full vector's; labels "
                "shuffled {} times), {} documents of {} topics.",
                stageOf(result), tellingRows(rows, [](const Json& row) { return numberOf(row, "q"); }), rows.size() - 1,
                tested, results.size(), results.size() == 1 ? "" : "s", countOf(rows.front(), "permutations"),
                partOf(result, "documents").dump(), partOf(result, "topics").size()));
            for (const Json& row : rows)
            {
                const Json& ci95 = partOf(row, "contrast_ci95");
                const Json& name = partOf(row, "row");
                table.add({stageOf(result), name.is_string() ? name.get<std::string>() : name.dump(),
                           numberOf(row, "contrast"), boundOf(ci95, 0), boundOf(ci95, 1), numberOf(row, "null_mean"),
                           numberOf(row, "p"), numberOf(row, "q")});
            }
        }
    }
    table.moveTo(section);
}

void sayHeads(ReportSection& section, const Parts& parts, const ReportSubject& subject)
{
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const std::string stage = stageOf(part->item);
        const Json& heads = partOf(answer, "heads");
        TableMaker table(
            "heads-table-stage" + stage,
            fmt::format(
                "Stage {}: what describes the {}. 95 % of selectivity and follows full by jackknife over "
                "documents, of match after Wilson; null: mean over shuffled labels, q beside it. "
                "Spread: 1 - |mean unit vector|^2. Selectivity: share of the variance of the cosines with the own "
                "topic, less each topic's mean over all documents, that lies between topics, without the bias of "
                "eta squared (epsilon squared): it may be slightly negative. Follows full: "
                "Spearman's correlation with the cosines of the full vector{} inside topics, mean over them. "
                "Top q: that some topic has so large an excess; which one, is not tested.",
                stage, stage == "1" ? "heads" : "segments", stage == "3" ? " without the segment" : ""),
            {stage == "1" ? "head" : "segment", "group", "mean norm", "spread", "selectivity", "sel. low", "sel. high",
             "sel. null", "sel. q", "match", "match low", "match high", "match null", "match q", "follows full",
             "follows low", "follows high", "top topic", "top q"});
        for (const Json& head : heads)
        {
            const Json& q = partOf(head, "q");
            const Json& null = partOf(head, "null_mean");
            const auto bound = [&head](const char* name, std::size_t end) {
                return boundOf(partOf(partOf(head, "ci95"), name), end);
            };
            const Json& topic = partOf(head, "top_topic");
            const Json group = stage == "1" ? partOf(head, "group") : Json(); // segments belong to no KV group
            table.add({partOf(head, "head").get<std::int64_t>(),
                       group.is_number() ? ResultTable::Cell(group.get<std::int64_t>()) : ResultTable::Cell("-"),
                       numberOf(head, "mean_norm"), numberOf(head, "spread"), numberOf(head, "selectivity_unbiased"),
                       bound("selectivity_unbiased", 0), bound("selectivity_unbiased", 1),
                       numberOf(null, "selectivity_unbiased"), numberOf(q, "selectivity_unbiased"),
                       numberOf(head, "match"), bound("match", 0), bound("match", 1), numberOf(null, "match"),
                       numberOf(q, "match"), numberOf(head, "follows_full"), bound("follows_full", 0),
                       bound("follows_full", 1), topic.is_string() ? topic.get<std::string>() : std::string("-"),
                       numberOf(q, "top_topic")});
        }
        table.moveTo(section);
        if (subject.topics)
            section.claims.push_back(fmt::format(
                "Stage {}: selectivity is told from shuffled labels for {} of {} (q < 0.05).", stage,
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
        TableMaker table("label-probe-stage" + stage,
                         fmt::format("Stage {}: the label told from one {}'s vectors by a linear probe, on documents "
                                     "that did not train it: means over {} splits, 95 % by the corrected resampled t; "
                                     "balanced: mean over the labels of the share that is told; chance: the larger of "
                                     "guessing and of always naming the commonest label; p: labels shuffled among the "
                                     "test documents, twice the median over the splits; q over the rows without the "
                                     "last, in which all stand one after another.",
                                     stage, unit, partOf(partOf(full, "splits"), "n").dump()),
                         {unit, "accuracy", "low", "high", "balanced", "chance", "p", "q"});
        const auto add = [&](const Json& row, const std::string& name) {
            const Json& ci95 = partOf(row, "ci95");
            table.add({name, numberOf(row, "accuracy"), boundOf(ci95, 0), boundOf(ci95, 1),
                       numberOf(row, "balanced_accuracy"), numberOf(answer, "chance"), numberOf(row, "p"),
                       numberOf(row, "q")});
        };
        for (const Json& row : heads)
            add(row, partOf(row, "head").dump());
        add(full, "all");
        table.moveTo(section);
        section.claims.push_back(fmt::format(
            "Stage {}: the label is told from the vectors of {} of {} {}s more often than shuffled labels are (q < "
            "0.05); chance {}. A label that a text carries is often told from any vector of it: a {} that tells it "
            "need not be about it, and {}s are not compared with each other.",
            stage, tellingRows(heads, [](const Json& row) { return numberOf(row, "q"); }), heads.size(), unit,
            shown(numberOf(answer, "chance")), unit, unit));
    }
}

void sayLayers(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    TableMaker table("layers-table",
                     "Probe (accuracy on its test documents, 95 % of Wilson over effective rows of these; at any stage "
                     "offsets alone may "
                     "make it large), topic purity and redundancy by layer and stage, 95 % of both by jackknife over "
                     "documents, which says how far they move with other ones; null and q of purity: labels shuffled "
                     "among these.",
                     {"layer", "stage", "accuracy", "low", "high", "test documents", "purity", "purity low",
                      "purity high", "purity null", "purity q", "redundancy", "redundancy low", "redundancy high"});
    for (const ReportPart* part : parts)
        for (const Json& row : partOf(*part->answer, "results"))
        {
            const Json& ci95 = partOf(row, "ci95");
            const Json& purity = partOf(row, "purity_ci95");
            const Json& redundancy = partOf(row, "redundancy_ci95");
            table.add({partOf(row, "layer").get<std::int64_t>(), stageOf(row), numberOf(row, "accuracy"),
                       boundOf(ci95, 0), boundOf(ci95, 1), countOf(row, "test_documents"), numberOf(row, "purity"),
                       boundOf(purity, 0), boundOf(purity, 1), numberOf(row, "purity_null_mean"),
                       numberOf(row, "purity_q"), numberOf(row, "redundancy"), boundOf(redundancy, 0),
                       boundOf(redundancy, 1)});
        }
    table.moveTo(section);
}

} // namespace headscope::cli
