// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/importance_state.h"

#include "app/desktop/work/result_values.h"
#include "app/desktop/work/state_values.h"
#include "model/data/documents/document_set.h"
#include "model/data/model_info.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::array kMeasureWords = {FieldWord{measureName(ImportanceMeasure::Cosine), {}},
                                      FieldWord{measureName(ImportanceMeasure::Match), {}}};

std::string writeRole(const PlayerRole& role)
{
    return std::string(roleName(role, ImportanceMeasure::Match));
}

/// By the name that it has with any measure.
std::string readRole(PlayerRole& role, const std::string& text)
{
    for (const PlayerRole each : {PlayerRole::Undecided, PlayerRole::Facilitating, PlayerRole::Interfering})
        for (const ImportanceMeasure measure : {ImportanceMeasure::Match, ImportanceMeasure::Cosine})
            if (roleName(each, measure) == text)
            {
                role = each;
                return {};
            }
    return "a role";
}

} // namespace

void fields(RecordFields& record, Estimate& estimate)
{
    record("value", estimate.value).required();
    fields(record, estimate.ci95);
}

void fields(RecordFields& record, UnitEffect& player)
{
    record.row("left_out", player.leftOut);
    record.row("alone", player.alone);
    record.row("coefficient", player.coefficient);
    record("standard_error", player.standardError);
    record("document_error", player.documentError);
    record("p", player.p);
    record("q", player.q);
    record.text<writeRole, readRole>("role", player.role);
    record("shapley", player.shapley);
}

void fields(RecordFields& record, NamedValues& each)
{
    record("measure", each.measure, kMeasureWords).required();
    record("documents", each.values.documents).countFrom(0);
    record.row("all", each.values.all);
    record.row("none", each.values.none);
    record("intercept", each.values.intercept);
    record("intercept_error", each.values.interceptError);
    record("r2", each.values.r2);
    record.list("players", each.values.players);
}

void fields(RecordFields& record, CacheAblation& cut)
{
    record("measure", cut.measure, kMeasureWords).required();
    record("documents", cut.documents).countFrom(0);
    record.table("lost", cut.lost);
}

} // namespace headscope

namespace headscope::desktop
{
namespace
{

/// As a work file has it: what the players are follows from the layer.
struct KeptImportance
{
    ImportanceComparison all;
    std::string origin;
    std::string labels; ///< digest of the column
    std::string rows;   ///< as ranges
    std::int64_t layer = 0;
};

void fields(RecordFields& record, KeptImportance& kept)
{
    ImportanceResult& result = kept.all.inModel;
    record("origin", kept.origin).required();
    record("labels", kept.labels);
    record("layer", kept.layer).required().countFrom(0);
    record("groups", result.groups);
    record("ablation", result.ablation).oneOf({"zero", "mean"});
    record("reference", result.reference);
    record("documents", result.documents).countFrom(0);
    record("all_documents", result.allDocuments).countFrom(0);
    record("masks", result.masks).countFrom(0);
    record("exhaustive", result.exhaustive);
    record("seed", result.seed);
    record("model", result.model);
    record("label", result.label);
    record("topics", result.topics).countFrom(0);
    record("majority", result.majority).within(0, 1);
    record("rows", kept.rows);
    record("cut_missing", kept.all.cutMissing);
    record.texts("notices", kept.all.notices);
    record.list("measures", result.measures);
    record.list("cuts", kept.all.ofCache);
}

std::string digestOfLabels(const std::string& column, const DocumentSet& documents)
{
    return column.empty() ? std::string() : state::labelDigest(documents.label(column));
}

/// Whether there is something of all players, and of each measure once.
bool isWhole(const ImportanceComparison& comparison)
{
    const ImportanceResult& result = comparison.inModel;
    const auto players = std::ssize(result.players);
    return !result.measures.empty() && std::ranges::all_of(result.measures, [&](const NamedValues& each) {
        return std::ssize(each.values.players) == players && result.find(each.measure) == &each.values;
    }) && std::ranges::all_of(comparison.ofCache, [players](const CacheAblation& cut) {
        return std::ssize(cut.lost) == players;
    });
}

} // namespace

QJsonObject importanceJson(const ImportanceComparison& comparison, const DocumentSet& documents)
{
    const ImportanceResult& result = comparison.inModel;
    const KeptImportance kept{comparison, comparison.origin.hash, digestOfLabels(result.label, documents),
                              ui::toStdString(state::rangesText(comparison.rows)),
                              result.players.empty() ? 0 : result.players.front().layer};
    return state::recordObject(recordOf(kept));
}

std::optional<ImportanceComparison> importanceOf(const QJsonObject& object, const Origin& origin,
                                                 const ModelInfo& model, const DocumentSet& documents)
{
    KeptImportance kept;
    ImportanceResult& result = kept.all.inModel;
    if (origin.hash.empty() || !state::takeRecord(object, recordOf(kept)) || kept.origin != origin.hash ||
        kept.labels != digestOfLabels(result.label, documents) || kept.layer >= model.layers)
        return std::nullopt;
    const std::int64_t units = result.groups ? model.heads / std::max<std::int64_t>(1, model.groupSize()) : model.heads;
    for (std::int64_t unit = 0; unit < units; ++unit)
        result.players.push_back({kept.layer, unit});
    kept.all.origin = result.origin = origin;
    kept.all.rows = state::rangesOf(ui::toQString(kept.rows), documents.count()).value_or(std::vector<std::int64_t>());
    return isWhole(kept.all) ? std::optional(std::move(kept.all)) : std::nullopt;
}

} // namespace headscope::desktop
