// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>
#include <QStyledItemDelegate>

namespace headscope::ui
{

class ChosenBarsModel;

/// Paints a row of ChosenBarsModel: a pale bar as long as its share of the choice, a mark where its share of all
/// would end, its name and counts over them; titles and More as words.
class ChosenBarDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    static constexpr int kHeight = 22;
};

/// How a choice is spread, each bar a filter: a click or Return keeps what it counts, with Shift (or Delete) takes
/// it out. Titles fold and unfold.
class ChosenBars : public QListView
{
    Q_OBJECT

public:
    explicit ChosenBars(ChosenBarsModel* model, QWidget* parent = nullptr);

Q_SIGNALS:
    void barClicked(int row, bool takenOut);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void act(const QModelIndex& index, bool takeOut);

    ChosenBarsModel* m_bars = nullptr;
    QPersistentModelIndex m_pressed;
};

} // namespace headscope::ui
