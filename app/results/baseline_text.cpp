// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/baseline_text.h"

#include "model/data/results/probe_frame.h"
#include "model/data/frame/text_table.h"
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

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
std::string between(const Interval& interval)
{
    return std::isfinite(interval.low) ? fmt::format("{:.4f} to {:.4f}", interval.low, interval.high) : "-";
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
        add(std::string(baselineTitle(each.kind)), each.accuracy, hasInterval(each.kind) ? between(each.ci95) : "-");
    add("control-task gap", all.selectivity, between(all.selectivityCi95));
    if (all.controlDraws > 1)
        add(fmt::format("control task, its {} draws", all.controlDraws), kNone,
            fmt::format("sd {:.4f}", all.controlSd));
}

std::string groupsText(const std::vector<ProbeResult>& results)
{
    TextTable table({"layer", "errors in the KV group", "errors", "share", "95 % interval", "chance", "rank", "p"});
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
            add("group means removed", *result.baselines->groupsCentred, false);
    }
    if (!any)
        return {};
    return fmt::format(
        "\n{}\nShare: of the errors, those that name another head of the same KV group. Chance: errors spread evenly "
        "over the\nother heads. Rank: among {} groupings of the heads into groups of these sizes, 1 where none holds "
        "more errors;\np: the share of them that hold at least as many.\n{}\nGroup means removed: the same probe after "
        "each "
        "group's mean vector\n(training documents) was taken away, on the first split alone. What is left of a group's "
        "heads then sums to zero{}\n",
        table.text(), exact ? "all" : "10,000 drawn", kValuesNotMeasured,
        rows ? " over the training rows; with rows of a document on both sides\nthe test rows' means differ from it, "
               "and nothing is said by this number."
             : ", which pushes them\napart: less than chance is expected, and no rank given; a share "
               "that stays above it does not come from a common offset.");
}

/// What stands in the rows; a split by rows has rows of a document on both sides.
std::string wordsOfBaselines(const ProbeResult& first, std::int64_t permutations)
{
    const bool rows = first.options.split == ProbeSplit::Rows;
    return fmt::format(
        "Splits: other {0} test, this split and those of the next seeds; sd of the accuracies, not of their mean. "
        "Permuted: the true "
        "heads (segments)\nof a document's {1} change places, the predictions stay ({2} times, no refits); p: (1 + "
        "those with at "
        "least as many "
        "right) / (1 + {2}).\nMeans removed: each head's mean vector (training {0}) is taken away. {3} Gaussian: "
        "independent "
        "noise with the mean and variance\nof every coordinate of the head. Random cut: all coordinates of a document "
        "permuted once and cut into equal parts\n(one draw): that parts drawn by chance can be told, too, says that "
        "telling heads does not show that they are specialised. Control task (after Hewitt and Liang\n2019, adapted): "
        "documents in as many clusters as "
        "heads, and in each cluster the heads' "
        "names permuted: arbitrary, but learnable. Control-task gap: accuracy\nless that of the control task. Both are "
        "means over {4} draws of clusters and names (sd of their accuracies in the last row of each stage); intervals "
        "by\nresampling test "
        "documents, wider by what the draws differ (Student's t). ",
        rows ? "rows" : "documents", rows ? "test rows, as many as stand on that side," : "rows", permutations,
        rows ? "With rows of a document on both\nsides that is near chance: a linear probe needs differences of means, "
               "and what is left of them is that of the test rows."
             : "With every document's\nrows on one side that is chance by construction, so that it has no interval: a "
               "linear probe needs differences of means.",
        first.baselines ? first.baselines->controlDraws : 0);
}

} // namespace

std::string baselinesText(const std::vector<ProbeResult>& results)
{
    if (!anyBaselines(results))
        return {};
    TextTable table({"layer", "stage", "compared with", "accuracy", "95 % interval"});
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
