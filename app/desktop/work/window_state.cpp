// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/window_state.h"

#include "app/desktop/shell/study.h"
#include "app/desktop/work/state_values.h"
#include "ui/state/choices.h"
#include "ui/state/selection_hub.h"
#include "ui/window/main_window.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// Whether a map is the one that a state names: the hash of a run on its way was not known.
bool isNamed(const QJsonObject& named, const QJsonValue& map)
{
    return std::ranges::all_of(named.keys(), [&named, &map](const QString& key) {
        return named.value(key) == QJsonValue(QString()) || named.value(key) == map[key];
    });
}

} // namespace

QStringList lostParts(const QJsonObject& saved, const QJsonObject& now, bool changed)
{
    QStringList lost;
    if (changed)
        lost << ui::tr("documents");
    const QJsonObject before = saved.value(u"choice").toObject();
    const QJsonObject after = now.value(u"choice").toObject();
    for (const auto& [key, name] :
         {std::pair("layer", ui::tr("layer")), std::pair("stage", ui::tr("stage")), std::pair("heads", ui::tr("heads")),
          std::pair("label", ui::tr("labels")), std::pair("color", ui::tr("colour"))})
        if (const QLatin1StringView part(key); before.contains(part) && before.value(part) != after.value(part))
            lost << name;
    const QJsonArray maps = now.value(u"maps").toArray();
    for (const QJsonValue& map : saved.value(u"maps").toArray())
        if (std::ranges::none_of(maps, [&map](const QJsonValue& each) { return isNamed(map.toObject(), each); }))
        {
            lost << ui::tr("maps");
            break;
        }
    if (!changed && saved.contains(u"selection") && saved.value(u"selection") != now.value(u"selection"))
        lost << ui::tr("selection");
    return lost;
}

QJsonObject choiceJson(const ui::Choices& choices)
{
    const ui::Choice& now = choices.now();
    QJsonObject choice{{QStringLiteral("layer"), static_cast<qint64>(now.layer.value())},
                       {QStringLiteral("stage"), ui::toQString(stageName(now.stage))},
                       {QStringLiteral("label"), ui::toQString(now.labelColumn)},
                       {QStringLiteral("color"), ui::toQString(now.color.key())}};
    if (!choices.allHeads())
        choice[QStringLiteral("heads")] = state::rangesText(now.heads);
    return choice;
}

void restoreChoice(Study& study, const QJsonObject& choice)
{
    constexpr std::int64_t kMaxLayers = 100'000;
    ui::Choices& choices = study.choices();
    const std::int64_t heads = study.cache()->overview->model.heads;
    const auto& stages = study.cache()->overview->stages;
    if (state::text(choice, QStringLiteral("layer")) == QStringLiteral("last") && !stages.empty())
        choices.setLayer(stages.rbegin()->first);
    if (const auto layer = state::whole(choice, QStringLiteral("layer"), 0, kMaxLayers))
        choices.setLayer(LayerIndex(*layer));
    if (const auto stage = stageFromName(ui::toStdString(state::text(choice, QStringLiteral("stage")))))
        choices.setStage(*stage);
    if (choice.value(QStringLiteral("heads")) == QStringLiteral("all"))
        choices.chooseAllHeads();
    else if (const QString text = choice.value(QStringLiteral("heads")).toString(); !text.isNull())
        if (const auto ranges = state::rangesOf(text, heads))
            choices.setHeads(*ranges);
    if (choice.contains(QStringLiteral("label")))
        choices.setLabelColumn(ui::toStdString(state::text(choice, QStringLiteral("label"))));
    if (choice.contains(QStringLiteral("color")))
        choices.setColor(ui::ColorChoice::fromKey(ui::toStdString(state::text(choice, QStringLiteral("color")))));
}

