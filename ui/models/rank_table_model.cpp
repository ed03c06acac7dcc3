// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/rank_table_model.h"

#include "ui/models/roles.h"

#include <utility>

namespace headscope::ui
{

void RankTableModel::setRows(std::vector<RankColumn> columns, std::vector<std::vector<RankCell>> rows,
                             std::vector<std::int64_t> keys)
{
    beginResetModel();
    m_columns = std::move(columns);
    m_rows = std::move(rows);
    m_keys = std::move(keys);
    endResetModel();
}

int RankTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RankTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant RankTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const RankCell& cell = m_rows[row][static_cast<std::size_t>(index.column())];
    switch (role)
    {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    case SortRole:
        return cell.number;
    case kKeyRole:
        return QVariant::fromValue<qint64>(m_keys[row]);
    default:
        return {};
    }
}

QVariant RankTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const RankColumn& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == Qt::ToolTipRole)
        return column.tip;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

} // namespace headscope::ui
