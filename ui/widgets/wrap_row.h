// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

#include <initializer_list>
#include <vector>

namespace headscope::ui
{

/// Controls in a row, as in a QHBoxLayout; those that do not fit go to a further row. Each is centred in its row's
/// height and has its preferred width; spare width goes to those with a stretch. These may also become narrower,
/// except an ElidedLabel with the property "whole", which moves to the next row where it would be cut.
class WrapRow : public QLayout
{
public:
    explicit WrapRow(QWidget* parent = nullptr);
    ~WrapRow() override;

    void addWidget(QWidget* widget, int stretch = 0, Qt::Alignment alignment = {});
    void addStretch(int stretch = 0);
    void addSpacing(int pixels);

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    struct Item
    {
        QLayoutItem* item = nullptr; ///< owned
        int stretch = 0;
    };

    [[nodiscard]] static int leastOf(const Item& item);
    [[nodiscard]] static int wishOf(const Item& item);
    [[nodiscard]] std::vector<std::vector<Item>> linesFor(int width) const;
    void placeLine(const std::vector<Item>& line, const QRect& room) const;
    [[nodiscard]] static int heightOf(const std::vector<Item>& line);

    std::vector<Item> m_items;
};

/// Controls of one choice, such as the pages of a panel: no line of a WrapRow ends between them.
[[nodiscard]] QWidget* makeTogether(std::initializer_list<QWidget*> controls, int spacing, QWidget* parent);

} // namespace headscope::ui
