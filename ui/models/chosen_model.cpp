// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chosen_model.h"

#include "ui/models/roles.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <utility>

namespace headscope::ui
{

ChosenModel::ChosenModel(QObject* parent) : QAbstractTableModel(parent) {}

void ChosenModel::setTable(std::shared_ptr<const ChosenTable> table, std::vector<std::int64_t> rows)
{
    beginResetModel();
    m_table = std::move(table);
    m_rows = m_table == nullptr ? std::vector<std::int64_t>() : std::move(rows);
    endResetModel();
}

int ChosenModel::rowOf(DocumentIndex document) const
{
    const auto found =
        std::ranges::find_if(m_rows, [&](std::int64_t row) { return m_table->documentOf(row) == document; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int ChosenModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ChosenModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_table == nullptr ? 0 : m_table->columnCount();
}

QVariant ChosenModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const std::int64_t row = m_rows[static_cast<std::size_t>(index.row())];
    const bool number = m_table->kind(index.column()) == ChosenTable::Kind::Points;
    switch (role)
    {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return m_table->text(row, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case DocumentRole:
        return QVariant::fromValue<qint64>(m_table->documentOf(row).value());
    case SortRole:
        return number ? QVariant::fromValue<qint64>(m_table->pointCount(row))
                      : QVariant(m_table->text(row, index.column()));
    default:
        return {};
    }
}

QVariant ChosenModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || m_table == nullptr || section < 0 || section >= m_table->columnCount())
        return {};
    if (role == Qt::DisplayRole)
        return m_table->title(section);
    if (role != Qt::ToolTipRole)
        return {};
    switch (m_table->kind(section))
    {
    case ChosenTable::Kind::Points:
        return tr("How many of the document’s points are selected");
    case ChosenTable::Kind::Heads:
        return m_table->stage() == Stage::HeadOutput ? tr("Heads whose points are selected")
                                                     : tr("Segments whose points are selected");
    default:
        return tr("Click to sort");
    }
}

void ChosenModel::sort(int column, Qt::SortOrder order)
{
    Q_EMIT sortRequested(column, order == Qt::DescendingOrder);
}

} // namespace headscope::ui
