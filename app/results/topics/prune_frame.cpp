// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/topics/prune_frame.h"

#include <utility>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

// clang-format off
constexpr ColumnInfo kChosen = {"chosen", "Where chosen", "",
    "Change against all with as many away, on the half of the documents where the order was found anew",
    "Too good: chosen there; ranges are quantiles of halvings, no confidence intervals"};
constexpr ColumnInfo kElsewhere = {"elsewhere", "Elsewhere", "", "The same on the other half of the documents",
    "Ranges are quantiles of halvings, no confidence intervals"};
constexpr ColumnInfo kColumns[] = {
    {"step", "Step", "", "Place in the order, from 1", "", S::Index},
    {"removed", "Removed", "", "Nothing, where units are added", "", S::Tree},
    {"unit", "Unit", "", "Head, segment or KV group, from 1", "", S::Index},
    {"value", "Value", "", "The measure of the vectors of those that stay, one after another",
     "An order chosen on these documents is too good on them"},
    {"change", "Change", "", "Value less that of all", ""},
    {"parameters_saved", "Parameters saved", "", "Parameters of the layer's attention that are not needed any more",
     "", S::Count},
    {"kv_bytes_saved", "Cache saved", "bytes", "Key/value cache per token and layer that is not needed, at 2 bytes a "
     "number", "", S::Count},
    {"front", "Front", "", "No other step is as good in value and savings and better in one",
     "The intervals have no part in it", S::Flag},
    {"difference", "Difference", "", "Without it less with it, on the same documents",
     "Where few change the test has little power"},
    {"changed", "Changed", "", "Documents whose score is another", "", S::Count},
    {"kept", "Kept", "", "How many stay", ""},
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
    {"change", Q, "q", 0, true}, {"changed"}, {"chosen"}, {"chosen", Low, "chosen q2.5"}, {"chosen", High, "chosen q97.5"},
    {"elsewhere"}, {"elsewhere", Low, "q2.5"}, {"elsewhere", High, "q97.5"}, kRest};
constexpr Slot kText[] = {{"unit"}, {"value"}, {"change"}, {"change", Range, "95 % of change", 0, true}, {"changed"},
    {"change", P, "p", 0, true}, {"change", Q, "q", 0, true}, {"chosen", Value, "as many, chosen"},
    {"elsewhere", Value, "as many, elsewhere"}, {"elsewhere", Range, "2.5-97.5 % of halvings"}, {"parameters_saved"},
    {"kv_bytes_saved"}, {"front"}, kRest};
constexpr Slots kTexts[] = {kText};
constexpr Slot kOrderFile[] = {{"step"}, {"unit"}, {"value", Value, "match5"}, {"change"}, {"parameters_saved"},
    {"kv_bytes_saved"}, {"chosen"}, {"elsewhere"}, {"elsewhere", Low, "q2.5"}, {"elsewhere", High, "q97.5"}};
constexpr Slot kAloneFile[] = {{"unit"}, {"value", Value, "match5"}, {"difference", Value, "change"},
    {"difference", Low, "ci95 low"}, {"difference", High, "ci95 high"}, {"difference", P, "p"},
    {"difference", Q, "q"}, {"changed"}};

constexpr ColumnInfo kSizeColumns[] = {
    {"kept", "Kept", "", "How many stay", "", S::Count},
    {"best_of_all_subsets", "Best subset", "", "The ones that stay", "Chosen on these documents", S::Text},
    {"value", "Value", "", "The measure of these alone", "Too good, chosen on these documents"},
    {"of_the_order", "Of the order", "", "The measure of as many by the order", "Chosen on these documents"},
    kChosen,
    kElsewhere,
};
constexpr Slot kSizes[] = {{"kept"}, {"best_of_all_subsets"}, {"value", Value, "value (too good)"}, {"of_the_order"},
    {"chosen"}, {"elsewhere"}, {"elsewhere", Range, "2.5-97.5 % of halvings"}};
constexpr Slots kSizeTexts[] = {kSizes};
// clang-format on

void addGains(Frame& frame, std::span<const HeldOutGain> gains)
{
    using G = HeldOutGain;
    frame.add("chosen", columnValues(gains, &G::chosen)).interval(columnValues(gains, &G::chosenCi95));
    frame.add("elsewhere", columnValues(gains, &G::elsewhere)).interval(columnValues(gains, &G::elsewhereCi95));
}

} // namespace

constinit const FrameInfo kPruneFrame = {
    .key = "prune", .columns = kColumns, .shape = JsonShape::Flat, .json = kJson, .file = kFile, .texts = kTexts};
constinit const FrameInfo kHeadOrderFrame = {.key = "order", .columns = kColumns, .file = kOrderFile};
constinit const FrameInfo kHeadAloneFrame = {.key = "alone", .columns = kColumns, .file = kAloneFile};
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
            column->nullMethod = Column::Texts(rows.steps.size(), "with and without exchanged, document by document");
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

Frame keptSizesFrame(std::vector<std::int64_t> kept, std::span<const std::optional<HeldOutGain>> gains)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Frame frame(kKeptSizesFrame);
    frame.add("kept", std::move(kept));
    addGains(frame, columnValues(gains, [](const std::optional<HeldOutGain>& gain) {
                 return gain.value_or(HeldOutGain{0, kNone, {}, kNone, {}});
             }));
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
