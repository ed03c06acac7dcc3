// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPointer>
#include <QScrollBar>
#include <QStringList>
#include <QTabBar>
#include <QTest>
#include <QTextDocumentFragment>
#include <QTextEdit>

#include <algorithm>
#include <set>

/// Walks a window as someone without mouse or eyes does: which controls have no name, say nothing
/// about themselves, or are never reached by Tab.
namespace headscope::test
{

/// A part of a control that Qt makes and speaks for by itself.
inline bool isInner(const QWidget* widget)
{
    const QWidget* parent = widget->parentWidget();
    const auto* area = qobject_cast<const QAbstractScrollArea*>(parent);
    return (area != nullptr && area->viewport() == widget) || widget->objectName().startsWith(QStringLiteral("qt_")) ||
           qobject_cast<const QScrollBar*>(widget) || qobject_cast<const QHeaderView*>(widget) ||
           qobject_cast<const QMenuBar*>(widget) || widget->inherits("QTableCornerButton") ||
           widget->inherits("QComboBoxPrivateContainer") || widget->inherits("QMenu") ||
           (parent != nullptr &&
            (qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent) ||
             qobject_cast<const QTabBar*>(parent) || qobject_cast<const QLineEdit*>(parent) ||
             parent->inherits("QKeySequenceEdit") || parent->inherits("QComboBoxPrivateContainer")));
}

/// Whether someone acts on it: by its kind, or because it takes the keyboard.
inline bool isControl(const QWidget* widget)
{
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget) ||
           qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QAbstractSlider*>(widget) || qobject_cast<const QPlainTextEdit*>(widget) ||
           qobject_cast<const QTextEdit*>(widget) || qobject_cast<const QAbstractItemView*>(widget) ||
           qobject_cast<const QTabBar*>(widget) || (widget->focusPolicy() & Qt::TabFocus) != 0;
}

/// "QPushButton mapPause in MapView": enough to find it in the code.
inline QString placeOf(const QWidget* widget)
{
    QString text = QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName();
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget);
        button != nullptr && !button->text().isEmpty())
        text += QStringLiteral(" \"%1\"").arg(button->text());
    for (const QWidget* parent = widget->parentWidget(); parent != nullptr; parent = parent->parentWidget())
        if (!parent->objectName().isEmpty() && parent->objectName() != QStringLiteral("canvas"))
            return text + QStringLiteral(" in ") + QString::fromLatin1(parent->metaObject()->className()) + u' ' +
                   parent->objectName();
    return text;
}

/// The controls of a window that can be seen and used now.
inline QList<QWidget*> controlsOf(QWidget& window)
{
    QList<QWidget*> controls;
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && widget->window() == window.window() && !isInner(widget) &&
            isControl(widget))
            controls << widget;
    return controls;
}

/// What Tab visits, from what has the focus until it comes round.
inline std::set<QWidget*> visitedByTab(QWidget& window, QStringList& problems)
{
    std::set<QWidget*> visited;
    constexpr int kMost = 400;
    QWidget* first = QApplication::focusWidget();
    if (first == nullptr || first->window() != window.window())
    {
        // A dialog that has just come may not have the keyboard yet.
        QApplication::setActiveWindow(window.window());
        for (QWidget* child : controlsOf(window))
            if ((child->focusPolicy() & Qt::TabFocus) != 0)
            {
                child->setFocus(Qt::TabFocusReason);
                break;
            }
        QTest::keyClick(&window, Qt::Key_Tab);
        first = QApplication::focusWidget();
    }
    QPointer<QWidget> now = first;
    for (int i = 0; i < kMost && now != nullptr; ++i)
    {
        visited.insert(now);
        for (QWidget* proxy = now->parentWidget(); proxy != nullptr; proxy = proxy->parentWidget())
            if (proxy->focusProxy() == now)
                visited.insert(proxy);
        QTest::keyClick(now, Qt::Key_Tab);
        QWidget* next = QApplication::focusWidget();
        if (next == now)
        {
            problems << QStringLiteral("Tab does not leave ") + placeOf(now);
            next = now->nextInFocusChain();
            if (next == nullptr)
                break;
            next->setFocus(Qt::TabFocusReason);
            next = QApplication::focusWidget();
        }
        now = next;
        if (now == first)
            break;
    }
    return visited;
}

/// What Tab visits from `first` on until it comes round, or Shift+Tab.
inline QList<QWidget*> tabOrder(QWidget* first, Qt::Key key)
{
    QList<QWidget*> order;
    constexpr int kMost = 400;
    first->setFocus(Qt::TabFocusReason);
    for (QPointer<QWidget> now = QApplication::focusWidget(); now != nullptr && order.size() < kMost;
         now = QApplication::focusWidget())
    {
        if (order.contains(now))
            break;
        order << now;
        QTest::keyClick(now, key, key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier);
    }
    return order;
}

/// Where Tab comes back into a part of the window that it had left: what was made late is at the end of its order.
inline QStringList problemsOfReturns(QWidget* first, const QWidget* part)
{
    QStringList problems;
    bool wasInside = false;
    bool hasLeft = false;
    for (QWidget* each : tabOrder(first, Qt::Key_Tab))
    {
        const bool isInside = part->isAncestorOf(each);
        hasLeft = hasLeft || (wasInside && !isInside);
        if (isInside && hasLeft)
            problems << QStringLiteral("Tab visits it after other parts of the window: ") + placeOf(each);
        wasInside = wasInside || isInside;
    }
    return problems;
}

