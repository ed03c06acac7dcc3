// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/cell_bars.h"

#include "ui/models/head_table_model.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPixmap>
#include <QStyle>
#include <QWidget>

namespace headscope::ui
{
namespace
{

constexpr double kInset = 4;

} // namespace

void CellBars::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QVariant bar = index.data(HeadTableModel::BarRole);
    if (bar.isValid())
    {
        QColor color = index.data(HeadTableModel::ColorRole).value<QColor>();
        constexpr int kPale = 70; // the number over it must stay readable
        color.setAlpha(kPale);
        const QRectF cell = QRectF(option.rect).adjusted(kInset, kInset, -kInset, -kInset);
        const QPointF ends = bar.toPointF();
        painter->fillRect(QRectF(cell.left() + cell.width() * ends.x(), cell.top(),
                                 cell.width() * (ends.y() - ends.x()), cell.height()),
                          color);
    }
    if (const QVariant whisker = index.data(HeadTableModel::WhiskerRole); whisker.isValid())
    {
        const QPointF ends = whisker.toPointF();
        const double left = option.rect.left() + kInset;
        const double width = option.rect.width() - 2 * kInset;
        const double y = option.rect.bottom() - kInset;
        constexpr double kTick = 2;
        painter->setPen(QPen(index.data(HeadTableModel::ColorRole).value<QColor>(), 1));
        painter->drawLine(QPointF(left + width * ends.x(), y), QPointF(left + width * ends.y(), y));
        for (const double at : {ends.x(), ends.y()})
            painter->drawLine(QPointF(left + width * at, y - kTick), QPointF(left + width * at, y + kTick));
    }
    QStyleOptionViewItem plain = option;
    if (index.column() == HeadTableModel::HeadColumn)
    {
        // The dot stands where an icon would.
        constexpr int kDot = 10;
        QPixmap dot(QSize(kDot, kDot) * painter->device()->devicePixelRatio());
        dot.setDevicePixelRatio(painter->device()->devicePixelRatio());
        dot.fill(Qt::transparent);
        QPainter on(&dot);
        on.setRenderHint(QPainter::Antialiasing);
        on.setPen(Qt::NoPen);
        on.setBrush(index.data(HeadTableModel::ColorRole).value<QColor>());
        on.drawEllipse(QRectF(0.5, 0.5, kDot - 1, kDot - 1));
        on.end();
        initStyleOption(&plain, index);
        plain.icon = QIcon(dot);
        plain.decorationSize = QSize(kDot, kDot);
        plain.features |= QStyleOptionViewItem::HasDecoration;
        const QWidget* widget = option.widget;
        widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, widget);
        return;
    }
    QStyledItemDelegate::paint(painter, plain, index);
}

} // namespace headscope::ui
