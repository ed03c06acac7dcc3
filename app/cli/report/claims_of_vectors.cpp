// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_claims.h"
#include "app/cli/report/report_numbers.h"
#include "app/results/trust_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/maps/chance_kept.h"
#include "model/data/results/probe_baseline_results.h"
#include "model/data/results/probe_frame.h"

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
constexpr Slot kMaps[] = {{"stage"}, {"points"}, {"knn10", Value, "10 nearest preserved"}, {"knn10", Chance, "chance"},
    {"knn10_within_heads", Value, "preserved by heads alone"}, {"noise_floor"}, {"trustworthiness"},
    {"trustworthiness_within_heads", Value, "trustworthiness of heads alone"}, {"continuity"}, {"spearman"},
    {"kl_exact", Value, "KL"}};
constexpr Slot kProbe[] = {{"stage"}, {"accuracy"}, {"accuracy", Low, "low"}, {"accuracy", High, "high"},
    {"accuracy", Chance, "chance"}, {"macro_f1", Value, "macro F1"}, {"in_group_share", Value, "errors in group"},
    {"in_group_share", Chance, "their chance"}, {"in_group_share", P, "p of the grouping"}};
// clang-format on
constexpr FrameInfo kMapsTable = {.key = "maps", .columns = {}, .file = kMaps};
constexpr FrameInfo kProbeTable = {.key = "probe", .columns = {}, .file = kProbe};

} // namespace

void sayModel(ReportSection& section, const Parts&, const ReportSubject& subject)
{
    section.claims.push_back(
        subject.groups == subject.heads
            ? fmt::format("The model has {} attention heads per layer, each with its own KV head (MHA).", subject.heads)
            : fmt::format("The model has {} query heads per layer that share {} KV heads: each KV head serves {} query "
                          "heads.",
                          subject.heads, subject.groups, subject.heads / std::max<std::int64_t>(1, subject.groups)));
    if (!subject.changed.empty())
        section.claims.push_back(fmt::format(
            "The model was changed for this cache: {}. All numbers are of the changed model.", subject.changed));
    section.claims.push_back(
        "Stage 1: outputs of the heads, before the output projection. Stage 2: the output of the projection, split "
        "into segments. Stage 3: the output of the layer (of a decoder's last layer after the final norm), split into "
        "segments. A segment is a range of coordinates, not the output of a head.");
    if (!subject.topics)
        section.claims.push_back(subject.label.empty()
                                     ? std::string("The documents have no label column for topics: similarity, match, "
                                                   "heatmaps, the retrieval table and removal of heads are omitted.")
                                     : fmt::format("The cache has no vectors of the topics of \"{}\" at this layer: "
                                                   "similarity, match, heatmaps and removal of heads are omitted.",
                                                   subject.label));
}

void saySimilarity(ReportSection& section, const Parts& parts, const ReportSubject& subject)
{
    if (subject.isOtherLayer)
        return;
    for (const ReportPart* part : parts)
    {
        const Json& off = partOf(*part->answer, "off_diagonal");
        section.claims.push_back(fmt::format(
            "Cosine of the vectors of two different topics ({}): mean {}, sd {}, over {} pairs of {} topics.",
            textOf(*part->answer, "full"), shown(numberOf(off, "mean")), shown(numberOf(off, "sd")),
            partOf(off, "pairs").dump(), partOf(*part->answer, "topics").size()));
    }
}

namespace
{

/// "; a map that only knows the heads: up to 0.052", where that was measured.
std::string onlyKnowing(const Json& quality, std::string_view key, std::string_view units, std::string_view atMost)
{
    const double value = numberIfThere(quality, key);
    return std::isfinite(value) ? fmt::format("; a map that only separates the {}: {}{}", units, atMost, shown(value))
                                : std::string();
}

/// What noise alone makes of the neighbours, without which no two maps can be compared.
std::string floorClaim(const Json& answer)
{
    const Json& floor = partIfThere(answer, "noise_floor");
    if (!floor.is_object())
        return fmt::format(
            "Noise floor: not measured; noise of 1e-4 alone may change half of the neighbours (headscope "
            "tsne --stage {} --noise-floor 3 measures it).",
            stageOf(answer));
    return fmt::format("Noise floor: maps of the same vectors with noise of {:g} share {} of their neighbours with "
                       "this map ({} to {} over {} such maps). Two maps that share this proportion of neighbours "
                       "differ no more than this map does from its noise replicates.",
                       numberOf(floor, "noise"), shown(numberOf(floor, "kept")), shown(numberOf(floor, "kept_least")),
                       shown(numberOf(floor, "kept_most")), countOf(floor, "twins"));
}

} // namespace