/// Where Shift+Tab does not lead back the way that Tab came.
inline QStringList problemsOfBacktab(QWidget* first)
{
    const QList<QWidget*> forwards = tabOrder(first, Qt::Key_Tab);
    QList<QWidget*> backwards = tabOrder(first, Qt::Key_Backtab);
    if (!backwards.isEmpty())
    {
        backwards << backwards.takeFirst(); // where both begin
        std::reverse(backwards.begin(), backwards.end());
    }
    QStringList problems;
    for (QWidget* each : forwards)
        if (!backwards.contains(each))
            problems << QStringLiteral("not reached by Shift+Tab: ") + placeOf(each);
    for (QWidget* each : backwards)
        if (!forwards.contains(each))
            problems << QStringLiteral("not reached by Tab, but by Shift+Tab: ") + placeOf(each);
    if (problems.isEmpty() && forwards != backwards)
        problems << QStringLiteral("Shift+Tab visits them in another order");
    return problems;
}

/// What assistive technology is told of an interface, and of all that is in it.
/// @return how many texts that were not empty
inline std::size_t readAll(QAccessibleInterface* root)
{
    std::size_t count = 0;
    if (root == nullptr || !root->isValid())
        return count;
    for (const auto kind : {QAccessible::Name, QAccessible::Description, QAccessible::Value, QAccessible::Help})
        count += root->text(kind).isEmpty() ? 0 : 1;
    count += root->role() == QAccessible::NoRole ? 0 : 1;
    root->state();
    constexpr int kMost = 200; // of a long table
    for (int i = 0; i < std::min(kMost, root->childCount()); ++i)
        count += readAll(root->child(i));
    return count;
}

/// Tooltips and descriptions of the window's own controls that nobody reads to their end.
inline QStringList tooLong(QWidget& window)
{
    constexpr qsizetype kMost = 140;
    QStringList problems;
    for (const QWidget* control : controlsOf(window))
    {
        const QString tip = QTextDocumentFragment::fromHtml(control->toolTip()).toPlainText();
        // The whole of a name or a sentence that has no room is as long as it is.
        const auto* button = qobject_cast<const QAbstractButton*>(control);
        const bool isItsText =
            button != nullptr && tip.startsWith(button->text().left(12)) && !button->text().isEmpty();
        if (tip.size() > kMost && !isItsText)
            problems << QStringLiteral("%1 characters: %2: %3").arg(tip.size()).arg(placeOf(control), tip);
    }
    return problems;
}

/// Everything that is wrong with the controls of a window as it stands.
/// @param where  said before each
inline QStringList problemsOfControls(QWidget& window, const QString& where)
{
    QStringList problems;
    const std::set<QWidget*> visited = visitedByTab(window, problems);
    if (visited.size() < 2 && controlsOf(window).size() > 2)
    {
        QStringList stops;
        for (const QWidget* stop : visited)
            stops << placeOf(stop);
        problems << QStringLiteral("Tab comes only to: ") + stops.join(QStringLiteral(", "));
    }
    for (QWidget* control : controlsOf(window))
    {
        const QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(control);
        if (accessible == nullptr || accessible->text(QAccessible::Name).trimmed().isEmpty())
            problems << QStringLiteral("no name: ") + placeOf(control);
        // "Filler" on the accessibility bus.
        if (accessible != nullptr &&
            (accessible->role() == QAccessible::Client || accessible->role() == QAccessible::NoRole))
            problems << QStringLiteral("its role says nothing: ") + placeOf(control);
        if (const auto* box = qobject_cast<const QComboBox*>(control);
            box != nullptr && accessible != nullptr && !box->currentText().isEmpty() &&
            accessible->text(QAccessible::Name) == box->currentText())
            problems << QStringLiteral("named by its value: ") + placeOf(control);
        bool tabsSpeak = false;
        if (const auto* tabs = qobject_cast<const QTabBar*>(control))
            tabsSpeak = tabs->count() > 0; // each tab has its text
        if (control->toolTip().isEmpty() && control->statusTip().isEmpty() && !tabsSpeak &&
            control->accessibleDescription().isEmpty() &&
            (accessible == nullptr || accessible->text(QAccessible::Description).isEmpty()))
            problems << QStringLiteral("no tip: ") + placeOf(control);
        if (visited.contains(control))
            continue;
        if (control->focusProxy() != nullptr && visited.contains(control->focusProxy()))
            continue;
        // Tab comes to one button of a group, arrows to the others.
        if (const auto* button = qobject_cast<const QAbstractButton*>(control))
        {
            bool other = false;
            if (button->group() != nullptr)
                for (QAbstractButton* each : button->group()->buttons())
                    other = other || visited.contains(each);
            if (button->autoExclusive())
                for (QAbstractButton* each : button->parentWidget()->findChildren<QAbstractButton*>())
                    other = other || (each->autoExclusive() && visited.contains(each));
            if (other)
                continue;
        }
        problems << QStringLiteral("not reached by Tab: ") + placeOf(control);
    }
    problems << tooLong(window);
    for (QString& problem : problems)
        problem = where + QStringLiteral(": ") + problem;
    return problems;
}

} // namespace headscope::test
