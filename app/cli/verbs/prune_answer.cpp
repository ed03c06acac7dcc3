// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/prune_answer.h"

#include "model/analysis/heads/pruning.h"
#include "model/analysis/heads/savings.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/data/frame/text_table.h"
#include "model/data/key_sharing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::cli
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kHalvesMethod = "2.5 and 97.5 % quantiles over halvings of the documents";
constexpr std::string_view kTooGood = "Value: too good, chosen on these documents; no interval holds that.";
constexpr int kSignFlips = 9999;

std::string intervalText(const Interval& interval)
{
    return std::isfinite(interval.low) ? fmt::format("[{:.4f}, {:.4f}]", interval.low, interval.high) : "-";
}

/// @param ofDocuments  which count or do not: Wilson's; else a line below says what it is
std::string baselineInterval(const Pruned& pruned, bool isCertain, bool ofDocuments)
{
    if (isCertain)
        return "(nothing to test)";
    return std::isfinite(pruned.baselineCi95.low)
               ? fmt::format("{} (95 %{})", intervalText(pruned.baselineCi95), ofDocuments ? ", Wilson" : "")
               : fmt::format("(no interval: fewer than {} queries find anything)", kFewestChanged);
}

/// Whether single removals have a p: not where the documents find each other.
bool isTested(const PruneMeasure& measured)
{
    return !measured.measure->findsItself();
}

bool tooFewChanged(const PairedDifference& difference)
{
    return difference.changed < kFewestChanged;
}

