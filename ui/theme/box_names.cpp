// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/box_names.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QComboBox>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QPointer>
#include <QTabBar>

namespace headscope::ui
{
namespace
{

constexpr const char* kRole = "headscopeRole"; ///< property of a widget: giveRole()

/// A combo box: its list, and the field of one that can be typed into.
class BoxAccessible : public QAccessibleWidget
{
public:
    explicit BoxAccessible(QComboBox* box) : QAccessibleWidget(box, QAccessible::ComboBox), m_box(box) {}

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_box->currentText() : QAccessibleWidget::text(kind);
    }
    [[nodiscard]] int childCount() const override { return m_box->isEditable() ? 2 : 1; }
    [[nodiscard]] QAccessibleInterface* child(int index) const override
    {
        if (index == 0)
            return QAccessible::queryAccessibleInterface(m_box->view());
        return index == 1 && m_box->isEditable() ? QAccessible::queryAccessibleInterface(m_box->lineEdit()) : nullptr;
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* each) const override
    {
        if (each == nullptr)
            return -1;
        if (each->object() == m_box->view())
            return 0;
        return m_box->isEditable() && each->object() == m_box->lineEdit() ? 1 : -1;
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.expandable = true;
        state.expanded = m_box->view()->isVisible();
        state.editable = m_box->isEditable();
        return state;
    }
    [[nodiscard]] QStringList actionNames() const override { return {showMenuAction(), pressAction()}; }
    void doAction(const QString& name) override
    {
        if (name != showMenuAction() && name != pressAction())
            return;
        if (m_box->view()->isVisible())
            m_box->hidePopup();
        else
            m_box->showPopup();
    }

private:
    QComboBox* m_box;
};

/// A field for keys, which Qt gives a role that says nothing.
class KeysAccessible : public QAccessibleWidget
{
public:
    explicit KeysAccessible(QKeySequenceEdit* field)
        : QAccessibleWidget(field, QAccessible::EditableText), m_field(field)
    {}

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_field->keySequence().toString(QKeySequence::NativeText)
                                          : QAccessibleWidget::text(kind);
    }

private:
    QKeySequenceEdit* m_field;
};

/// A tab of a bar, which chooses its page.
class TabAccessible : public QAccessibleInterface, public QAccessibleActionInterface
{
public:
    TabAccessible(QTabBar* bar, int index) : m_bar(bar), m_index(index) {}

    [[nodiscard]] bool isValid() const override { return m_bar != nullptr && m_index < m_bar->count(); }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QAccessibleInterface* parent() const override
    {
        return m_bar == nullptr ? nullptr : QAccessible::queryAccessibleInterface(m_bar);
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        if (kind == QAccessible::Name)
            return m_bar->tabText(m_index).remove(u'&');
        return kind == QAccessible::Description ? m_bar->tabToolTip(m_index) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    [[nodiscard]] QRect rect() const override
    {
        const QRect own = isValid() ? m_bar->tabRect(m_index) : QRect();
        return own.isEmpty() ? QRect() : QRect(m_bar->mapToGlobal(own.topLeft()), own.size());
    }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::PageTab; }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid())
        {
            state.invalid = true;
            return state;
        }
        const bool isCurrent = m_bar->currentIndex() == m_index;
        state.invisible = !m_bar->isVisible() || !m_bar->isTabVisible(m_index);
        state.disabled = !m_bar->isTabEnabled(m_index);
        state.selectable = true;
        state.selected = isCurrent;
        state.focusable = (m_bar->focusPolicy() & Qt::TabFocus) != 0;
        state.focused = isCurrent && m_bar->hasFocus();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    [[nodiscard]] QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override
    {
        if (name == pressAction() && isValid())
            m_bar->setCurrentIndex(m_index);
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    QPointer<QTabBar> m_bar;
    int m_index;
};

/// A bar of tabs, which Qt names by its chosen tab, whatever its own name is.
class TabsAccessible : public QAccessibleWidget
{
public:
    explicit TabsAccessible(QTabBar* bar) : QAccessibleWidget(bar, QAccessible::PageTabList), m_bar(bar) {}
    ~TabsAccessible() override
    {
        for (const QAccessible::Id each : m_tabs)
            QAccessible::deleteAccessibleInterface(each);
    }
    TabsAccessible(const TabsAccessible&) = delete;
    TabsAccessible& operator=(const TabsAccessible&) = delete;

    [[nodiscard]] int childCount() const override { return m_bar->count(); }
    [[nodiscard]] QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= m_bar->count())
            return nullptr;
        while (m_tabs.size() <= index)
            m_tabs.append(
                QAccessible::registerAccessibleInterface(new TabAccessible(m_bar, static_cast<int>(m_tabs.size()))));
        return QAccessible::accessibleInterface(m_tabs[index]);
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override
    {
        return child(m_bar->tabAt(m_bar->mapFromGlobal(QPoint(x, y))));
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* each) const override
    {
        for (int index = 0; index < m_bar->count(); ++index)
            if (child(index) == each)
                return index;
        return -1;
    }

private:
    QTabBar* m_bar;
    mutable QList<QAccessible::Id> m_tabs; ///< made when they are asked for
};

QAccessibleInterface* makeAccessible(const QString& /*className*/, QObject* object)
{
    if (auto* box = qobject_cast<QComboBox*>(object))
        return new BoxAccessible(box);
    if (auto* keys = qobject_cast<QKeySequenceEdit*>(object))
        return new KeysAccessible(keys);
    if (auto* tabs = qobject_cast<QTabBar*>(object))
        return new TabsAccessible(tabs);
    auto* widget = qobject_cast<QWidget*>(object);
    if (const QVariant role = object->property(kRole); widget != nullptr && role.isValid())
        return new QAccessibleWidget(widget, static_cast<QAccessible::Role>(role.toInt()));
    return nullptr;
}

} // namespace

void giveRole(QWidget& widget, QAccessible::Role role)
{
    widget.setProperty(kRole, static_cast<int>(role));
}

void nameBoxesByLabel()
{
    QAccessible::installFactory(makeAccessible);
}

} // namespace headscope::ui
