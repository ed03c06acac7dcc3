// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QString>
#include <QTest>

namespace headscope::test
{

/// Controls of a view that the keyboard reaches and that have neither a name nor a text; empty: all is well.
inline QString namelessControls(const QWidget& view)
{
    QString nameless;
    for (const QWidget* widget : view.findChildren<QWidget*>())
    {
        if (widget->focusPolicy() == Qt::NoFocus || qobject_cast<const QLabel*>(widget) != nullptr ||
            qobject_cast<const QAbstractScrollArea*>(widget) != nullptr)
            continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (widget->accessibleName().isEmpty() && (button == nullptr || button->text().isEmpty()))
            nameless += widget->objectName() + QLatin1Char(' ') +
                        QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char('\n');
    }
    return nameless;
}

/// Presses, moves in three steps and lets go.
inline void dragIn(QWidget* widget, QPointF from, QPointF to)
{
    QTest::mousePress(widget, Qt::LeftButton, {}, from.toPoint());
    for (const double share : {0.3, 0.7, 1.0})
    {
        const QPointF at = from + share * (to - from);
        QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    }
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to.toPoint());
}

} // namespace headscope::test
