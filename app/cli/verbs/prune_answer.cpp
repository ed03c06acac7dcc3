// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/prune_answer.h"

#include "app/frames/frame_json.h"
#include "model/analysis/heads/pruning.h"
#include "model/analysis/heads/savings.h"
#include "model/analysis/statistics/intervals.h"
#include "model/base/text/fixed_text.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/text_table.h"
#include "model/data/key_sharing.h"
#include "model/data/results/prune_frame.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

namespace headscope::cli
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kHalvesMethod = "2.5 and 97.5% quantiles over halvings of the documents";
constexpr std::string_view kTooGood =
    "Value: optimistically biased, because it was selected on these documents; no interval accounts for that.";
constexpr int kSignFlips = 9999;

std::string intervalText(const Interval& interval)
{
    return std::isfinite(interval.low)
               ? fmt::format("[{}, {}]", fixedText(interval.low, 4), fixedText(interval.high, 4))
               : "-";
}

/// @param ofDocuments  which count or do not: Wilson's; else a line below says what it is
std::string baselineInterval(const Pruned& pruned, bool isCertain, bool ofDocuments)
{
    if (isCertain)
        return "(nothing to test)";
    return std::isfinite(pruned.baselineCi95.low)
               ? fmt::format("{} (95%{})", intervalText(pruned.baselineCi95), ofDocuments ? ", Wilson" : "")
               : fmt::format("(no interval: fewer than {} queries find anything)", kMinChanged);
}

/// Whether single removals have a p: not where the documents find each other.
bool isTested(const PruneMeasure& measured)
{
    return !measured.measure->findsItself();
}

bool tooFewChanged(const PairedDifference& difference)
{
    return difference.changed < kMinChanged;
}

/// The gain of the size that a step leaves; null: there is none.
const HeldOutGain* heldOutAfter(const Pruned& pruned, const PruningStep& step)
{
    const std::int64_t kept = std::ssize(pruned.validation.byKept) - step.removed;
    if (!pruned.differences.empty() || pruned.validation.isEmpty() || kept < 1)
        return nullptr;
    return &pruned.validation.byKept[static_cast<std::size_t>(kept - 1)];
}

/// A row for each step but the starting point.
Frame stepsFrame(const Pruned& pruned, bool adds, std::string_view method = {})
{
    std::vector<PruningStep> steps = pruned.steps;
    std::erase_if(steps, [](const PruningStep& step) { return step.unit < 0; });
    std::vector<HeldOutGain> gains;
    for (const PruningStep& step : steps)
        if (const HeldOutGain* gain = heldOutAfter(pruned, step))
            gains.push_back(*gain);
    return removalsFrame(kPruneFrame, {steps, pruned.baseline, pruned.differences, std::move(gains)},
                         adds ? "added" : "removed", method);
}

/// For people: what single removals have no test for says so.
std::string stepsText(const Pruned& pruned, bool adds, bool tested)
{
    Frame frame = stepsFrame(pruned, adds);
    if (Column* change = frame.find("change"); change->has(Facet::Range))
    {
        change->noTest = "no test";
        for (const Facet facet : {Facet::P, Facet::Q})
            if (!tested)
                change->numbers(facet).clear();
    }
    return frameText(frame);
}

Node validationNode(const Pruned& pruned)
{
    const PruningValidation& validation = pruned.validation;
    if (validation.isEmpty())
        return {};
    Members members = heldOutResult(validation.best);
    members.insert(
        members.end(),
        {{"halvings", validation.halvings},
         {"documents", validation.documents},
         {"seed", pruned.seed},
         {"range95_method", kHalvesMethod},
         {"fewest", heldOutResult(validation.fewest)},
         {"by_kept", listNode(validation.byKept, [](const HeldOutGain& gain) { return Node(heldOutResult(gain)); })}});
    return members;
}

Node bestNode(const Pruned& pruned)
{
    return listNode(pruned.best, [](const BestSubset& best) {
        Members members = {{"kept", best.units.size()},
                           {"units", listNode(best.units, [](std::int64_t unit) { return unit + 1; })},
                           {"value", best.value}};
        if (best.held)
            members.emplace_back("validated", heldOutResult(*best.held));
        return Node(std::move(members));
    });
}

