// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace headscope::ui
{

/// A number, under it a pale bar from zero to it on the scale of its column (HeadTableModel::BarRole) with its interval
/// as a line on the bar (WhiskerRole), and before a name the dot of its colour.
class CellBars : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace headscope::ui
