// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_keys.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace headscope::ui
{
namespace
{

/// Whether a control has a use of its own for Page Up and Page Down.
bool pages(const QWidget* widget)
{
    return qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
           qobject_cast<const QPlainTextEdit*>(widget) != nullptr ||
           qobject_cast<const QTextEdit*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
}

/// A closed box: these keys would change what a view shows, and are the lesson's; its up and down choose in it.
bool isChoice(const QWidget* widget)
{
    return qobject_cast<const QComboBox*>(widget) != nullptr;
}

/// Whether a control has a use of its own for Left and Right.
bool movesSideways(const QWidget* widget)
{
    return qobject_cast<const QAbstractSlider*>(widget) != nullptr ||
           qobject_cast<const QLineEdit*>(widget) != nullptr || isChoice(widget) || pages(widget);
}

} // namespace

LessonKeys::LessonKeys(QWidget* column, QWidget* picture, QObject* parent)
    : QObject(parent), m_column(column), m_picture(picture)
{
    qApp->installEventFilter(this);
}

bool LessonKeys::isOfLesson(const QWidget* widget) const
{
    const auto inside = [widget](const QWidget* part) {
        return part != nullptr && (part == widget || part->isAncestorOf(widget));
    };
    return inside(m_column) || inside(m_picture);
}

bool LessonKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (!m_on || event->type() != QEvent::KeyPress || QApplication::activePopupWidget() != nullptr ||
        QApplication::activeModalWidget() != nullptr)
        return QObject::eventFilter(watched, event);
    const auto* widget = qobject_cast<QWidget*>(watched);
    const auto* press = static_cast<QKeyEvent*>(event);
    if (widget == nullptr || m_column == nullptr || widget->window() != m_column->window() ||
        (press->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return QObject::eventFilter(watched, event);
    const bool ofLesson = isOfLesson(widget);
    const bool forward = press->key() == Qt::Key_PageDown || (press->key() == Qt::Key_Right && ofLesson);
    const bool back = press->key() == Qt::Key_PageUp || (press->key() == Qt::Key_Left && ofLesson);
    const bool sideways = press->key() == Qt::Key_Right || press->key() == Qt::Key_Left;
    if ((forward || back) && !(sideways ? movesSideways(widget) : pages(widget)))
    {
        if (forward)
            Q_EMIT nextAsked();
        else
            Q_EMIT backAsked();
        return true;
    }
    if (press->key() == Qt::Key_Escape && ofLesson)
    {
        Q_EMIT endAsked();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace headscope::ui
