// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/head_tree.h"

#include <QMouseEvent>

namespace headscope::ui
{

bool HeadTree::isOnTick(const QModelIndex& index, QPoint place) const
{
    if (!index.isValid() || !index.flags().testFlag(Qt::ItemIsUserCheckable))
        return false;
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    option.rect = visualRect(index);
    option.index = index;
    option.features |= QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
    option.text = index.data().toString();
    return style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, this).contains(place);
}

QItemSelectionModel::SelectionFlags HeadTree::selectionCommand(const QModelIndex& index, const QEvent* event) const
{
    const bool ofMouse =
        event != nullptr && (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease ||
                             event->type() == QEvent::MouseButtonDblClick);
    if (ofMouse && isOnTick(index, static_cast<const QMouseEvent*>(event)->position().toPoint()))
        return QItemSelectionModel::NoUpdate;
    return QTreeView::selectionCommand(index, event);
}

bool HeadTree::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        Q_EMIT pointerLeft();
    return QTreeView::viewportEvent(event);
}

void HeadTree::hideEvent(QHideEvent* event)
{
    QTreeView::hideEvent(event);
    Q_EMIT pointerLeft();
}

} // namespace headscope::ui
