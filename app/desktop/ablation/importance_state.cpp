// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/ablation/importance_state.h"

#include "app/desktop/work/result_values.h"
#include "app/desktop/work/state_values.h"
#include "model/data/documents/document_set.h"
#include "model/data/model_info.h"
#include "ui/words/wording.h"

#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr std::size_t kMaxNotices = 20;

QJsonArray estimateJson(const Estimate& estimate)
{
    return {state::numberJson(estimate.value), state::numberJson(estimate.ci95.low),
            state::numberJson(estimate.ci95.high)};
}

Estimate estimateIn(const QJsonValue& value)
{
    const QJsonArray numbers = value.toArray();
    if (numbers.size() != 3)
        return {};
    return {state::numberOf(numbers[0]), {state::numberOf(numbers[1]), state::numberOf(numbers[2])}};
}

QJsonObject playerJson(const UnitEffect& player, ImportanceMeasure measure)
{
    return {{QStringLiteral("left_out"), estimateJson(player.leftOut)},
            {QStringLiteral("alone"), estimateJson(player.alone)},
            {QStringLiteral("coefficient"), estimateJson(player.coefficient)},
            {QStringLiteral("standard_error"), state::numberJson(player.standardError)},
            {QStringLiteral("role"), ui::toQString(roleName(player.role, measure))},
            {QStringLiteral("shapley"), state::numberJson(player.shapley)}};
}

UnitEffect playerIn(const QJsonObject& object, ImportanceMeasure measure)
{
    UnitEffect player;
    player.leftOut = estimateIn(object.value(u"left_out"));
    player.alone = estimateIn(object.value(u"alone"));
    player.coefficient = estimateIn(object.value(u"coefficient"));
    player.standardError = state::numberOf(object.value(u"standard_error"));
    for (const PlayerRole role : {PlayerRole::Facilitating, PlayerRole::Interfering})
        if (object.value(u"role").toString() == ui::toQString(roleName(role, measure)))
            player.role = role;
    player.shapley = state::numberOf(object.value(u"shapley"));
    return player;
}

std::optional<ImportanceMeasure> measureIn(const QJsonObject& object)
{
    for (const ImportanceMeasure measure : {ImportanceMeasure::Cosine, ImportanceMeasure::Match})
        if (object.value(u"measure").toString() == ui::toQString(measureName(measure)))
            return measure;
    return std::nullopt;
}

QJsonArray measuresJson(const ImportanceResult& result)
{
    QJsonArray all;
    for (const NamedValues& each : result.measures)
    {
        QJsonArray players;
        for (const UnitEffect& player : each.values.players)
            players.append(playerJson(player, each.measure));
        all.append(QJsonObject{{QStringLiteral("measure"), ui::toQString(measureName(each.measure))},
                               {QStringLiteral("documents"), static_cast<qint64>(each.values.documents)},
                               {QStringLiteral("all"), estimateJson(each.values.all)},
                               {QStringLiteral("none"), estimateJson(each.values.none)},
                               {QStringLiteral("intercept"), state::numberJson(each.values.intercept)},
                               {QStringLiteral("intercept_error"), state::numberJson(each.values.interceptError)},
                               {QStringLiteral("r2"), state::numberJson(each.values.r2)},
                               {QStringLiteral("players"), players}});
    }
    return all;
}

/// Fills the measures; false where one is not of these players.
bool takeMeasures(const QJsonArray& all, ImportanceResult& result)
{
    for (const QJsonValue& each : all)
    {
        const QJsonObject object = each.toObject();
        const auto measure = measureIn(object);
        const QJsonArray players = object.value(u"players").toArray();
        if (!measure || players.size() != std::ssize(result.players) || result.find(*measure) != nullptr)
            return false;
        NamedValues values{*measure, {}};
        values.values.documents = state::countOf(object, "documents");
        values.values.all = estimateIn(object.value(u"all"));
        values.values.none = estimateIn(object.value(u"none"));
        values.values.intercept = state::numberOf(object.value(u"intercept"));
        values.values.interceptError = state::numberOf(object.value(u"intercept_error"));
        values.values.r2 = state::numberOf(object.value(u"r2"));
        for (const QJsonValue& player : players)
            values.values.players.push_back(playerIn(player.toObject(), *measure));
        result.measures.push_back(std::move(values));
    }
    return !result.measures.empty();
}

/// Fills the values of a cut; false where they are not of these players.
bool takeCuts(const QJsonArray& all, ImportanceComparison& comparison)
{
    for (const QJsonValue& each : all)
    {
        const QJsonObject object = each.toObject();
        const auto measure = measureIn(object);
        const QJsonArray lost = object.value(u"lost").toArray();
        if (!measure || lost.size() != std::ssize(comparison.inModel.players))
            return false;
        CacheAblation cut{*measure, state::countOf(object, "documents"), {}};
        for (const QJsonValue& value : lost)
            cut.lost.push_back(estimateIn(value));
        comparison.ofCache.push_back(std::move(cut));
    }
    return true;
}

