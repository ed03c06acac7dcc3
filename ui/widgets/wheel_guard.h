// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QObject>
#include <QWidget>

namespace headscope::ui
{

/// Watches a field of a form that scrolls: a wheel over it scrolls the form; only a field that has the focus
/// takes it.
class WheelGuard : public QObject
{
public:
    /// @param field  also owns the guard
    explicit WheelGuard(QWidget* field) : QObject(field)
    {
        field->setFocusPolicy(Qt::StrongFocus);
        field->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* object, QEvent* event) override
    {
        if (event->type() != QEvent::Wheel || static_cast<QWidget*>(object)->hasFocus())
            return QObject::eventFilter(object, event);
        event->ignore();
        return true;
    }
};

} // namespace headscope::ui