Json numberJson(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

Json intervalJson(const Interval& interval)
{
    return std::isfinite(interval.low) ? Json{numberJson(interval.low), numberJson(interval.high)} : Json();
}

Json countJson(const std::optional<std::int64_t>& count)
{
    return count ? Json(*count) : Json();
}

/// A count, or what tables write where there is none.
ResultTable::Cell countCell(const std::optional<std::int64_t>& count)
{
    return count ? ResultTable::Cell(*count) : ResultTable::Cell(kNaN);
}

/// The gain of the size that a step leaves; null: there is none.
const HeldOutGain* heldOutAfter(const Pruned& pruned, const PruningStep& step)
{
    const std::int64_t kept = std::ssize(pruned.validation.byKept) - step.removed;
    if (!pruned.differences.empty() || pruned.validation.isEmpty() || kept < 1)
        return nullptr;
    return &pruned.validation.byKept[static_cast<std::size_t>(kept - 1)];
}

/// The steps without the starting point, with the place of each among the single removals.
std::vector<std::pair<const PruningStep*, std::size_t>> stepsOf(const Pruned& pruned)
{
    std::vector<std::pair<const PruningStep*, std::size_t>> steps;
    for (const PruningStep& step : pruned.steps)
        if (step.unit >= 0)
            steps.emplace_back(&step, steps.size());
    return steps;
}

/// For people: intervals in one cell.
ResultTable shownTable(const Pruned& pruned, bool adds, bool tested)
{
    const bool single = !pruned.differences.empty();
    const bool validated = !single && !pruned.validation.isEmpty();
    std::vector<std::string> header = {adds ? "added" : "removed", "value", "change"};
    if (single)
        header.insert(header.end(), {"95 % of change", "changed"});
    if (single && tested)
        header.insert(header.end(), {"p", "q"});
    if (validated)
        header.insert(header.end(), {"as many, chosen", "as many, elsewhere", "2.5-97.5 % of halvings"});
    header.insert(header.end(), {"parameters saved", "kv bytes saved", "front"});
    ResultTable table(header);
    for (const auto& [step, at] : stepsOf(pruned))
    {
        std::vector<ResultTable::Cell> cells = {step->unit + 1, step->value, step->value - pruned.baseline};
        if (single)
        {
            const PairedDifference& difference = pruned.differences[at];
            cells.emplace_back(tooFewChanged(difference) ? std::string("-") : intervalText(difference.ci95));
            cells.emplace_back(difference.changed);
            if (tested && difference.hasNoTest())
                cells.insert(cells.end(), {std::string("no test"), std::string("no test")});
            else if (tested)
                cells.insert(cells.end(), {difference.p, difference.q});
        }
        if (validated)
        {
            const HeldOutGain& gain = *heldOutAfter(pruned, *step);
            cells.insert(cells.end(), {gain.chosen, gain.elsewhere, intervalText(gain.elsewhereCi95)});
        }
        cells.insert(cells.end(), {countCell(step->parametersSaved), countCell(step->kvBytesSaved),
                                   std::string(step->onFront ? "yes" : "")});
        table.add(std::move(cells));
    }
    return table;
}

Json stepJson(const Pruned& pruned, const PruningStep& step, std::size_t at, bool adds, std::string_view method)
{
    const std::int64_t unit = step.unit + 1;
    Json object = {{"removed", adds ? Json() : Json(unit)}};
    if (adds)
        object["added"] = unit;
    object.update(Json{{"value", step.value},
                       {"parameters_saved", countJson(step.parametersSaved)},
                       {"kv_bytes_saved", countJson(step.kvBytesSaved)},
                       {"front", step.onFront}});
    if (!pruned.differences.empty())
    {
        const PairedDifference& difference = pruned.differences[at];
        object.update(Json{{"difference", difference.difference},
                           {"changed", difference.changed},
                           {"ci95", intervalJson(difference.ci95)},
                           {"ci95_method", method},
                           {"p", numberJson(difference.p)},
                           {"null", "with and without exchanged, document by document"},
                           {"q", numberJson(difference.q)}});
    }
    if (const HeldOutGain* gain = heldOutAfter(pruned, step))
        object["validated"] = heldOutJson(*gain);
    return object;
}

Json validationJson(const Pruned& pruned)
{
    const PruningValidation& validation = pruned.validation;
    if (validation.isEmpty())
        return {};
    Json byKept = Json::array();
    for (const HeldOutGain& gain : validation.byKept)
        byKept.push_back(heldOutJson(gain));
    Json object = heldOutJson(validation.best);
    object.update(Json{{"halvings", validation.halvings},
                       {"documents", validation.documents},
                       {"seed", pruned.seed},
                       {"range95_method", kHalvesMethod},
                       {"fewest", heldOutJson(validation.fewest)},
                       {"by_kept", std::move(byKept)}});
    return object;
}

Json bestJson(const Pruned& pruned)
{
    Json sizes = Json::array();
    for (const BestSubset& best : pruned.best)
    {
        Json units = Json::array();
        for (const std::int64_t unit : best.units)
            units.push_back(unit + 1);
        Json object = {{"kept", best.units.size()}, {"units", std::move(units)}, {"value", best.value}};
        if (best.held)
            object["validated"] = heldOutJson(*best.held);
        sizes.push_back(std::move(object));
    }
    return sizes;
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
        text += "Saved in this layer, were the heads cut out of the model: parameters of its attention";
    if (saves(&PruningStep::kvBytesSaved))
        text += ", bytes of the key/value cache per token at 2 bytes a number";
    if (!text.empty())
        text += ".\n";
    if (const std::string note = savingsNote(model, stage); !note.empty())
        text += note + "\n";
    if (unitName(stage) == "head" && keepsCache(model) && command.units == "heads")
    {
        if (keySharing(model) == KeySharing::Groups)
            text +=
                fmt::format("A single head saves no cache: {} heads share one key/value head.\n", model.groupSize());
        if (keySharing(model) == KeySharing::One)
            text += "A single head saves no cache: all heads share the same keys and values.\n";
    }
    text += fmt::format("Front: no other step is as good in value and {} and better in one (Pareto curve; the "
                        "intervals have no part in it).\n",
                        saves(&PruningStep::parametersSaved) ? "savings" : "number taken away");
    return text;
}

/// The sizes of an order that has no row for each in the table.
std::string sizesText(const Pruned& pruned, std::string_view units)
{
    ResultTable table({"kept", "chosen", "elsewhere", "2.5-97.5 % of halvings"});
    for (const HeldOutGain& gain : pruned.validation.byKept)
        table.add({std::llround(gain.kept), gain.chosen, gain.elsewhere, intervalText(gain.elsewhereCi95)});
    return fmt::format("\nThe {} with the smallest loss taken away first, all at once:\n{}", units, table.text());
}

std::string validationText(const Pruned& pruned, const PruneMeasure& measured, std::string_view units)
{
    if (measured.isCertain)
        return {};
    const PruningValidation& validation = pruned.validation;
    if (validation.isEmpty() && !pruned.differences.empty())
        return {}; // each alone is no choice
    if (validation.isEmpty())
        return "The value of an order that was chosen on these documents is too good: nothing here tells by how much "
               "(--validate halves does, with at least 2 documents).\n";
    std::string text = pruned.differences.empty() ? std::string() : sizesText(pruned, units) + "\n";
    text += fmt::format("The best number of {}, {:.1f} on average, changes it by {}.\n", units, validation.best.kept,
                        heldOutText(validation.best));
    text += fmt::format("The fewest {} with a value no lower where chosen, {:.1f} on average, change it by {}.\n",
                        units, validation.fewest.kept, heldOutText(validation.fewest));
    text +=
        fmt::format("Chosen, elsewhere: change against all {} with as many away, where the order was found anew and "
                    "may have taken others, and on the other half of the {} {}; means over {} halvings (seed {}); in "
                    "brackets the 2.5 and 97.5 % quantiles of the "
                    "halvings, which are no confidence interval. An order "
                    "found on half the documents is found with less than there is; value and change of its steps "
                    "above are over all of them, which also chose it.\n",
                    units, withCommas(validation.documents), measured.scored, validation.halvings, pruned.seed);
    return text;
}

std::string differencesText(const Pruned& pruned, const PruneMeasure& measured, std::string_view units)
{
    const bool few = std::any_of(pruned.differences.begin(), pruned.differences.end(), tooFewChanged);
    const std::string method =
        measured.measure->findsItself()
            ? std::string("jackknife over the documents, each left out as query and as result")
            : fmt::format("bootstrap over {} {} (1,000 resamples, with and without it on the same, seed {})",
                          withCommas(measured.measure->scored()), measured.scored, pruned.seed);
    const std::string intervals =
        fmt::format("95 % of change: {}{}. ", method,
                    few ? fmt::format("; -: fewer than {} {} changed", kFewestChanged, measured.scored) : "");
    if (!isTested(measured))
        return intervals + "No p: the queries are the documents that are searched, so that one of them changes the "
                           "scores of many, and flipping them one by one would tell changes that are none.\n";
    return intervals +
           fmt::format("p: with and without exchanged at random, {} by {} ({} sign flips); q: p after "
                       "Benjamini-Hochberg over the {} {} with a p.\nChanged: {} whose score is another. "
                       "Fewer than {} of them give no p below 0.05 whatever they are: no test. Where few "
                       "change the test has little power, and a p near 1 does not show that nothing is "
                       "lost.\n",
                       measured.unit, measured.unit, withCommas(kSignFlips),
                       std::ranges::count_if(pruned.differences, [](const auto& one) { return std::isfinite(one.p); }),
                       units, measured.scored, kFewestTested);
}

/// Of the order that takes as many units away; NaN: it has none of this size.
double valueOfOrder(const Pruned& pruned, const BestSubset& best)
{
    for (const PruningStep& step : pruned.steps)
        if (std::ssize(pruned.best) - step.removed == std::ssize(best.units))
            return step.value;
    return kNaN;
}

ResultTable bestTable(const Pruned& pruned)
{
    const bool ordered = pruned.differences.empty(); // units taken away alone are no order
    std::vector<std::string> header = {"kept", "best of all subsets", "value (too good)"};
    if (ordered)
        header.emplace_back("of the order");
    header.insert(header.end(), {"chosen", "elsewhere", "2.5-97.5 % of halvings"});
    ResultTable table(header);
    for (const BestSubset& best : pruned.best)
    {
        std::string members;
        for (const std::int64_t unit : best.units)
            members += fmt::format("{}{}", members.empty() ? "" : ",", unit + 1);
        std::vector<ResultTable::Cell> cells = {std::ssize(best.units), members, best.value};
        if (ordered)
            cells.emplace_back(valueOfOrder(pruned, best));
        const HeldOutGain gain = best.held.value_or(HeldOutGain{0, kNaN, {}, kNaN, {}});
        cells.insert(cells.end(),
                     {gain.chosen, gain.elsewhere, best.held ? intervalText(gain.elsewhereCi95) : std::string("-")});
        table.add(std::move(cells));
    }
    return table;
}

std::string bestText(const Pruned& pruned, std::string_view units)
{
    if (pruned.best.empty())
        return {};
    std::string text = fmt::format(
        "\nThe best of all {} subsets of {}, by size. {}\nChosen and elsewhere: change against all {} where the best "
        "subset of the size was found, and on the other half.\n{}",
        withCommas((std::int64_t{1} << pruned.best.size()) - 1), units, kTooGood, units, bestTable(pruned).text());
    if (!pruned.bestSize)
        return text;
    text += fmt::format("The best size is a second choice, which these rows do not judge. Best subset over all sizes, "
                        "subset and size chosen on one half ({:.1f} {} on average): {}.\n",
                        pruned.bestSize->kept, units, heldOutText(*pruned.bestSize));
    return text + fmt::format("Best subset of the fewest {} with a value no lower where chosen ({:.1f} on average): "
                              "{}.\n",
                              units, pruned.fewestUnits->kept, heldOutText(*pruned.fewestUnits));
}

Json searchJson(const Pruned& pruned)
{
    Json object = heldOutJson(*pruned.bestSize);
    object["fewest"] = heldOutJson(*pruned.fewestUnits);
    object["range95_method"] = kHalvesMethod;
    return object;
}

} // namespace

