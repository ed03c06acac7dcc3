// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/document/document_menu.h"

#include "ui/models/roles.h"
#include "ui/panels/document/inspector.h"
#include "ui/state/selection_hub.h"
#include "ui/window/main_window.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>

#include <memory>
#include <utility>

namespace headscope::ui
{
namespace
{

/// The list that a part belongs to; null: to none.
QAbstractItemView* listAround(QWidget* part)
{
    for (QWidget* widget = part; widget != nullptr; widget = widget->parentWidget())
        if (auto* list = qobject_cast<QAbstractItemView*>(widget))
            return list;
    return nullptr;
}

std::optional<DocumentIndex> documentOf(const QModelIndex& index)
{
    const QVariant document = index.data(DocumentRole);
    return document.isValid() ? std::optional(DocumentIndex(document.toLongLong())) : std::nullopt;
}

} // namespace

DocumentMenu::DocumentMenu(MainWindow& window, QObject* parent) : QObject(parent), m_window(window)
{
    // What no part of the window has taken comes up to here.
    window.centralWidget()->installEventFilter(this);
}

void DocumentMenu::add(DocumentCommand command)
{
    m_commands.push_back(std::move(command));
}

void DocumentMenu::fill(QMenu& menu, DocumentIndex document) const
{
    menu.setToolTipsVisible(true);
    for (const DocumentCommand& command : m_commands)
    {
        if (command.isOffered && !command.isOffered())
            continue;
        const QString whyNot = command.whyNot ? command.whyNot() : QString();
        QAction* action = menu.addAction(command.text, this, [act = command.act, document] { act(document); });
        action->setEnabled(whyNot.isEmpty());
        action->setToolTip(whyNot.isEmpty() ? command.tip : whyNot);
        action->setStatusTip(action->toolTip());
    }
}

void DocumentMenu::fillForHovered(QMenu& menu) const
{
    if (const auto hovered = m_window.selection().selection().hovered)
        fill(menu, *hovered);
}

std::optional<DocumentIndex> DocumentMenu::documentOf(QWidget& area, const QContextMenuEvent& event) const
{
    const Selection& selection = m_window.selection().selection();
    const bool byKey = event.reason() == QContextMenuEvent::Keyboard;
    QWidget* const part = byKey ? QApplication::focusWidget() : area.childAt(event.pos());
    if (QAbstractItemView* const list = listAround(part))
        return headscope::ui::documentOf(byKey ? list->currentIndex()
                                               : list->indexAt(list->viewport()->mapFrom(&area, event.pos())));
    const bool inInspector = part != nullptr && m_window.inspector().isAncestorOf(part);
    if (inInspector)
        return selection.primary;
    return selection.hovered; // by pointer or keys; a document that was clicked before is not meant
}

bool DocumentMenu::eventFilter(QObject* watched, QEvent* event)
{
    auto* area = qobject_cast<QWidget*>(watched);
    if (event->type() != QEvent::ContextMenu || area == nullptr || m_window.overview() == nullptr)
        return false;
    const auto& asked = static_cast<const QContextMenuEvent&>(*event);
    auto menu = std::make_unique<QMenu>(area);
    menu->setObjectName(QStringLiteral("documentMenu"));
    if (const auto document = documentOf(*area, asked))
        fill(*menu, *document);
    const bool byKey = asked.reason() == QContextMenuEvent::Keyboard;
    Q_EMIT menuMade(menu.get(), byKey ? QApplication::focusWidget() : area->childAt(asked.pos()));
    if (menu->isEmpty())
        return false;
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu.release()->popup(asked.globalPos());
    return true;
}

} // namespace headscope::ui
