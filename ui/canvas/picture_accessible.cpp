// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/picture_accessible.h"

#include "ui/canvas/hover_card.h"
#include "ui/canvas/picture_widget.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <map>

namespace headscope::ui
{
namespace
{

/// One item of a picture, which it chooses when it is pressed.
class ItemAccessible : public QAccessibleInterface, public QAccessibleActionInterface
{
public:
    ItemAccessible(PictureWidget& widget, std::size_t item) : m_widget(widget), m_item(item) {}

    [[nodiscard]] bool isValid() const override { return m_item < picture().count(); }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QWindow* window() const override { return parent()->window(); }
    [[nodiscard]] QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(&m_widget);
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QRect rect() const override
    {
        const QRect place = picture().placeOf(m_item).toAlignedRect();
        return {m_widget.mapToGlobal(place.topLeft()), place.size()};
    }
    [[nodiscard]] QAccessible::Role role() const override
    {
        switch (picture().manners().items)
        {
        case viz::Items::Checks:
            return picture().isChecked(m_item) ? QAccessible::CheckBox : QAccessible::Button;
        case viz::Items::Radios:
            return QAccessible::RadioButton;
        default:
            return QAccessible::ListItem;
        }
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        const std::optional<bool> isChecked = picture().isChecked(m_item);
        state.checkable = isChecked.has_value();
        state.checked = isChecked.value_or(false);
        state.focusable = true;
        state.focused = m_widget.hasFocus() && m_widget.pointed() == m_item;
        state.disabled = picture().manners().takesClicks && !picture().isClickable(m_item);
        return state;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name ? spokenText(picture().textOf(m_item)) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    [[nodiscard]] QStringList actionNames() const override
    {
        return picture().isClickable(m_item) ? QStringList{pressAction()} : QStringList();
    }
    void doAction(const QString& name) override
    {
        if (name == pressAction() && picture().isClickable(m_item))
            m_widget.choose(m_item, {});
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    [[nodiscard]] viz::Picture& picture() const { return m_widget.shown(); }

    PictureWidget& m_widget;
    std::size_t m_item;
};

class PictureAccessible : public QAccessibleWidget
{
public:
    explicit PictureAccessible(PictureWidget& widget) : QAccessibleWidget(&widget), m_widget(widget) {}
    ~PictureAccessible() override
    {
        for (const auto& [item, id] : m_ids)
            QAccessible::deleteAccessibleInterface(id);
    }
    PictureAccessible(const PictureAccessible&) = delete;
    PictureAccessible& operator=(const PictureAccessible&) = delete;
    PictureAccessible(PictureAccessible&&) = delete;
    PictureAccessible& operator=(PictureAccessible&&) = delete;

    [[nodiscard]] QAccessible::Role role() const override
    {
        const viz::Items items = picture().manners().items;
        return items == viz::Items::Unseen   ? QAccessible::Canvas
               : items == viz::Items::Listed ? QAccessible::List
                                             : QAccessible::Grouping;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return QAccessibleWidget::text(kind == QAccessible::Value ? QAccessible::Description : kind);
    }
    [[nodiscard]] int childCount() const override { return static_cast<int>(items()); }
    [[nodiscard]] QAccessibleInterface* child(int index) const override
    {
        const auto item = static_cast<std::size_t>(index);
        if (index < 0 || item >= items())
            return nullptr;
        const auto [found, isNew] = m_ids.try_emplace(item);
        if (isNew)
            found->second = QAccessible::registerAccessibleInterface(new ItemAccessible(m_widget, item));
        return QAccessible::accessibleInterface(found->second);
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override
    {
        for (const auto& [item, id] : m_ids)
            if (QAccessible::accessibleInterface(id) == child)
                return static_cast<int>(item);
        return -1;
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override
    {
        const auto item = picture().itemAt(m_widget.mapFromGlobal(QPoint(x, y)));
        return item ? child(static_cast<int>(*item)) : nullptr;
    }
    [[nodiscard]] QAccessibleInterface* focusChild() const override
    {
        return m_widget.hasFocus() && m_widget.pointed() ? child(static_cast<int>(*m_widget.pointed())) : nullptr;
    }

private:
    [[nodiscard]] viz::Picture& picture() const { return m_widget.shown(); }
    [[nodiscard]] std::size_t items() const
    {
        return picture().manners().items == viz::Items::Unseen ? 0 : picture().count();
    }

    PictureWidget& m_widget;
    mutable std::map<std::size_t, QAccessible::Id> m_ids; ///< of the items that were asked for
};

QAccessibleInterface* makePictureAccessible(const QString& /*className*/, QObject* object)
{
    auto* widget = qobject_cast<PictureWidget*>(object);
    return widget != nullptr ? new PictureAccessible(*widget) : nullptr;
}

} // namespace

void describePictures()
{
    static const bool installed = [] {
        QAccessible::installFactory(makePictureAccessible);
        return true;
    }();
    Q_UNUSED(installed);
}

} // namespace headscope::ui