Json heldOutJson(const HeldOutGain& gain)
{
    return {{"kept", gain.kept},
            {"chosen", gain.chosen},
            {"chosen_range95", intervalJson(gain.chosenCi95)},
            {"elsewhere", gain.elsewhere},
            {"range95", intervalJson(gain.elsewhereCi95)}};
}

std::string heldOutText(const HeldOutGain& gain)
{
    return fmt::format("{:+.4f} {} where chosen, {:+.4f} {} elsewhere", gain.chosen, intervalText(gain.chosenCi95),
                       gain.elsewhere, intervalText(gain.elsewhereCi95));
}

ResultTable pruneTable(const Pruned& pruned, bool adds)
{
    const bool single = !pruned.differences.empty();
    const bool validated = !single && !pruned.validation.isEmpty();
    std::vector<std::string> header = {adds ? "added" : "removed", "value",          "change",
                                       "parameters saved",         "kv bytes saved", "front"};
    if (single)
        header.insert(header.end(), {"ci95 low", "ci95 high", "p", "q", "changed"});
    if (validated)
        header.insert(header.end(), {"chosen", "chosen q2.5", "chosen q97.5", "elsewhere", "q2.5", "q97.5"});
    ResultTable table(header);
    for (const auto& [step, at] : stepsOf(pruned))
    {
        std::vector<ResultTable::Cell> cells = {step->unit + 1,
                                                step->value,
                                                step->value - pruned.baseline,
                                                countCell(step->parametersSaved),
                                                countCell(step->kvBytesSaved),
                                                std::string(step->onFront ? "yes" : "")};
        if (single)
        {
            const PairedDifference& one = pruned.differences[at];
            cells.insert(cells.end(), {one.ci95.low, one.ci95.high, one.p, one.q, one.changed});
        }
        if (validated)
        {
            const HeldOutGain& gain = *heldOutAfter(pruned, *step);
            cells.insert(cells.end(), {gain.chosen, gain.chosenCi95.low, gain.chosenCi95.high, gain.elsewhere,
                                       gain.elsewhereCi95.low, gain.elsewhereCi95.high});
        }
        table.add(std::move(cells));
    }
    return table;
}