/// What the columns of savings say, and what they cannot say of this stage and model.
std::string savingsText(const commands::PruneCommand& command, const ModelInfo& model, Stage stage,
                        const Pruned& pruned)
{
    std::string text;
    const auto saves = [&](const std::optional<std::int64_t> PruningStep::*count) {
        return !pruned.steps.empty() && (pruned.steps.back().*count).has_value();
    };
    if (saves(&PruningStep::parametersSaved))
        text += "Saved in this layer if the heads were removed from the model: parameters of the attention";
    if (saves(&PruningStep::kvBytesSaved))
        text += ", bytes of the KV cache per token at 2 bytes per value";
    if (!text.empty())
        text += ".\n";
    if (const std::string note = savingsNote(model, stage); !note.empty())
        text += note + "\n";
    if (unitName(stage) == "head" && keepsCache(model) && command.units == "heads")
    {
        if (keySharing(model) == KeySharing::Groups)
            text +=
                fmt::format("Removing a single head does not shrink the KV cache: {} query heads share one KV head.\n",
                            model.groupSize());
        if (keySharing(model) == KeySharing::One)
            text += "Removing a single head does not shrink the KV cache: all heads share the same keys and values.\n";
    }
    text += fmt::format("Front: no other step is at least as good in both value and {} and better in one of them "
                        "(Pareto front; intervals are not used).\n",
                        saves(&PruningStep::parametersSaved) ? "savings" : "number removed");
    return text;
}

/// The sizes of an order that has no row for each in the table.
std::string sizesText(const Pruned& pruned, std::string_view units)
{
    const auto& sizes = pruned.validation.byKept;
    const Frame frame =
        keptSizesFrame(columnValues(sizes, [](const HeldOutGain& gain) { return std::llround(gain.kept); }),
                       std::vector<std::optional<HeldOutGain>>(sizes.begin(), sizes.end()));
    return fmt::format("\nSeveral {} removed together, those with the smallest loss first:\n{}", units,
                       frameText(frame));
}

std::string validationText(const Pruned& pruned, const PruneMeasure& measured, std::string_view units)
{
    if (measured.isCertain)
        return {};
    const PruningValidation& validation = pruned.validation;
    if (validation.isEmpty() && !pruned.differences.empty())
        return {}; // each alone is no choice
    if (validation.isEmpty())
        return "The value of an order that was selected on these documents is optimistically biased. --validate halves "
               "measures the bias (at least 2 documents).\n";
    std::string text = pruned.differences.empty() ? std::string() : sizesText(pruned, units) + "\n";
    text += fmt::format("The number of {} to keep was selected on one half of the documents ({:.1f} on average). "
                        "Keeping this number changes the value by {}.\n",
                        units, validation.best.kept, heldOutText(validation.best));
    text += fmt::format("Keeping the fewest {0} that score at least as high as all {0} on the selection half ({1:.1f} "
                        "on average) changes the value by {2}.\n",
                        units, validation.fewest.kept, heldOutText(validation.fewest));
    text += fmt::format(
        "Chosen (selection half), elsewhere (held-out half): change relative to all {}, with the same number of units "
        "removed. The order is recomputed on the selection half, where it may differ, and is evaluated on the other "
        "half of the {} {}. Means over {} halvings (seed {}). Brackets: 2.5 and 97.5% quantiles of the halvings, not a "
        "confidence interval. An order found on half of the documents uses less data; value and change of the steps "
        "above use all documents, on which the order was also selected.\n",
        units, withCommas(validation.documents), measured.scored, validation.halvings, pruned.seed);
    return text;
}

