// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/button_keys.h"

#include <QAbstractButton>
#include <QDialog>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>

namespace headscope::ui
{

ButtonKeys::ButtonKeys(QObject* application) : QObject(application)
{
    application->installEventFilter(this);
}

bool ButtonKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return false;
    const auto& press = *static_cast<QKeyEvent*>(event);
    if ((press.key() != Qt::Key_Return && press.key() != Qt::Key_Enter) ||
        (press.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    auto* button = qobject_cast<QAbstractButton*>(watched);
    if (button == nullptr || !button->isEnabled())
        return false;
    auto* tool = qobject_cast<QToolButton*>(button);
    const auto* push = qobject_cast<const QPushButton*>(button);
    const bool isOfDialog = tool == nullptr && qobject_cast<const QDialog*>(button->window()) != nullptr;
    if (isOfDialog && (push == nullptr || push->autoDefault())) // a dialog presses these itself
        return false;
    if (press.isAutoRepeat())
        return true;
    if (tool != nullptr && tool->popupMode() == QToolButton::InstantPopup && tool->menu() != nullptr)
        tool->showMenu();
    else
        button->click();
    return true;
}

} // namespace headscope::ui
