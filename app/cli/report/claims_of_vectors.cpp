// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_claims.h"
#include "app/cli/report/report_numbers.h"
#include "app/results/trust_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/maps/chance_kept.h"
#include "model/data/results/probe_baseline_results.h"

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

// clang-format off
constexpr AnswerColumn kMaps[] = {{"stage", "stage", true}, {"points", "points"},
    {"10 nearest kept", "quality.knn10"}, {"chance", "chance"}, {"heads alone", "quality.knn10_within_heads"},
    {"noise floor", "noise_floor.kept"}, {"trustworthiness", "quality.trustworthiness"},
    {"tw. heads alone", "quality.trustworthiness_within_heads"}, {"continuity", "quality.continuity"},
    {"spearman", "quality.spearman"}, {"KL", "quality.kl_exact"}};
constexpr AnswerColumn kProbe[] = {{"stage", "stage", true}, {"accuracy", "accuracy"}, {"low", "ci95.0"},
    {"high", "ci95.1"}, {"chance", "chance"}, {"macro F1", "macro_f1"}, {"errors in group", "within_group.share"},
    {"their chance", "within_group.chance"}, {"p of the grouping", "within_group.p"}};
// clang-format on

} // namespace

void sayModel(ReportSection& section, const Parts&, const ReportSubject& subject)
{
    section.claims.push_back(
        subject.groups == subject.heads
            ? fmt::format("The model has {} attention heads a layer, each with keys and values of its own.",
                          subject.heads)
            : fmt::format(
                  "The model has {} query heads a layer that share {} key/value heads: {} query heads each read "
                  "the same keys and values.",
                  subject.heads, subject.groups, subject.heads / std::max<std::int64_t>(1, subject.groups)));
    section.claims.push_back(
        "Stage 1: outputs of the heads, before the output projection. Stage 2: the projection's output, cut into "
        "segments. Stage 3: the layer's output (of a decoder's last layer after the final norm), cut into segments. A "
        "segment is a range of coordinates; no head made "
        "it "
        "alone.");
    if (!subject.topics)
        section.claims.push_back(
            subject.label.empty()
                ? std::string(
                      "The documents have no column of labels to take topics from: similarity, match, heatmaps, "
                      "the table of retrieval and what is taken away are left out.")
                : fmt::format(
                      "The cache has no vectors of the topics of \"{}\" at this layer: similarity, match, heatmaps "
                      "and what is taken away are left out.",
                      subject.label));
}

void saySimilarity(ReportSection& section, const Parts& parts, const ReportSubject& subject)
{
    if (subject.isOtherLayer)
        return;
    for (const ReportPart* part : parts)
    {
        const Json& off = partOf(*part->answer, "off_diagonal");
        section.claims.push_back(
            fmt::format("Cosine of two different topics' vectors ({}): mean {}, sd {}, over {} pairs of {} topics.",
                        partOf(*part->answer, "full").is_string() ? partOf(*part->answer, "full").get<std::string>()
                                                                  : std::string("of this stage"),
                        shown(numberOf(off, "mean")), shown(numberOf(off, "sd")), partOf(off, "pairs").dump(),
                        partOf(*part->answer, "topics").size()));
    }
}

namespace
{

/// "; a map that only knows the heads: up to 0.052", where that was measured.
std::string onlyKnowing(const Json& quality, std::string_view key, std::string_view units, std::string_view atMost)
{
    const double value = numberOf(quality, key);
    return std::isfinite(value) ? fmt::format("; a map that only knows the {}: {}{}", units, atMost, shown(value))
                                : std::string();
}

/// What noise alone makes of the neighbours, without which no two maps can be compared.
std::string floorClaim(const Json& answer)
{
    const Json& floor = partOf(answer, "noise_floor");
    if (!floor.is_object())
        return fmt::format(
            "Noise floor: not measured; noise of 1e-4 alone may change half of the neighbours (headscope "
            "tsne --stage {} --noise-floor 3 measures it).",
            stageOf(answer));
    return fmt::format("Noise floor: maps of the same vectors with noise of {:g} keep {} of its neighbours ({} to {} "
                       "over {} of them); maps that keep as many of each other's do not differ by more than that.",
                       numberOf(floor, "noise"), shown(numberOf(floor, "kept")), shown(numberOf(floor, "kept_least")),
                       shown(numberOf(floor, "kept_most")), countOf(floor, "twins"));
}

} // namespace

