// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/prune_frame.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

// clang-format off
constexpr ColumnInfo kChosen = {"chosen", "Selection half", "",
    "Value with this number of units minus the value of all units, on the half of the documents on which the units "
    "were selected; mean over halvings",
    "Optimistically biased; the range shows quantiles over halvings and is not a confidence interval"};
constexpr ColumnInfo kElsewhere = {"elsewhere", "Held-out half", "",
    "The same difference on the held-out half of the documents, mean over halvings",
    "The range shows quantiles over halvings and is not a confidence interval"};
constexpr ColumnInfo kPruneColumns[] = {
    {"step", "Step", "", "Position in the order, from 1", "", S::Index},
    {"removed", "Removed", "", "Index of the removed unit; empty where units are added", "", S::Tree},
    {"unit", "Unit", "", "Index of the head, segment or KV group that is removed or added (from 1)", "", S::Index},
    {"value", "Value", "",
     "Measure of the cached vectors of the remaining units, concatenated (cache-only ablation)",
     "The model is not run without the removed units; an order selected on these documents is optimistically biased on "
     "them"},
    {"change", "Change", "", "Value minus the value of all units", ""},
    {"parameters_saved", "Parameters saved", "",
     "Number of parameters of the layer's attention that could be removed", "",
     S::Count},
    {"kv_bytes_saved", "Cache saved", "bytes",
     "Size of the KV cache per token and layer that could be removed, at 2 bytes per value", "", S::Count},
    {"front", "Front", "",
     "Whether the step is on the Pareto front: no other step is at least as good in both value and savings, and "
     "better in one",
     "The front ignores the intervals", S::Flag},
    {"difference", "Difference", "", "Measure without the unit minus the measure with it, on the same documents",
     "If the scores of only a few documents change, the test has little power"},
    {"changed", "Changed", "", "Number of documents whose score changes", "", S::Count},
    {"kept", "Kept", "", "Number of units that are kept; a mean where halvings differ", ""},
    kChosen,
    kElsewhere,
};
constexpr Slot kJson[] = {{"removed"}, {"unit", Value, "{}"}, {"value"}, {"parameters_saved"}, {"kv_bytes_saved"},
    {"front"}, {"difference"}, {"changed"}, {"difference", Span, "ci95"},
    {"difference", IntervalMethod, "ci95_method"}, {"difference", P, "p"}, {"difference", NullMethod, "null"},
    {"difference", Q, "q"}, {"kept", Value, "validated.kept"}, {"chosen", Value, "validated.chosen"},
    {"chosen", Span, "validated.chosen_range95"}, {"elsewhere", Value, "validated.elsewhere"},
    {"elsewhere", Span, "validated.range95"}, kRest};
constexpr Slot kFile[] = {{"unit"}, {"value"}, {"change"}, {"parameters_saved"}, {"kv_bytes_saved"}, {"front"},
    {"change", Low, "ci95 low", 0, true}, {"change", High, "ci95 high", 0, true}, {"change", P, "p", 0, true},
    {"change", Q, "q", 0, true}, {"changed"}, {"chosen"}, {"chosen", Low, "chosen q2.5"},
    {"chosen", High, "chosen q97.5"}, {"elsewhere"}, {"elsewhere", Low, "q2.5"}, {"elsewhere", High, "q97.5"}, kRest};
constexpr Slot kText[] = {{"unit"}, {"value"}, {"change"}, {"change", Range, "95% of change", 0, true}, {"changed"},
    {"change", P, "p", 0, true}, {"change", Q, "q", 0, true}, {"chosen", Value, "selection half"},
    {"elsewhere", Value, "held-out half"}, {"elsewhere", Range, "2.5-97.5% of halvings"}, {"parameters_saved"},
    {"kv_bytes_saved"}, {"front"}, kRest};
constexpr Slots kTexts[] = {kText};
constexpr Slot kOrderFile[] = {{"step"}, {"unit"}, {"value"}, {"change"}, {"parameters_saved"},
    {"kv_bytes_saved"}, {"chosen"}, {"elsewhere"}, {"elsewhere", Low, "q2.5"}, {"elsewhere", High, "q97.5"}};
constexpr Slot kAloneFile[] = {{"unit"}, {"value"}, {"difference", Value, "change"},
    {"difference", Low, "ci95 low"}, {"difference", High, "ci95 high"}, {"difference", P, "p"},
    {"difference", Q, "q"}, {"changed"}};

constexpr ColumnInfo kSizeColumns[] = {
    {"kept", "Kept", "", "Number of units that are kept", "", S::Count},
    {"best_of_all_subsets", "Best subset", "", "Indices of the units of the best subset of this size (from 1)",
     "Selected on these documents", S::Text},
    {"value", "Value", "", "Measure of the cached vectors of only this subset", "Optimistically biased: selected on "
     "these documents"},
    {"of_the_order", "Greedy order", "", "Measure with the same number of units, kept according to the order",
     "Optimistically biased: selected on these documents"},
    kChosen,
    kElsewhere,
};
constexpr Slot kSizes[] = {{"kept"}, {"best_of_all_subsets"}, {"value", Value, "value (optimistic)"}, {"of_the_order"},
    {"chosen"}, {"elsewhere"}, {"elsewhere", Range, "2.5-97.5% of halvings"}};