/// The heads or groups of a layer; empty where there is no such layer.
std::vector<AblationUnit> playersIn(const QJsonObject& object, bool groups, const ModelInfo& model)
{
    const auto layer = state::whole(object, QStringLiteral("layer"), 0, std::max<std::int64_t>(0, model.layers - 1));
    std::vector<AblationUnit> players;
    const std::int64_t units = groups ? model.heads / std::max<std::int64_t>(1, model.groupSize()) : model.heads;
    for (std::int64_t unit = 0; layer && unit < units; ++unit)
        players.push_back({*layer, unit});
    return players;
}

std::string digestOfLabels(const std::string& column, const DocumentSet& documents)
{
    return column.empty() ? std::string() : state::labelDigest(documents.label(column));
}

} // namespace

QJsonObject importanceJson(const ImportanceComparison& comparison, const DocumentSet& documents)
{
    const ImportanceResult& result = comparison.inModel;
    QJsonArray cuts;
    for (const CacheAblation& cut : comparison.ofCache)
    {
        QJsonArray lost;
        for (const Estimate& each : cut.lost)
            lost.append(estimateJson(each));
        cuts.append(QJsonObject{{QStringLiteral("measure"), ui::toQString(measureName(cut.measure))},
                                {QStringLiteral("documents"), static_cast<qint64>(cut.documents)},
                                {QStringLiteral("lost"), lost}});
    }
    QJsonArray notices;
    for (const std::string& notice : comparison.notices)
        notices.append(ui::toQString(notice));
    const std::int64_t layer = result.players.empty() ? 0 : result.players.front().layer;
    return {{QStringLiteral("origin"), ui::toQString(comparison.origin.hash)},
            {QStringLiteral("labels"), ui::toQString(digestOfLabels(result.label, documents))},
            {QStringLiteral("layer"), static_cast<qint64>(layer)},
            {QStringLiteral("groups"), result.groups},
            {QStringLiteral("ablation"), ui::toQString(result.ablation)},
            {QStringLiteral("reference"), ui::toQString(result.reference)},
            {QStringLiteral("documents"), static_cast<qint64>(result.documents)},
            {QStringLiteral("all_documents"), static_cast<qint64>(result.allDocuments)},
            {QStringLiteral("masks"), static_cast<qint64>(result.masks)},
            {QStringLiteral("exhaustive"), result.exhaustive},
            {QStringLiteral("seed"), static_cast<qint64>(result.seed)},
            {QStringLiteral("model"), ui::toQString(result.model)},
            {QStringLiteral("label"), ui::toQString(result.label)},
            {QStringLiteral("topics"), static_cast<qint64>(result.topics)},
            {QStringLiteral("majority"), result.majority},
            {QStringLiteral("rows"), state::rangesText(comparison.rows)},
            {QStringLiteral("measures"), measuresJson(result)},
            {QStringLiteral("cuts"), cuts},
            {QStringLiteral("cut_missing"), ui::toQString(comparison.cutMissing)},
            {QStringLiteral("notices"), notices}};
}

std::optional<ImportanceComparison> importanceOf(const QJsonObject& object, const Origin& origin,
                                                 const ModelInfo& model, const DocumentSet& documents)
{
    const auto text = [&object](const char* key) {
        return ui::toStdString(state::text(object, QLatin1StringView(key)));
    };
    ImportanceComparison comparison;
    ImportanceResult& result = comparison.inModel;
    comparison.origin = result.origin = origin;
    result.label = text("label");
    if (origin.hash.empty() || text("origin") != origin.hash ||
        text("labels") != digestOfLabels(result.label, documents))
        return std::nullopt;
    result.groups = state::flag(object, QStringLiteral("groups")).value_or(false);
    result.players = playersIn(object, result.groups, model);
    result.ablation = text("ablation") == "mean" ? "mean" : "zero";
    result.reference = text("reference");
    result.documents = state::countOf(object, "documents");
    result.allDocuments = state::countOf(object, "all_documents");
    result.masks = state::countOf(object, "masks");
    result.exhaustive = state::flag(object, QStringLiteral("exhaustive")).value_or(false);
    result.seed = static_cast<std::uint64_t>(state::countOf(object, "seed"));
    result.model = text("model");
    result.topics = state::countOf(object, "topics");
    result.majority = state::number(object, QStringLiteral("majority"), 0, 1).value_or(0);
    comparison.cutMissing = text("cut_missing");
    comparison.rows =
        state::rangesOf(object.value(u"rows").toString(), documents.count()).value_or(std::vector<std::int64_t>());
    const QJsonArray notices = object.value(u"notices").toArray();
    for (const QJsonValue& notice : notices)
        if (comparison.notices.size() < kMaxNotices)
            comparison.notices.push_back(ui::toStdString(notice.toString()));
    if (!takeMeasures(object.value(u"measures").toArray(), result) ||
        !takeCuts(object.value(u"cuts").toArray(), comparison))
        return std::nullopt;
    return comparison;
}

} // namespace headscope::desktop
