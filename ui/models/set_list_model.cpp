// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/set_list_model.h"

#include "ui/models/roles.h"
#include "ui/words/wording.h"

namespace headscope::ui
{

SetListModel::SetListModel(QObject* parent) : QAbstractListModel(parent) {}

void SetListModel::setSets(const NamedSets& sets)
{
    if (sets == m_sets)
        return;
    if (sets.count() == m_sets.count())
    {
        m_sets = sets;
        if (!sets.isEmpty())
            Q_EMIT dataChanged(index(0), index(rowCount() - 1));
        return;
    }
    beginResetModel();
    m_sets = sets;
    endResetModel();
}

int SetListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_sets.count());
}

QVariant SetListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const NamedSet& set = m_sets.at(index.row());
    const auto documents = static_cast<std::int64_t>(set.documents.size());
    switch (role)
    {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return set.name;
    case Qt::DecorationRole:
        return set.color;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return tr("%1: %2, %3")
            .arg(set.name, countText(documents, tr("document"), tr("documents")), setColorName(set.color));
    case SortRole:
        return QVariant::fromValue<qint64>(documents);
    case OnMapRole:
        return set.onMap;
    default:
        return {};
    }
}

bool SetListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    Q_EMIT renameRequested(index.row(), value.toString());
    return m_sets.at(index.row()).name == value.toString().trimmed();
}

Qt::ItemFlags SetListModel::flags(const QModelIndex& index) const
{
    return index.isValid() ? QAbstractListModel::flags(index) | Qt::ItemIsEditable : Qt::NoItemFlags;
}

} // namespace headscope::ui