void reportMaps(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    Json rows = Json::array();
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const Json& quality = partOf(answer, "quality");
        if (part->item.topic != ReportTopic::Map || !quality.is_object())
            continue;
        const auto points = partOf(answer, "points").get<std::int64_t>();
        const double chance = chanceKept(kTrustNeighbors, points);
        const std::string units = stageOf(answer) == "1" ? "heads" : "segments";
        section.claims.push_back(fmt::format(
            "The map of stage {} keeps {} of each point's 10 nearest neighbours in the data, mean over {} of its {} "
            "points (chance {}{}); trustworthiness {} (a random map: about 0.5{}). {}",
            stageOf(answer), shown(numberOf(quality, "knn10")),
            withCommas(partOf(quality, "sampled").get<std::int64_t>()), withCommas(points), shown(chance),
            onlyKnowing(quality, "knn10_within_heads", units, "up to "), shown(numberOf(quality, "trustworthiness")),
            onlyKnowing(quality, "trustworthiness_within_heads", units, ""), floorClaim(answer)));
        rows.push_back({{"stage", stageOf(answer)},
                        {"points", points},
                        {"chance", chance},
                        {"quality", quality},
                        {"noise_floor", partOf(answer, "noise_floor")}});
    }
    addTable(section, "maps",
             "What the maps keep: share of the 10 nearest neighbours, with its chance, what a map that only "
             "knows the head or segment of a point keeps at most, and what maps of the same vectors with "
             "noise of 1e-4 keep of it (the noise floor; -: not measured); trustworthiness, and that of a map "
             "that only knows heads; continuity, rank correlation of distances, and the divergence from exact "
             "neighbours.",
             rows, kMaps);
}

namespace
{

/// What a baseline of the probe is, at the beginning of a sentence.
std::string baselineText(const std::string& name)
{
    for (const auto& [known, text] : {std::pair("gaussian", "Gaussian noise with the same means and variances"),
                                      std::pair("random_cut", "The coordinates cut at random instead (one draw)"),
                                      std::pair("control_task", "Control task, arbitrary labels that can be learned")})
        if (name == known)
            return text;
    return name;
}

/// What the random cut says of an accuracy: without it a large one looks like a specialisation.
std::string randomCutWords(const Json& result)
{
    for (const Json& baseline : partOf(result, "baselines"))
        if (partOf(baseline, "name") == Json("random_cut"))
            return " That parts can be told apart does not show that they are specialised; accuracies of the same test "
                   "documents are not compared here.";
    return {};
}

/// The groupings that the true one was compared with.
std::string groupingsWords(const Json& group)
{
    return partOf(group, "exact") == Json(true) ? std::string("all") : std::string("10,000 drawn");
}

/// Of the errors of a probe those inside KV groups; a group without a share says nothing.
std::string groupClaim(const Json& group)
{
    return fmt::format("Of its {} errors {} stay inside the KV group; chance {}, the true grouping has rank {} of {} "
                       "groupings{}. {}",
                       partOf(group, "errors").dump(), withInterval(partOf(group, "share"), partOf(group, "ci95")),
                       shown(numberOf(group, "chance")), partOf(group, "rank").dump(),
                       partOf(group, "groupings").dump(), partOf(group, "exact") == Json(true) ? "" : " (drawn)",
                       kValuesNotMeasured);
}

} // namespace

void sayProbe(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    std::string groupings = "all groupings of the heads (10,000 drawn ones where there are more)";
    for (const ReportPart* part : parts)
        for (const Json& result : partOf(*part->answer, "results"))
            if (const Json& group = partOf(result, "within_group"); group.is_object())
                groupings = groupingsWords(group) + " groupings of the heads";
    Json rows = Json::array();
    for (const ReportPart* part : parts)
        for (const Json& result : partOf(*part->answer, "results"))
        {
            const Json& group = partOf(result, "within_group");
            std::string claim = fmt::format(
                "Stage {}: accuracy {} on {} vectors of documents that were not trained on; chance {}{}.",
                stageOf(result), withInterval(partOf(result, "accuracy"), partOf(result, "ci95")),
                withCommas(partOf(*part->answer, "test").get<std::int64_t>()), shown(numberOf(result, "chance")),
                testText(result, stageOf(result) == "1" ? "heads" : "segments"));
            for (const Json& baseline : partOf(result, "baselines"))
                if (partOf(baseline, "name") != Json("means_removed")) // chance by construction: no finding
                    claim += fmt::format(" {}: {}.", baselineText(partOf(baseline, "name").get<std::string>()),
                                         withInterval(partOf(baseline, "accuracy"), partOf(baseline, "ci95")));
            claim += randomCutWords(result);
            const Json& gap = partOf(result, "selectivity");
            if (gap.is_object() && std::isfinite(numberOf(gap, "value")))
                claim += fmt::format(" Control-task gap, the accuracy less that of the control task: {} ({}).",
                                     withInterval(partOf(gap, "value"), partOf(gap, "ci95")),
                                     std::isfinite(boundOf(partOf(gap, "ci95"), 0))
                                         ? "mean over draws of the task, the interval over them and the test documents"
                                         : "mean over draws of the task; no interval: fewer than ten test documents");
            section.claims.push_back(std::move(claim));
            if (group.is_object() && std::isfinite(numberOf(group, "share")))
                section.claims.push_back(groupClaim(group));
            rows.push_back(result);
        }
    addTable(section, "probe",
             "A linear probe that tells the head, or the slice, from one vector, on documents it was not "
             "trained on: accuracy with its 95 % interval, chance, and the share of its errors that stay "
             "inside the KV group, with p of this grouping among " +
                 groupings + ".",
             rows, kProbe);
}

} // namespace headscope::cli