namespace
{

/// All that is measured, without notices and text.
Json answerJson(const Pruned& pruned, const PruneMeasure& measured, const commands::PruneCommand& command,
                const ModelInfo& model)
{
    const bool ofDocuments = measured.measure->fullScore() == 1; // and not of queries
    const std::string_view method = measured.measure->findsItself() ? kJackknife
                                    : ofDocuments                   ? kBootstrap
                                                                    : std::string_view("bootstrap by query");
    Json steps = Json::array();
    for (const auto& [step, at] : stepsOf(pruned))
        steps.push_back(stepJson(pruned, *step, at, command.order == "forward", method));
    Json json = {{"units", command.units},
                 {"measure", command.measure},
                 {"measure_name", measured.name},
                 {"order", command.order},
                 {"documents", measured.measure->scored()},
                 {"scored", measured.scored},
                 {"baseline", pruned.baseline},
                 {"baseline_ci95", intervalJson(pruned.baselineCi95)},
                 {"baseline_ci95_method", ofDocuments ? kWilson : method},
                 {"chance", measured.chance ? Json(*measured.chance) : Json()},
                 {"group_size", model.groupSize()},
                 {"seconds", pruned.seconds},
                 {"steps", std::move(steps)}};
    if (measured.null)
        json.update(Json{{"baseline_p", measured.null->p},
                         {"baseline_null", "labels shuffled among the documents"},
                         {"baseline_null_mean", measured.null->mean},
                         {"baseline_permutations", measured.null->permutations}});
    if (measured.majority)
        json["majority"] = *measured.majority;
    if (measured.guessing)
        json.update(Json{{"guessing", *measured.guessing}, {"split", measured.split}});
    if (!pruned.differences.empty() && isTested(measured))
        json["permutations"] = kSignFlips;
    json["validated"] = validationJson(pruned);
    if (!pruned.best.empty())
        json["best"] = bestJson(pruned);
    if (pruned.bestSize)
        json["best_validated"] = searchJson(pruned);
    if (const std::string note = savingsNote(model, measured.vectors->stage()); !note.empty())
        json["savings_note"] = note;
    return json;
}

/// What is measured, the table, and what its columns are.
std::string answerText(const Pruned& pruned, const PruneMeasure& measured, const commands::PruneCommand& command,
                       const ModelInfo& model)
{
    const Stage stage = measured.vectors->stage();
    const std::string units =
        command.units == "groups" ? std::string("KV groups") : fmt::format("{}s", unitName(stage));
    std::string text = fmt::format("{}; {}; {} of all {}s: {:.4f} {}", headingOf(*measured.vectors), measured.of,
                                   measured.name, unitName(stage), pruned.baseline,
                                   baselineInterval(pruned, measured.isCertain, measured.measure->fullScore() == 1));
    if (measured.chance)
        text += fmt::format(", chance ({}): {:.4f}", measured.chanceMeans, *measured.chance);
    if (measured.null)
        text += fmt::format("; labels shuffled among the documents: {:.4f} on average, p {:.4f} ({} times)",
                            measured.null->mean, measured.null->p, withCommas(measured.null->permutations));
    text += "\n" + measured.presence;
    text += "\n" + shownTable(pruned, command.order == "forward", isTested(measured)).text() + "\n";
    text +=
        fmt::format("Value: {} of the vectors of the {} that stay, one after another; change: less that of all. The "
                    "model is not run without a head: what later layers would make of it is not in these "
                    "numbers.\n",
                    measured.name, units);
    if (!measured.split.empty())
        text += fmt::format("All numbers are of {}: another seed has other test documents, and label-probe the mean "
                            "over several splits. Interval of all: Wilson's over the {}.\n",
                            measured.split, measured.scored);
    if (measured.measure->fullScore() != 1 && std::isfinite(pruned.baselineCi95.low))
        text += fmt::format("Interval of all: {}.\n",
                            measured.measure->findsItself()
                                ? "jackknife over the documents, each left out as query and as result"
                                : "bootstrap over the queries, the documents fixed");
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
    *answer.json = answerJson(pruned, measured, command, model);
    answer.notices = measured.notices;
    answer.text = answerText(shownOf(pruned, measured), measured, command, model);
    return answer;
}

} // namespace headscope::cli