QJsonObject selectionJson(const ui::SelectionHub& hub)
{
    const Selection& now = hub.selection();
    QJsonObject selection;
    if (now.points != nullptr)
        selection[QStringLiteral("points")] = state::pointsJson(*now.points);
    else if (!now.documents.empty())
        selection[QStringLiteral("documents")] = state::rangesText(now.documents);
    if (now.primary)
        selection[QStringLiteral("primary")] = static_cast<qint64>(now.primary->value());
    if (now.primaryHead)
        selection[QStringLiteral("primaryHead")] = static_cast<qint64>(now.primaryHead->value());
    if (!hub.litHeads().empty())
        selection[QStringLiteral("lit")] = state::rangesText(hub.litHeads());
    if (const auto shown = hub.shownOnly())
        selection[QStringLiteral("shown")] = QJsonObject{
            {QStringLiteral("name"), shown->name}, {QStringLiteral("documents"), state::rangesText(shown->documents)}};
    return selection;
}

void restoreSelection(Study& study, const QJsonObject& selection)
{
    ui::SelectionHub& hub = study.window().selection();
    const std::int64_t documents = study.cache()->overview->documents->count();
    const std::int64_t heads = study.cache()->overview->model.heads;
    const auto indices = [](const QJsonObject& object, const char* key, std::int64_t count) {
        return state::rangesOf(object.value(QLatin1StringView(key)).toString(), count)
            .value_or(std::vector<std::int64_t>());
    };
    const QJsonObject shown = selection.value(QStringLiteral("shown")).toObject();
    if (auto some = indices(shown, "documents", documents); !some.empty())
        hub.showOnly({state::text(shown, QStringLiteral("name")), std::move(some)});
    if (const auto points = state::pointsOf(selection.value(QStringLiteral("points")).toObject(), documents, heads))
        hub.pickPoints(*points, SetOperation::Replace, study.heads());
    else if (auto chosen = indices(selection, "documents", documents); !chosen.empty())
        hub.setDocuments(std::move(chosen));
    const auto primary = state::whole(selection, QStringLiteral("primary"), 0, documents - 1);
    const auto head = state::whole(selection, QStringLiteral("primaryHead"), 0, heads - 1);
    if (primary)
        hub.setPrimary(DocumentIndex(*primary), head ? std::optional(HeadIndex(*head)) : std::nullopt);
    if (auto lit = indices(selection, "lit", heads); !lit.empty())
        hub.setLitHeads(std::move(lit));
}

void restoreSets(Study& study, const QJsonObject& object)
{
    ui::SelectionHub& hub = study.window().selection();
    const auto read = ui::NamedSets::fromJson(object, *study.cache()->overview->documents);
    if (read.sets == hub.sets())
        return;
    // Those of the work, then what is kept beside the cache and is not among them: nothing is lost.
    ui::NamedSets sets = read.sets;
    for (const ui::NamedSet& kept : hub.sets().all())
    {
        if (const auto same = sets.find(kept.name); same && sets.at(*same).documents == kept.documents)
            continue;
        QString name = kept.name;
        for (int number = 2; sets.find(name); ++number)
            name = QStringLiteral("%1 (%2)").arg(kept.name).arg(number);
        sets.setOnMap(sets.keep(name, kept.documents, kept.color), kept.onMap);
    }
    hub.setSets(std::move(sets));
    if (read.unknownIds > 0)
        study.window().showNotice(ui::tr("%1 of the named sets are not in this cache.")
                                      .arg(ui::countText(read.unknownIds, ui::tr("document"), ui::tr("documents"))));
}

void restoreSwitches(ui::MainWindow& window, const QJsonObject& switches)
{
    for (auto each = switches.begin(); each != switches.end(); ++each)
        if (QAction* action = window.actions().find(each.key()); action != nullptr && action->isCheckable() &&
                                                                 action->isEnabled() && each.value().isBool() &&
                                                                 action->isChecked() != each.value().toBool())
            action->trigger();
}

} // namespace headscope::desktop
