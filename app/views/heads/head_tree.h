// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

namespace headscope::ui
{

/// A tree whose check boxes are independent of its selection: a click on a check box selects no row. All its rows are
/// seen at once, as long as there are not many: the page around it scrolls.
class HeadTree : public QTreeView
{
    Q_OBJECT

public:
    explicit HeadTree(QWidget* parent);
    /// Expands all of them, and makes room for them.
    void expandRows();

Q_SIGNALS:
    /// The pointer is over none of its rows any more.
    void pointerLeft();

protected:
    [[nodiscard]] QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index,
                                                                       const QEvent* event) const override;
    bool viewportEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fitRows();
    [[nodiscard]] bool isOnTick(const QModelIndex& index, QPoint place) const;
};

} // namespace headscope::ui
