// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/importance_frame.h"

#include "model/data/frame/frame_text.h"
#include "model/data/frame/place_columns.h"

#include <algorithm>
#include <array>
#include <optional>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kIntervalCaution = "No interval where fewer than 10 documents change";

// clang-format off
constexpr ColumnInfo kImportanceColumns[] = {
    kLayerColumn,
    {"head", "Head", "", "Index of the ablated head (from 1)", "", S::Index},
    {"group", "KV group", "", "Index of the ablated KV group (from 1)", "", S::Index},
    {"cut", "Drop (cache only)", "",
     "Measure of the layer's cached vectors, minus the same measure without the head's vectors (cache-only ablation)",
     "The model is not run without the head, so later layers cannot compensate", S::Fixed},
    {"left_out", "Drop (full model)", "", "Measure with all heads, minus the measure with all heads but this one",
     kIntervalCaution, S::Fixed},
    {"intervals", "Intervals", "", "Whether the 95% intervals of the two drops overlap",
     "Overlapping intervals do not show that the drops are equal", S::Text},
    {"alone", "Single-head gain", "", "Measure with this head only, minus the measure with no head", kIntervalCaution,
     S::Fixed},
    {"coefficient", "Coefficient", "",
     "What the head adds to the measure on average when half of the other heads are on: least squares over random sets "
     "of heads",
     kIntervalCaution, S::Fixed},
    {"standard_error", "Standard error", "", "Standard error of the coefficient from the random sets of heads", "",
     S::Fixed},
    {"document_error", "Standard error over documents", "",
     "Standard error of the coefficient from the sampling of documents", "", S::Fixed},
    {"p", "p", "", "Two-sided p value for the hypothesis that the coefficient is 0, from both standard errors", "",
     S::Fixed},
    {"q", "q", "", "p adjusted by the Benjamini-Hochberg procedure over the heads or KV groups of the table", "",
     S::Fixed},
    {"role", "Role", "",
     "On which side of 0 the 95% interval of the coefficient lies; undecided: the interval includes 0",
     "About 1 in 20 of the heads that have no effect gets a role, too", S::Text},
    {"shapley", "Shapley value", "",
     "What the head adds to the measure, mean over all orders of adding the heads; only where all sets were run", "",
     S::Fixed},
};
constexpr Slot kFile[] = {{"layer"}, {"head"}, {"group"}, {"cut"}, {"cut", Low}, {"cut", High}, {"left_out"},
    {"left_out", Low}, {"left_out", High}, {"intervals"}, {"alone"}, {"alone", Low}, {"alone", High}, {"coefficient"},
    {"coefficient", Low}, {"coefficient", High}, {"standard_error"}, {"document_error"}, {"p"}, {"q"}, {"role"},
    {"shapley"}, kRest};
// Cells of one width in the tables of all measures.
constexpr Slot kText[] = {{"layer", Value, {}, 5}, {"head", Value, {}, 5}, {"group", Value, {}, 5},
    {"left_out", Span, {}, 26}, {"alone", Span, {}, 26}, {"coefficient", Span, {}, 26},
    {"standard_error", Value, "+-", 8}, {"q", Value, {}, 6}, {"role"}, kRest};
// clang-format on
constexpr std::array<Slots, 1> kTexts = {kText};

void addEstimates(Frame& frame, std::string_view key, const std::vector<Estimate>& estimates)
{
    frame.add(key, columnValues(estimates, &Estimate::value)).interval(columnValues(estimates, &Estimate::ci95));
}

/// What a cut says, and whether it agrees with the run of the model.
void addCut(Frame& frame, const MeasureValues& values, const CacheAblation* cut)
{
    const std::vector<Estimate> none(values.players.size());
    const std::vector<Estimate>& lost = cut == nullptr ? none : cut->lost;
    addEstimates(frame, "cut", lost);
    Column::Texts agreements;
    for (std::size_t i = 0; i < lost.size(); ++i)
    {
        const EstimateAgreement agreement = agreementOf(lost[i], values.players[i].leftOut);
        agreements.emplace_back(agreement == EstimateAgreement::Excluded  ? "apart"
                                : agreement == EstimateAgreement::Overlap ? "overlap"
                                                                          : "");
    }
    frame.add("intervals", std::move(agreements));
}

Node estimateNode(const Estimate& estimate)
{
    return Members{{"value", estimate.value}, {"ci95", estimate.ci95}};
}

Estimate estimateFrom(const Node& node)
{
    return {node.as<double>("value", kNone), node.as<Interval>("ci95", {})};
}

Error badAnswer()
{
    return {ErrorCode::BadFormat, "expected an importance result from the engine, found another result", {}, {}};
}

PlayerRole roleFrom(const std::string& name, ImportanceMeasure measure)
{
    for (const PlayerRole role : {PlayerRole::Facilitating, PlayerRole::Interfering})
        if (name == roleName(role, measure))
            return role;
    return PlayerRole::Undecided;
}

std::vector<UnitEffect> playersFrom(const Frame& frame, ImportanceMeasure measure)
{
    const auto number = [&frame](std::string_view key, std::size_t row, Facet facet = Value) {
        const Column* column = frame.find(key);
        return column != nullptr ? column->at(facet, row) : kNone;
    };
    const auto estimate = [&number](std::string_view key, std::size_t row) {
        return Estimate{number(key, row), {number(key, row, Low), number(key, row, High)}};
    };
    const Column* roles = frame.find("role");
    std::vector<UnitEffect> players;
    for (std::size_t row = 0; row < static_cast<std::size_t>(frame.rows()); ++row)
        players.push_back({.leftOut = estimate("left_out", row),
                           .alone = estimate("alone", row),
                           .coefficient = estimate("coefficient", row),
                           .standardError = number("standard_error", row),
                           .documentError = number("document_error", row),
                           .p = number("p", row),
                           .q = number("q", row),
                           .role = roles != nullptr ? roleFrom(std::get<Column::Texts>(roles->values)[row], measure)
                                                    : PlayerRole::Undecided,
                           .shapley = number("shapley", row)});
    return players;
}

} // namespace

