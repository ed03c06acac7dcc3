// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/box_names.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QComboBox>
#include <QKeySequenceEdit>
#include <QLineEdit>

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

QAccessibleInterface* makeAccessible(const QString& /*className*/, QObject* object)
{
    if (auto* box = qobject_cast<QComboBox*>(object))
        return new BoxAccessible(box);
    if (auto* keys = qobject_cast<QKeySequenceEdit*>(object))
        return new KeysAccessible(keys);
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
