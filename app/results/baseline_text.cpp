// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/baseline_text.h"

#include "model/data/frame/frame_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/probe_frame.h"
#include "model/data/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

using enum Facet;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// clang-format off
constexpr Slot kWords[] = {{"split_mean", Value, "mean of the splits"}, {"split_sd", Value, "sd"},
    {"means_removed", Value, "means subtracted"}, {"gaussian"}, {"random_cut", Value, "random partition"},
    {"control_task"}, {"control_task_gap"}};
constexpr Slot kGroupWords[] = {{"in_group_share", Value, "share"}, {"in_group_rank", Value, "rank"},
    {"in_group_share_group_means_removed", Value, "group means subtracted"}};
// clang-format on

std::string between(const Interval& interval)
{
    return std::isfinite(interval.low) ? fmt::format("{:.4f} to {:.4f}", interval.low, interval.high) : "-";
}

/// Of a number that has an interval, as long as there are enough documents.
std::string whereTold(const Interval& interval)
{
    return std::isfinite(interval.low) ? between(interval) : "(no interval)";
}

std::string fixed(double value)
{
    return std::isfinite(value) ? fmt::format("{:.4f}", value) : "-";
}

bool anyBaselines(const std::vector<ProbeResult>& results)
{
    return std::any_of(results.begin(), results.end(), [](const ProbeResult& each) { return each.baselines; });
}

std::string stageCell(const ProbeResult& result)
{
    return result.stage ? fmt::format("{} ({}s)", stageName(*result.stage), unitName(*result.stage)) : "-";
}

void addRows(TextTable& table, const ProbeResult& result)
{
    const ProbeBaselines& all = *result.baselines;
    std::string layer = result.layer ? std::to_string(*result.layer) : "-";
    std::string stage = stageCell(result);
    const auto add = [&](const std::string& what, double accuracy, const std::string& interval) {
        table.add({std::exchange(layer, ""), std::exchange(stage, ""), what, fixed(accuracy), interval});
    };
    add("the probe", result.accuracy, between({result.ci95Low, result.ci95High}));
    if (const auto n = all.splits.accuracies.size(); n > 1)
        add(fmt::format("the probe, mean of {} splits", n), all.splits.mean, fmt::format("sd {:.4f}", all.splits.sd));
    add("chance", all.chance, "-");
    add(fmt::format("{} permuted within documents", probedUnits(result)), all.null.mean,
        fmt::format("p {:.4f}", all.null.p));
    for (const ProbeBaseline& each : all.baselines)
        add(std::string(baselineTitle(each.kind)), each.accuracy, hasInterval(each.kind) ? whereTold(each.ci95) : "-");
    add("control-task gap", all.selectivity, std::isfinite(all.selectivity) ? whereTold(all.selectivityCi95) : "-");
    if (all.controlDraws > 1)
        add(fmt::format("control task, {} replicates", all.controlDraws), kNone,
            fmt::format("sd {:.4f}", all.controlSd));
}

std::string groupsText(const std::vector<ProbeResult>& results)
{
    TextTable table({"layer", "errors in the KV group", "errors", "share", "95% interval", "chance", "rank", "p"});
    bool any = false;
    bool exact = true;
    bool rows = false;
    for (const ProbeResult& result : results)
    {
        if (!result.baselines || !result.baselines->groups)
            continue;
        any = true;
        rows = rows || result.options.split == ProbeSplit::Rows;
        std::string layer = std::to_string(result.layer.value_or(0));
        const auto add = [&](const char* what, const GroupErrors& groups, bool ranked) {
            exact = exact && (groups.exact || !ranked);
            table.add({std::exchange(layer, ""), what, std::to_string(groups.errors), fixed(groups.share),
                       between(groups.ci95), fixed(groups.chance),
                       ranked ? fmt::format("{} of {}", groups.rank, withCommas(groups.groupings)) : "-",
                       ranked ? fixed(groups.p) : "-"});
        };
        add("the probe", *result.baselines->groups, result.baselines->groups->errors > 0);
        if (result.baselines->groupsCentred)
            add("group means subtracted", *result.baselines->groupsCentred, false);
    }
    if (!any)
        return {};
    return fmt::format("\n{}\n{}p: the proportion of {} groupings of the heads into groups of these sizes that have at "
                       "least as many errors within groups.\n{}\n{}",
                       table.text(), columnWords(kProbesFrame, kGroupWords), exact ? "all" : "10,000 sampled",
                       kValuesNotMeasured,
                       rows ? "If training and test both contain vectors of the same document, the means of the test "
                              "vectors differ from the\nsubtracted means, and these values cannot be interpreted.\n"
                            : "");
}

/// What stands in the rows; a split by rows has rows of a document on both sides.
std::string wordsOfBaselines(const ProbeResult& first, std::int64_t permutations)
{
    const bool rows = first.options.split == ProbeSplit::Rows;
    return fmt::format(
        "{}Splits: each split tests different {}. The first split uses this seed, the others the seeds that "
        "follow.\nPermuted: the true heads (segments) of a document's {} are permuted with the predictions fixed ({} "
        "times, without refitting);\np: (1 + permutations with at least as many correct) / (1 + {}).\nControl task "
        "(adapted from Hewitt and Liang 2019): documents are split into as many clusters as there are heads. {} "
        "replicates;\nthe last row of each stage has the sd of the accuracies of the replicates. Intervals resample "
        "the test documents and include the variation\nbetween replicates (Student's t). With fewer than {} test "
        "documents there is no interval.\n{}",
        columnWords(kProbesFrame, kWords), rows ? "vectors" : "documents",
        rows ? "test vectors (the same number in each part)" : "vectors", permutations, permutations,
        first.baselines ? first.baselines->controlDraws : 0, kMinResampled,
        rows ? "If training and test both contain vectors of the same document, accuracy without means is near chance: "
               "only the offset of the\ntest vectors remains.\n"
             : "");
}

} // namespace

std::string baselinesText(const std::vector<ProbeResult>& results)
{
    if (!anyBaselines(results))
        return {};
    TextTable table({"layer", "stage", "compared with", "accuracy", "95% interval"});
    double seconds = 0;
    std::int64_t permutations = 0;
    for (const ProbeResult& result : results)
    {
        if (!result.baselines)
            continue;
        addRows(table, result);
        seconds += result.baselines->seconds;
        permutations = result.baselines->null.permutations;
    }
    return fmt::format("\n{}\n{}({:.1f} s)\n{}", table.text(), wordsOfBaselines(results.front(), permutations), seconds,
                       groupsText(results));
}

} // namespace headscope
