// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions.h"

#include "model/base/assert.h"
#include "ui/window/shortcuts.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

/// Of an action in a menu, as its property: the section it stands in.
constexpr const char* kSection = "menuSection";
constexpr int kGroup = 10; ///< of the toolbar: numbers of one group have the same tens

} // namespace

Actions::Actions(QMenuBar& bar, Shortcuts& shortcuts, QObject* parent) : QObject(parent), m_shortcuts(shortcuts)
{
    const std::pair<MenuId, QString> titles[] = {{MenuId::File, tr("&File")}, {MenuId::Edit, tr("&Edit")},
                                                 {MenuId::View, tr("&View")}, {MenuId::Heads, tr("Hea&ds")},
                                                 {MenuId::Map, tr("&Map")},   {MenuId::Analyse, tr("&Analyse")},
                                                 {MenuId::Help, tr("&Help")}};
    for (const auto& [id, title] : titles)
        m_menus[id] = bar.addMenu(title);
}

QAction* Actions::make(ActionSpec spec)
{
    HEADSCOPE_ASSERT(find(spec.id) == nullptr);
    auto* action = new QAction(spec.text, this);
    action->setObjectName(spec.id);
    action->setStatusTip(spec.tip);
    action->setShortcut(spec.keys);
    m_shortcuts.add(action); // with the user's keys; the tool tip tells them
    connect(action, &QAction::triggered, action, [this] { Q_EMIT commanded(); });
    if (spec.toggled)
    {
        action->setCheckable(true);
        action->setChecked(spec.on);
        connect(action, &QAction::toggled, action, [this, id = spec.id] { Q_EMIT switched(id); });
        connect(action, &QAction::toggled, this, spec.toggled);
    }
    if (spec.act)
        connect(action, &QAction::triggered, this, spec.act);
    if (spec.enabled)
        action->setEnabled(spec.enabled());
    const bool inToolBar = spec.toolBar > 0;
    m_entries.push_back({std::move(spec), action});
    if (inToolBar)
        refill();
    return action;
}

QAction* Actions::add(ActionSpec spec)
{
    const MenuPlace where = spec.place;
    QAction* action = make(std::move(spec));
    place(action, where);
    Q_EMIT added(action);
    return action;
}

QMenu* Actions::addMenu(MenuPlace where, const QString& title, const QString& tip)
{
    auto* inner = new QMenu(title, menu(where.menu));
    inner->menuAction()->setStatusTip(tip);
    place(inner->menuAction(), where);
    return inner;
}

QAction* Actions::addTo(QMenu* menu, ActionSpec spec)
{
    QAction* action = make(std::move(spec));
    menu->addAction(action);
    Q_EMIT added(action);
    return action;
}

void Actions::place(QAction* action, MenuPlace where)
{
    QMenu* target = menu(where.menu);
    action->setProperty(kSection, where.section);
    const QList<QAction*> there = target->actions();
    const auto section = [](const QAction* each) { return each->property(kSection).toInt(); };
    const auto next = std::ranges::find_if(there, [&](const QAction* each) { return section(each) > where.section; });
    QAction* before = next == there.end() ? nullptr : *next;
    target->insertAction(before, action);
    const bool alone = std::ranges::none_of(there, [&](const QAction* each) { return section(each) == where.section; });
    if (!alone || there.isEmpty())
        return;
    // A new section: the line belongs to the section behind it.
    if (before == nullptr || before != there.front())
        target->insertSeparator(action)->setProperty(kSection, where.section);
    else
        target->insertSeparator(before)->setProperty(kSection, section(before));
}

void Actions::replace(const QString& id, std::function<void()> act, std::function<bool()> enabled)
{
    const auto entry = std::ranges::find_if(m_entries, [&id](const Entry& each) { return each.spec.id == id; });
    if (entry == m_entries.end())
        return;
    disconnect(entry->action, &QAction::triggered, this, nullptr);
    connect(entry->action, &QAction::triggered, this, std::move(act));
    entry->spec.enabled = std::move(enabled);
    entry->action->setEnabled(entry->spec.enabled());
}

QAction* Actions::find(const QString& id) const
{
    const auto found = std::ranges::find_if(m_entries, [&id](const Entry& entry) { return entry.spec.id == id; });
    return found == m_entries.end() ? nullptr : found->action;
}

std::vector<QAction*> Actions::kept() const
{
    std::vector<QAction*> all;
    for (const Entry& entry : m_entries)
        if (entry.spec.kept)
            all.push_back(entry.action);
    return all;
}

std::map<QString, QAction*> Actions::switches() const
{
    std::map<QString, QAction*> switches;
    for (const Entry& entry : m_entries)
        if (entry.action->isCheckable() && entry.action->actionGroup() == nullptr && !entry.spec.kept)
            switches[entry.spec.id] = entry.action;
    return switches;
}

bool Actions::builtIn(const QAction* action) const
{
    const auto found = std::ranges::find(m_entries, action, &Entry::action);
    return found != m_entries.end() && found->spec.on;
}

void Actions::refresh()
{
    for (const Entry& entry : m_entries)
        if (entry.spec.enabled)
            entry.action->setEnabled(entry.spec.enabled());
}

void Actions::fill(QToolBar& bar)
{
    m_toolBar = &bar;
    refill();
}

void Actions::refill()
{
    if (m_toolBar == nullptr)
        return;
    std::vector<const Entry*> shown;
    for (const Entry& entry : m_entries)
        if (entry.spec.toolBar > 0)
            shown.push_back(&entry);
    std::ranges::stable_sort(shown, {}, [](const Entry* entry) { return entry->spec.toolBar; });
    m_toolBar->clear();
    for (std::size_t i = 0; i < shown.size(); ++i)
    {
        if (i > 0 && shown[i]->spec.toolBar / kGroup != shown[i - 1]->spec.toolBar / kGroup)
            m_toolBar->addSeparator();
        m_toolBar->addAction(shown[i]->action);
        m_toolBar->widgetForAction(shown[i]->action)->setFocusPolicy(Qt::TabFocus); // a toolbar takes it away
    }
}

} // namespace headscope::ui
