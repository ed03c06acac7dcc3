// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/window_keys.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

#include <algorithm>
#include <array>

namespace headscope::ui
{
namespace
{

bool isField(const QObject* object)
{
    return qobject_cast<const QLineEdit*>(object) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(object) != nullptr ||
           qobject_cast<const QPlainTextEdit*>(object) != nullptr ||
           qobject_cast<const QTextEdit*>(object) != nullptr || qobject_cast<const QComboBox*>(object) != nullptr;
}

/// Shift+F10 stands for the key that many keyboards lack.
bool isMenuKey(const QKeyEvent& press)
{
    return press.key() == Qt::Key_F10 && press.modifiers() == Qt::ShiftModifier;
}

/// Opens a widget's menu where Qt does for the key itself.
/// @return whether there was one
bool openMenu(QWidget& widget)
{
    const QPoint place = widget.inputMethodQuery(Qt::ImCursorRectangle).toRect().center();
    QContextMenuEvent menu(QContextMenuEvent::Keyboard, place, widget.mapToGlobal(place));
    QCoreApplication::sendEvent(&widget, &menu);
    return menu.isAccepted();
}

/// Whether an action of the field's own window has this key wherever in the window the focus is.
bool isKeyOfWindow(const QWidget& field, const QKeyEvent& press)
{
    const QKeySequence keys(QKeyCombination(press.modifiers() & ~Qt::KeypadModifier, Qt::Key(press.key())));
    const auto actions = field.window()->findChildren<QAction*>();
    return std::ranges::any_of(actions, [&keys](const QAction* action) {
        return action->shortcutContext() != Qt::WidgetShortcut &&
               action->shortcutContext() != Qt::WidgetWithChildrenShortcut && action->shortcuts().contains(keys);
    });
}

} // namespace

bool isKeyOfFields(const QKeyEvent& press)
{
    if ((press.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == Qt::NoModifier)
        return true;
    static constexpr std::array kStandard{QKeySequence::Copy, QKeySequence::Cut,  QKeySequence::Paste,
                                          QKeySequence::Undo, QKeySequence::Redo, QKeySequence::SelectAll};
    static constexpr std::array kCursor{Qt::Key_Left,   Qt::Key_Right,     Qt::Key_Up,     Qt::Key_Down,
                                        Qt::Key_Home,   Qt::Key_End,       Qt::Key_PageUp, Qt::Key_PageDown,
                                        Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Insert, Qt::Key_Tab,
                                        Qt::Key_Return, Qt::Key_Enter};
    return std::ranges::any_of(kStandard, [&press](auto key) { return press.matches(key); }) ||
           std::ranges::find(kCursor, press.key()) != kCursor.end();
}

WindowKeys::WindowKeys(QObject* application) : QObject(application)
{
    application->installEventFilter(this);
}

bool WindowKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && watched->isWidgetType() &&
        isMenuKey(static_cast<const QKeyEvent&>(*event)))
        return openMenu(static_cast<QWidget&>(*watched));
    if (event->type() != QEvent::ShortcutOverride || !isField(watched))
        return QObject::eventFilter(watched, event);
    const auto& press = static_cast<const QKeyEvent&>(*event);
    if (isKeyOfFields(press) || !isKeyOfWindow(static_cast<const QWidget&>(*watched), press))
        return QObject::eventFilter(watched, event);
    event->ignore(); // not claimed: the action has it
    return true;
}

} // namespace headscope::ui
