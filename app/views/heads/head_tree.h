// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

namespace headscope::ui
{

/// A tree whose check boxes are independent of its selection: a click on a check box selects no row.
class HeadTree : public QTreeView
{
    Q_OBJECT

public:
    using QTreeView::QTreeView;

Q_SIGNALS:
    /// The pointer is over none of its rows any more.
    void pointerLeft();

protected:
    [[nodiscard]] QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index,
                                                                       const QEvent* event) const override;
    bool viewportEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] bool isOnTick(const QModelIndex& index, QPoint place) const;
};

} // namespace headscope::ui
