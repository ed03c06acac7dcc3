// SPDX-License-Identifier: GPL-3.0-or-later
// The named sets as they are kept for next time, and the filter of a work file.
#include "app/desktop/find/find_controller.h"

#include "app/desktop/find/filter_state.h"
#include "model/data/documents/document_numbers.h"
#include "model/data/documents/id_rows.h"
#include "model/data/result_store.h"
#include "ui/panels/find/find_panel.h"
#include "ui/words/wording.h"

#include <QScopedValueRollback>

#include <optional>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// The rows of these documents; the ids decide, which stay when rows do not.
std::vector<std::int64_t> rowsOf(const KeptSet& set, const DocumentSet& documents, std::int64_t& unknown)
{
    std::vector<std::int64_t> rows;
    std::optional<IdRows> rowOf;
    for (std::size_t i = 0; i < set.documents.size(); ++i)
    {
        const auto row = static_cast<std::size_t>(set.documents[i]);
        if (row < documents.ids.size() && documents.ids[row] == set.ids[i])
        {
            rows.push_back(set.documents[i]);
            continue;
        }
        if (!rowOf)
            rowOf.emplace(documents.ids);
        if (const std::int64_t found = rowOf->row(set.ids[i]); found >= 0)
            rows.push_back(found);
        else
            ++unknown;
    }
    return rows;
}

} // namespace

ui::NamedSets::FromJson FindController::setsOfLastTime() const
{
    const OpenedCache& cache = *m_study.cache();
    const DocumentSet& documents = *cache.overview->documents;
    if (!cache.work) // only of this sitting
        return ui::NamedSets::fromJson(m_setsOf.value(m_setsPath), documents);
    ui::NamedSets::FromJson kept;
    for (const KeptSet& set : cache.work->work.sets)
    {
        const auto index = kept.sets.keep(ui::toQString(set.name), rowsOf(set, documents, kept.unknownIds),
                                          QColor::fromRgb(QRgb(0xFF000000U | set.color)));
        kept.sets.setOnMap(index, set.onMap);
    }
    return kept;
}

void FindController::addWork(ResultStore& work) const
{
    constexpr std::uint32_t kColorBits = 0xFFFFFF;
    if (m_setsDocuments == nullptr)
        return;
    for (const ui::NamedSet& set : hub().sets().all())
    {
        KeptSet kept{ui::toStdString(set.name), set.color.rgb() & kColorBits, set.onMap, {}, {}};
        for (const std::int64_t document : set.documents)
        {
            if (document < 0 || document >= m_setsDocuments->count())
                continue;
            kept.documents.push_back(document);
            kept.ids.push_back(m_setsDocuments->ids[static_cast<std::size_t>(document)]);
        }
        work.sets.push_back(std::move(kept));
    }
}

void FindController::forgetWork()
{
    hub().setSets({});
}

void FindController::saveState(QJsonObject& state) const
{
    state[QStringLiteral("filter")] = conditionsJson(m_conditions);
}

bool FindController::isThere(const FilterCondition& condition) const
{
    const DocumentSet& documents = *m_study.cache()->overview->documents;
    if (const auto* label = std::get_if<LabelCondition>(&condition))
        return documents.label(label->column) != nullptr;
    if (const auto* number = std::get_if<NumberCondition>(&condition))
        return number->source != NumberSource::Column || documentNumbers(documents, number->column).has_value();
    if (const auto* group = std::get_if<GroupCondition>(&condition))
    {
        const QString name = ui::toQString(group->group);
        return name == ui::searchGroupName() || name == ui::choiceGroupName() || hub().sets().find(name).has_value();
    }
    return true;
}

void FindController::restoreState(const QJsonObject& state)
{
    m_wanted = conditionsOf(state.value(QStringLiteral("filter")).toArray(), m_study.cache()->overview->model.heads);
    filterAsWanted();
}

void FindController::filterAsWanted()
{
    std::vector<FilterCondition> conditions = m_wanted;
    std::erase_if(conditions, [this](const FilterCondition& each) { return !isThere(each); });
    // Labels that are joined or merged are there later.
    if (conditions.size() == m_wanted.size())
        m_wanted.clear();
    m_setAsWanted = conditions;
    const QScopedValueRollback<bool> setting(m_filtersAsWanted, true);
    if (conditions != m_conditions)
        m_panel->filter()->setConditions(conditions);
}

} // namespace headscope::desktop