void reportMaps(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    Json qualities = Json::array();
    Column::Texts stages;
    Column::Wholes points;
    Column::Reals chances;
    Column::Reals floors;
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const Json& quality = partIfThere(answer, "quality");
        if (part->item.topic != ReportTopic::Map || !quality.is_object())
            continue;
        stages.push_back(stageOf(answer));
        points.push_back(countOf(answer, "points"));
        chances.push_back(chanceKept(kTrustNeighbors, points.back()));
        const Json& floor = partIfThere(answer, "noise_floor");
        floors.push_back(floor.is_object() ? numberOf(floor, "kept") : kNoNumber);
        qualities.push_back(quality);
        const std::string units = stages.back() == "1" ? "heads" : "segments";
        section.claims.push_back(fmt::format(
            "The map of stage {} preserves {} of each point's 10 nearest neighbours in the data, averaged over {} of "
            "its {} points (chance {}{}); trustworthiness {} (a random map: about 0.5{}). {}",
            stages.back(), shown(numberOf(quality, "knn10")), withCommas(countOf(quality, "sampled")),
            withCommas(points.back()), shown(chances.back()),
            onlyKnowing(quality, "knn10_within_heads", units, "up to "), shown(numberOf(quality, "trustworthiness")),
            onlyKnowing(quality, "trustworthiness_within_heads", units, ""), floorClaim(answer)));
    }
    Frame maps = frameOf(qualities, kTrustFrame);
    if (maps.rows() == 0)
        return;
    maps.add("stage", std::move(stages));
    maps.add("points", std::move(points));
    maps.add("noise_floor", std::move(floors));
    maps.find("knn10")->set(Chance, std::move(chances));
    addTable(section, "maps",
             "Quality of the maps. 10 nearest preserved: proportion of the 10 nearest neighbours that the map "
             "preserves, with chance and the maximum for a map that only separates heads or segments. Noise floor: the "
             "same proportion for maps of the same vectors with noise of 1e-4 (-: not measured). Further columns: "
             "trustworthiness, also for a map that only separates heads; continuity, rank correlation of distances, "
             "and divergence from exact neighbours.",
             std::move(maps), kMapsTable);
}