constexpr Slots kSizeTexts[] = {kSizes};
// clang-format on

/// Where the halves are not known.
HeldOutGain unknownGain()
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {0, kNone, {}, kNone, {}};
}

void addGains(Frame& frame, std::span<const HeldOutGain> gains)
{
    using G = HeldOutGain;
    frame.add("chosen", columnValues(gains, &G::chosen)).interval(columnValues(gains, &G::chosenCi95));
    frame.add("elsewhere", columnValues(gains, &G::elsewhere)).interval(columnValues(gains, &G::elsewhereCi95));
}

/// Heads the measured values with the match that they are: "match5".
void nameMatch(Frame& frame, const PruningFindings& findings)
{
    frame.find("value")->named("match" + std::to_string(findings.matchAt));
}

} // namespace

constinit const FrameInfo kPruneFrame = {
    .key = "prune", .columns = kPruneColumns, .shape = JsonShape::Flat, .json = kJson, .file = kFile, .texts = kTexts};
constinit const FrameInfo kHeadOrderFrame = {.key = "order", .columns = kPruneColumns, .file = kOrderFile};
constinit const FrameInfo kHeadAloneFrame = {.key = "alone", .columns = kPruneColumns, .file = kAloneFile};
constinit const FrameInfo kKeptSizesFrame = {.key = "best", .columns = kSizeColumns, .texts = kSizeTexts};

Frame removalsFrame(const FrameInfo& about, const PruneRows& rows, std::string unit, std::string_view intervalMethod)
{
    using Step = PruningStep;
    using D = PairedDifference;
    const auto of = [&rows](auto projection) { return columnValues(rows.steps, projection); };
    Frame frame(about);
    if (unit == "added")
        frame.add("removed", NodeList(rows.steps.size()));
    frame.add("unit", of([](const Step& step) { return step.unit + 1; })).named(std::move(unit));
    frame.add("value", of(&Step::value));
    frame.add("change", of([&rows](const Step& step) { return step.value - rows.baseline; }));
    frame.add("parameters_saved", of(&Step::parametersSaved));
    frame.add("kv_bytes_saved", of(&Step::kvBytesSaved));
    frame.add("front", of(&Step::onFront));
    if (!rows.differences.empty())
    {
        const auto ofOne = [&rows](auto projection) { return columnValues(rows.differences, projection); };
        // Files show both as the change; they may differ in the last digit.
        for (Column* column : {&frame.add("difference", ofOne(&D::difference)), frame.find("change")})
        {
            column->interval(ofOne(&D::ci95), intervalMethod).set(P, ofOne(&D::p)).set(Q, ofOne(&D::q));
            column->nullMethod = Column::Texts(rows.steps.size(),
                                               "scores with and without the unit exchanged at random within documents");
        }
        frame.add("changed", ofOne(&D::changed));
    }
    if (!rows.gains.empty())
    {
        frame.add("kept", columnValues(rows.gains, &HeldOutGain::kept));
        addGains(frame, rows.gains);
    }
    return frame;
}

Frame orderFrame(const PruningFindings& findings, std::string unit)
{
    const std::span<const PruningStep> steps = std::span(findings.steps).subspan(1);
    // Of one step away all others stay.
    std::vector<HeldOutGain> gains(steps.size(), unknownGain());
    if (const auto& byKept = findings.validation.byKept; byKept.size() == findings.steps.size())
        std::reverse_copy(byKept.begin(), byKept.end() - 1, gains.begin());
    Column::Wholes places(steps.size());
    std::iota(places.begin(), places.end(), 1);
    Frame frame =
        removalsFrame(kHeadOrderFrame, {steps, findings.steps.front().value, {}, std::move(gains)}, std::move(unit));
    frame.add("step", std::move(places));
    nameMatch(frame, findings);
    return frame;
}

Frame aloneFrame(const PruningFindings& findings, std::string unit)
{
    Frame frame = removalsFrame(kHeadAloneFrame, {findings.alone, 0, findings.differences}, std::move(unit));
    frame.find("difference")->noTest = "no test";
    nameMatch(frame, findings);
    return frame;
}

Frame keptSizesFrame(std::vector<std::int64_t> kept, std::span<const std::optional<HeldOutGain>> gains)
{
    Frame frame(kKeptSizesFrame);
    frame.add("kept", std::move(kept));
    addGains(frame,
             columnValues(gains, [](const std::optional<HeldOutGain>& gain) { return gain.value_or(unknownGain()); }));
    return frame;
}

Members heldOutResult(const HeldOutGain& gain)
{
    return {{"kept", gain.kept},
            {"chosen", gain.chosen},
            {"chosen_range95", gain.chosenCi95},
            {"elsewhere", gain.elsewhere},
            {"range95", gain.elsewhereCi95}};
}

} // namespace headscope