std::string differencesText(const Pruned& pruned, const PruneMeasure& measured, std::string_view units)
{
    const bool few = std::any_of(pruned.differences.begin(), pruned.differences.end(), tooFewChanged);
    const std::string method =
        measured.measure->findsItself()
            ? std::string("jackknife over the documents, each left out as query and as result")
            : fmt::format("bootstrap over {} {} (1,000 resamples, the same with and without the unit, seed {})",
                          withCommas(measured.measure->scored()), measured.scored, pruned.seed);
    const std::string intervals =
        fmt::format("95% of change: {}{}. ", method,
                    few ? fmt::format("; -: fewer than {} {} changed", kMinChanged, measured.scored) : "");
    if (!isTested(measured))
        return intervals + "No p: the searched documents are the queries. One document changes the scores of many "
                           "queries, so sign flips of single queries would report differences that do not exist.\n";
    return intervals +
           fmt::format("p: values with and without the unit exchanged at random, {} by {} ({} sign flips); q: p after "
                       "Benjamini-Hochberg over the {} {} with a p.\nChanged: {} whose score changes. With fewer than "
                       "{} changes, p cannot fall below 0.05 and there is no test. With few changes, the test has "
                       "little power, and a p near 1 does not rule out a loss.\n",
                       measured.unit, measured.unit, withCommas(kSignFlips),
                       std::ranges::count_if(pruned.differences, [](const auto& one) { return std::isfinite(one.p); }),
                       units, measured.scored, kMinTested);
}

/// Of the order that takes as many units away; NaN: it has none of this size.
double valueOfOrder(const Pruned& pruned, const BestSubset& best)
{
    for (const PruningStep& step : pruned.steps)
        if (std::ssize(pruned.best) - step.removed == std::ssize(best.units))
            return step.value;
    return kNaN;
}

Frame bestFrame(const Pruned& pruned)
{
    const auto of = [&pruned](auto projection) { return columnValues(pruned.best, projection); };
    std::vector<std::optional<HeldOutGain>> gains;
    for (const BestSubset& best : pruned.best)
        gains.push_back(best.held);
    Frame frame = keptSizesFrame(of([](const BestSubset& best) { return best.units.size(); }), gains);
    frame.add("best_of_all_subsets", of([](const BestSubset& best) {
                  return fmt::format("{}",
                                     fmt::join(columnValues(best.units, [](auto unit) { return unit + 1; }), ","));
              }));
    frame.add("value", of(&BestSubset::value));
    if (pruned.differences.empty()) // units taken away alone are no order
        frame.add("of_the_order", of([&pruned](const BestSubset& best) { return valueOfOrder(pruned, best); }));
    return frame;
}

std::string bestText(const Pruned& pruned, std::string_view units)
{
    if (pruned.best.empty())
        return {};
    std::string text = fmt::format(
        "\nThe best of all {} subsets of {}, by size. {}\nThe change is relative to all {}. Chosen (selection half): "
        "on the half where the best subset of each size was found. Elsewhere (held-out half): on the other half.\n{}",
        withCommas((std::int64_t{1} << pruned.best.size()) - 1), units, kTooGood, units, frameText(bestFrame(pruned)));
    if (!pruned.bestSize)
        return text;
    text += fmt::format("These rows do not evaluate the choice of the best size. Best subset over all sizes, with "
                        "subset and size selected on one half ({:.1f} {} on average): {}.\n",
                        pruned.bestSize->kept, units, heldOutText(*pruned.bestSize));
    return text + fmt::format("Smallest subset whose value on the selection half is at least the value of all {0} "
                              "({1:.1f} {0} on average): {2}.\n",
                              units, pruned.fewestUnits->kept, heldOutText(*pruned.fewestUnits));
}

} // namespace

std::string heldOutText(const HeldOutGain& gain)
{
    return fmt::format("{} {} on the selection half, {} {} on the held-out half", signedText(gain.chosen, 4),
                       intervalText(gain.chosenCi95), signedText(gain.elsewhere, 4), intervalText(gain.elsewhereCi95));
}

Frame pruneFrame(const Pruned& pruned, bool adds)
{
    return stepsFrame(pruned, adds);
}

