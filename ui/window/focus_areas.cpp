// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/focus_areas.h"

#include "ui/theme/theme.h"
#include "ui/widgets/first_control.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QScrollArea>

#include <tuple>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr MenuPlace kAreas{MenuId::View, 90};

/// What keys lead to is seen: a scroll area looks only after steps from one part of its own to another.
void bringIntoView(QWidget* focused)
{
    if (focused == nullptr || !focused->visibleRegion().isEmpty())
        return; // what was clicked is seen, and stays under the pointer
    for (QWidget* around = focused; around != nullptr; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around))
            area->ensureWidgetVisible(focused, 0, Metrics::kRelated);
}

} // namespace

FocusAreas::FocusAreas(MainWindow& window, std::vector<QWidget*> areas)
    : QObject(&window), m_window(window), m_areas(std::move(areas))
{
    addCommands();
    connect(qApp, &QApplication::focusChanged, this, [](QWidget*, QWidget* now) { bringIntoView(now); });
}

void FocusAreas::addCommands()
{
    for (const auto& [id, text, keys, step] : {std::tuple("actionNextArea", tr("Next area"), "F6", 1),
                                               std::tuple("actionPreviousArea", tr("Previous area"), "Shift+F6", -1)})
        m_window.actions().add({.id = QLatin1StringView(id),
                                .text = text,
                                .tip = tr("Move the keyboard focus between Data panel, view, side panel and jobs"),
                                .keys = QKeySequence(QLatin1StringView(keys)),
                                .place = kAreas,
                                .act = [this, step = step] { focusNext(step); }});
}

void FocusAreas::focusView()
{
    const ViewEntry* entry = m_window.views().currentEntry();
    if (entry == nullptr)
        return;
    if (entry->focus != nullptr && entry->focus->isVisible())
        entry->focus->setFocus();
    else
        focusFirst(*entry->widget, FirstControl::Any, Qt::TabFocusReason);
}

void FocusAreas::focusNext(int step)
{
    const auto count = static_cast<int>(m_areas.size());
    int now = 0;
    for (int i = 0; i < count; ++i)
        if (m_areas[static_cast<std::size_t>(i)]->isAncestorOf(QApplication::focusWidget()))
            now = i;
    for (int i = 1; i <= count; ++i)
    {
        QWidget* area = m_areas[static_cast<std::size_t>((now + i * step + count * count) % count)];
        if (!area->isVisible())
            continue;
        if (area == &m_window.views())
            return focusView();
        if (focusFirst(*area, FirstControl::Any, Qt::TabFocusReason))
            return;
    }
}

} // namespace headscope::ui