constinit const FrameInfo kPlayersFrame = {.key = "players",
                                           .columns = kImportanceColumns,
                                           .shape = JsonShape::ByColumn,
                                           .fileBlank = '_',
                                           .file = kFile,
                                           .texts = kTexts};

Frame playersFrame(const ImportanceResult& result, const NamedValues& measure, const ImportanceComparison* comparison)
{
    using P = UnitEffect;
    const std::vector<UnitEffect>& players = measure.values.players;
    Frame frame(kPlayersFrame);
    frame.add("layer", columnValues(result.players, &AblationUnit::layer));
    frame.add(result.groups ? "group" : "head",
              columnValues(result.players, [](const AblationUnit& player) { return player.unit + 1; }));
    if (comparison != nullptr)
        addCut(frame, measure.values, comparison->cutOf(measure.measure));
    addEstimates(frame, "left_out", columnValues(players, &P::leftOut));
    addEstimates(frame, "alone", columnValues(players, &P::alone));
    addEstimates(frame, "coefficient", columnValues(players, &P::coefficient));
    frame.add("standard_error", columnValues(players, &P::standardError));
    frame.add("document_error", columnValues(players, &P::documentError));
    frame.add("p", columnValues(players, &P::p));
    frame.add("q", columnValues(players, &P::q));
    frame.add("role",
              columnValues(players, [&measure](const P& player) { return roleName(player.role, measure.measure); }));
    frame.add("shapley", columnValues(players, &P::shapley));
    return frame;
}

CsvText importanceCsv(const ImportanceResult& result, CsvTexts texts, const ImportanceComparison* comparison)
{
    CsvText csv;
    for (const NamedValues& measure : result.measures)
        csv +=
            frameCsv(playersFrame(result, measure, comparison), texts,
                     {{"measure", measureName(measure.measure)}, {"documents", measure.values.documents}}, csv.empty());
    return csv;
}

namespace
{

NodeList measureNodes(const ImportanceResult& result)
{
    NodeList measures;
    for (const NamedValues& measure : result.measures)
        measures.emplace_back(Members{{"measure", measureName(measure.measure)},
                                      {"documents", measure.values.documents},
                                      {"all", estimateNode(measure.values.all)},
                                      {"none", estimateNode(measure.values.none)},
                                      {"intercept", measure.values.intercept},
                                      {"intercept_error", measure.values.interceptError},
                                      {"r2", measure.values.r2},
                                      {"players", playersFrame(result, measure)}});
    return measures;
}

Result<NamedValues> measureFrom(const Node& node, std::size_t players)
{
    NamedValues found;
    const auto name = node.as<std::string>("measure", {});
    const auto* frame = std::get_if<Frame>(&node.at("players").value);
    if ((name != measureName(ImportanceMeasure::Cosine) && name != measureName(ImportanceMeasure::Match)) ||
        frame == nullptr || frame->rows() != static_cast<std::int64_t>(players))
        return badAnswer();
    found.measure =
        name == measureName(ImportanceMeasure::Match) ? ImportanceMeasure::Match : ImportanceMeasure::Cosine;
    found.values.documents = node.as<std::int64_t>("documents", 0);
    found.values.all = estimateFrom(node.at("all"));
    found.values.none = estimateFrom(node.at("none"));
    found.values.intercept = node.as<double>("intercept", kNone);
    found.values.interceptError = node.as<double>("intercept_error", kNone);
    found.values.r2 = node.as<double>("r2", kNone);
    found.values.players = playersFrom(*frame, found.measure);
    return found;
}

} // namespace

Members importanceResult(const ImportanceResult& result, const ImportanceRun& run)
{
    const bool matches = result.topics > 0;
    return {{"model", result.model},
            {"sha256", Members(run.hashes.begin(), run.hashes.end())},
            {"units", result.groups ? "groups" : "heads"},
            {"ablation", result.ablation},
            {"reference", textOrNull(result.reference)},
            {"documents", result.documents},
            {"all_documents", result.allDocuments},
            {"tokens", run.tokens},
            {"empty", run.empty},
            {"truncated", run.truncated},
            {"non_finite", run.nonFinite},
            {"masks", result.masks},
            {"exhaustive", result.exhaustive},
            {"runs", run.runs},
            {"seed", result.seed},
            {"label", textOrNull(result.label)},
            {"topics", matches ? Node(result.topics) : Node()},
            {"majority", matches ? Node(result.majority) : Node()},
            {"measures", measureNodes(result)},
            {"seconds", run.seconds}};
}

Status takeImportance(const Node& node, ImportanceResult& result)
{
    result.ablation = node.as<std::string>("ablation", {});
    result.reference = node.as<std::string>("reference", {});
    result.documents = node.as<std::int64_t>("documents", 0);
    result.allDocuments = node.as<std::int64_t>("all_documents", 0);
    result.masks = node.as<std::int64_t>("masks", 0);
    result.exhaustive = node.as<bool>("exhaustive", false);
    result.model = node.as<std::string>("model", {});
    result.topics = node.as<std::int64_t>("topics", 0);
    result.majority = std::clamp(node.as<double>("majority", 0), 0.0, 1.0);
    result.measures.clear();
    for (const Node& each : node.as<NodeList>("measures", {}))
    {
        HEADSCOPE_TRY(result.measures.emplace_back(), measureFrom(each, result.players.size()));
    }
    return result.measures.empty() ? Status(badAnswer()) : Status();
}

} // namespace headscope