namespace
{

/// All that is measured, without notices and text.
Members answerResult(const Pruned& pruned, const PruneMeasure& measured, const commands::PruneCommand& command,
                     const ModelInfo& model)
{
    const bool ofDocuments = measured.measure->fullScore() == 1; // and not of queries
    const std::string_view method = measured.measure->findsItself() ? kJackknife
                                    : ofDocuments                   ? kBootstrap
                                                                    : kQueryBootstrap;
    Members members = {{"units", command.units},
                       {"measure", command.measure},
                       {"measure_name", measured.name},
                       {"order", command.order},
                       {"documents", measured.measure->scored()},
                       {"scored", measured.scored},
                       {"baseline", pruned.baseline},
                       {"baseline_ci95", pruned.baselineCi95},
                       {"baseline_ci95_method", ofDocuments ? kWilson : method},
                       {"chance", measured.chance ? Node(*measured.chance) : Node()},
                       {"group_size", model.groupSize()},
                       {"seconds", pruned.seconds},
                       {"steps", stepsFrame(pruned, command.order == "forward", method)}};
    const auto add = [&members](Members more) { std::ranges::move(more, std::back_inserter(members)); };
    if (measured.null)
        add({{"baseline_p", measured.null->p},
             {"baseline_null", kLabelsPermuted},
             {"baseline_null_mean", measured.null->mean},
             {"baseline_permutations", measured.null->permutations}});
    if (measured.majority)
        add({{"majority", *measured.majority}});
    if (measured.guessing)
        add({{"guessing", *measured.guessing}, {"split", measured.split}});
    if (measured.leftOut)
        add({{"left_out", Members{{"documents", measured.leftOut->first.members()},
                                  {"queries", measured.leftOut->second.members()}}}});
    if (!pruned.differences.empty() && isTested(measured))
        add({{"permutations", kSignFlips}});
    add({{"validated", validationNode(pruned)}});
    if (!pruned.best.empty())
        add({{"best", bestNode(pruned)}});
    if (pruned.bestSize)
    {
        Members best = heldOutResult(*pruned.bestSize);
        best.insert(best.end(), {{"fewest", heldOutResult(*pruned.fewestUnits)}, {"range95_method", kHalvesMethod}});
        add({{"best_validated", std::move(best)}});
    }
    if (const std::string note = savingsNote(model, measured.vectors->stage()); !note.empty())
        add({{"savings_note", note}});
    return members;
}

/// What is measured, the table, and what its columns are.
std::string answerText(const Pruned& pruned, const PruneMeasure& measured, const commands::PruneCommand& command,
                       const ModelInfo& model)
{
    const Stage stage = measured.vectors->stage();
    const std::string units =
        command.units == "groups" ? std::string("KV groups") : fmt::format("{}s", unitName(stage));
    std::string text = fmt::format("{}; {}; {} with all {}s: {:.4f} {}", headingOf(*measured.vectors), measured.of,
                                   measured.name, unitName(stage), pruned.baseline,
                                   baselineInterval(pruned, measured.isCertain, measured.measure->fullScore() == 1));
    if (measured.chance)
        text += fmt::format(", chance ({}): {:.4f}", measured.chanceMeans, *measured.chance);
    if (measured.null)
        text += fmt::format("; labels permuted among the documents {2} times: {0:.4f} on average, p {1:.4f}",
                            measured.null->mean, measured.null->p, withCommas(measured.null->permutations));
    text += "\n" + measured.presence;
    text += "\n" + stepsText(pruned, command.order == "forward", isTested(measured)) + "\n";
    text +=
        fmt::format("Value: {0} of the concatenated vectors of the remaining {1}. Change: this value minus the value "
                    "with all {1}. The model is not run without a head: effects on later layers are not included.\n",
                    measured.name, units);
    if (!measured.split.empty())
        text += fmt::format("All values are from {}: another seed selects other test documents; label-probe gives the "
                            "mean over several splits. Interval of the value with all {}: Wilson's over the {}.\n",
                            measured.split, units, measured.scored);
    if (measured.measure->fullScore() != 1 && std::isfinite(pruned.baselineCi95.low))
        text += fmt::format("Interval of the value with all {}: {}.\n", units,
                            measured.measure->findsItself()
                                ? "jackknife over the documents, each left out as query and as result"
                                : "bootstrap over the queries, with the documents fixed");
    if (!pruned.differences.empty())
        text += differencesText(pruned, measured, units);
    text += validationText(pruned, measured, units);
    text += savingsText(command, model, stage, pruned);
    return text + bestText(pruned, units);
}

} // namespace

Answer pruneAnswer(const Pruned& pruned, const PruneMeasure& measured, const commands::PruneCommand& command,
                   const ModelInfo& model)
{
    Answer answer;
    addMembers(*answer.json, answerResult(pruned, measured, command, model));
    answer.notices = measured.notices;
    answer.text = answerText(shownOf(pruned, measured), measured, command, model);
    return answer;
}

} // namespace headscope::cli