namespace
{

/// What a baseline of the probe is, at the beginning of a sentence.
std::string baselineText(const std::string& name)
{
    for (const auto& [known, text] : {std::pair("gaussian", "Gaussian noise with the same means and variances"),
                                      std::pair("random_cut", "Random partition of the dimensions (one sample)"),
                                      std::pair("control_task", "Accuracy on arbitrary labels")})
        if (name == known)
            return text;
    return name;
}

/// What the random cut says of an accuracy: without it a large one looks like a specialisation.
std::string randomCutWords(const Json& result)
{
    for (const Json& baseline : partIfThere(result, "baselines"))
        if (partOf(baseline, "name") == Json("random_cut"))
            return " Distinguishable parts need not be specialised; accuracies on the same test documents are not "
                   "compared here.";
    return {};
}

/// The groupings that the true one was compared with.
std::string groupingsWords(const Json& group)
{
    return partOf(group, "exact") == Json(true) ? std::string("all") : std::string("10,000 sampled");
}

/// Of the errors of a probe those inside KV groups; a group without a share says nothing.
std::string groupClaim(const Json& group)
{
    return fmt::format(
        "Of the probe's {} errors, {} are within the KV group (chance {}). The true grouping has rank {} of {} "
        "groupings{}: p {:.2g}; the smallest possible p is {:.2g}. {}",
        partOf(group, "errors").dump(), withInterval(numberOf(group, "share"), intervalOf(partOf(group, "ci95"))),
        shown(numberOf(group, "chance")), partOf(group, "rank").dump(), partOf(group, "groupings").dump(),
        partOf(group, "exact") == Json(true) ? "" : " (sampled)", numberOf(group, "p"),
        1 / static_cast<double>(std::max<std::int64_t>(1, countOf(group, "groupings"))), kValuesNotMeasured);
}

/// The accuracies of probes, and which of their errors stay inside KV groups.
Frame probesOf(const std::vector<const Json*>& results)
{
    const auto number = [](std::string_view key) { return [key](const Json* of) { return numberOf(*of, key); }; };
    const auto ofGroup = [](std::string_view key) {
        return [key](const Json* of) {
            const Json& group = partIfThere(*of, "within_group");
            return group.is_object() ? numberOf(group, key) : kNoNumber;
        };
    };
    const auto of = [&results](auto projection) { return columnValues(results, projection); };
    Frame frame(kProbesFrame);
    frame.add("stage", of([](const Json* each) { return stageOf(*each); }));
    frame.add("accuracy", of(number("accuracy")))
        .interval(of([](const Json* each) { return intervalOf(partOf(*each, "ci95")); }))
        .set(Chance, of(number("chance")));
    frame.add("macro_f1", of(number("macro_f1")));
    frame.add("in_group_share", of(ofGroup("share"))).set(Chance, of(ofGroup("chance"))).set(P, of(ofGroup("p")));
    return frame;
}

} // namespace

void sayProbe(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    std::string groupings = "all groupings of the heads (10,000 sampled if there are more)";
    for (const ReportPart* part : parts)
        for (const Json& result : partOf(*part->answer, "results"))
            if (const Json& group = partIfThere(result, "within_group"); group.is_object())
                groupings = groupingsWords(group) + " groupings of the heads";
    std::vector<const Json*> results;
    for (const ReportPart* part : parts)
        for (const Json& result : partOf(*part->answer, "results"))
        {
            const Json& group = partIfThere(result, "within_group");
            std::string claim =
                fmt::format("Stage {}: accuracy {} on {} vectors of held-out documents; chance {}{}.", stageOf(result),
                            withInterval(numberOf(result, "accuracy"), intervalOf(partOf(result, "ci95"))),
                            withCommas(countOf(*part->answer, "test")), shown(numberOf(result, "chance")),
                            testText(result, stageOf(result) == "1" ? "heads" : "segments"));
            for (const Json& baseline : partIfThere(result, "baselines"))
                if (partOf(baseline, "name") != Json("means_removed")) // chance by construction: no finding
                    claim +=
                        fmt::format(" {}: {} (chance {}).", baselineText(textOf(baseline, "name")),
                                    withInterval(numberOf(baseline, "accuracy"), intervalOf(partOf(baseline, "ci95"))),
                                    shown(numberOf(result, "chance")));
            claim += randomCutWords(result);
            const Json& gap = partIfThere(result, "selectivity");
            if (gap.is_object() && std::isfinite(numberOf(gap, "value")))
                claim += fmt::format(
                    " Control-task gap, accuracy minus control-task accuracy: {} ({}).",
                    withInterval(numberOf(gap, "value"), intervalOf(partOf(gap, "ci95"))),
                    std::isfinite(intervalOf(partOf(gap, "ci95")).low)
                        ? "mean over replicates of the task, the interval over replicates and test documents"
                        : "mean over replicates of the task; no interval: fewer than ten test documents");
            section.claims.push_back(std::move(claim));
            if (group.is_object() && std::isfinite(numberOf(group, "share")))
                section.claims.push_back(groupClaim(group));
            results.push_back(&result);
        }
    addTable(section, "probe",
             "A linear probe that predicts the head (or segment) of a vector on held-out documents: accuracy with its "
             "95% interval, chance, and the proportion of the errors that stay within the KV group. p compares the "
             "true grouping with " +
                 groupings + ".",
             probesOf(results), kProbeTable);
}

} // namespace headscope::cli
