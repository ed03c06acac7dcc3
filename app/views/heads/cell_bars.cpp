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
constexpr double kStrip = 4; ///< height of a bar, under the number

/// Where bar and interval of a cell lie: under its number, which nothing runs through.
QRectF stripOf(const QRect& cell)
{
    return {cell.left() + kInset, cell.bottom() - kStrip - 1, cell.width() - 2 * kInset, kStrip};
}

} // namespace

void CellBars::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QVariant bar = index.data(HeadTableModel::BarRole);
    if (bar.isValid())
    {
        QColor color = index.data(HeadTableModel::ColorRole).value<QColor>();
        constexpr int kPale = 110; // the interval on it must be seen
        color.setAlpha(kPale);
        const QRectF strip = stripOf(option.rect);
        const QPointF ends = bar.toPointF();
        painter->fillRect(QRectF(strip.left() + strip.width() * ends.x(), strip.top(),
                                 strip.width() * (ends.y() - ends.x()), strip.height()),
                          color);
    }
    if (const QVariant whisker = index.data(HeadTableModel::WhiskerRole); whisker.isValid())
    {
        const QPointF ends = whisker.toPointF();
        const QRectF strip = stripOf(option.rect);
        const double left = strip.left();
        const double width = strip.width();
        const double y = strip.center().y();
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
