// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/head_tree.h"

#include <QHeaderView>
#include <QMouseEvent>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kLeastHeight = 176;
constexpr int kMostRows = 16; ///< that have room; more are scrolled to

} // namespace

HeadTree::HeadTree(QWidget* parent) : QTreeView(parent)
{
    setMinimumHeight(kLeastHeight);
}

void HeadTree::expandRows()
{
    expandAll();
    fitRows();
}

void HeadTree::fitRows()
{
    if (model() == nullptr || sizeHintForRow(0) <= 0)
        return; // nothing yet: as it is
    int rows = model()->rowCount();
    for (int row = 0; row < model()->rowCount(); ++row)
        rows += model()->rowCount(model()->index(row, 0));
    const int around =
        header()->sizeHint().height() + 2 * frameWidth() + style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    setMinimumHeight(std::max(kLeastHeight, std::min(rows, kMostRows) * sizeHintForRow(0) + around));
}

void HeadTree::showEvent(QShowEvent* event)
{
    QTreeView::showEvent(event);
    fitRows(); // fonts and style are known now
}

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
