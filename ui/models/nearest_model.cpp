// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/nearest_model.h"

#include "ui/models/roles.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QColor>
#include <QLocale>

#include <algorithm>

namespace headscope::ui
{

NearestModel::NearestModel(QObject* parent) : QAbstractTableModel(parent) {}

void NearestModel::setDocuments(std::shared_ptr<const DocumentSet> documents, std::vector<NearDocument> nearest,
                                const std::vector<NearDocument>& other)
{
    beginResetModel();
    m_documents = std::move(documents);
    m_nearest = std::move(nearest);
    m_only.clear();
    if (!other.empty())
        for (const NearDocument& near : m_nearest)
            m_only.push_back(std::ranges::find(other, near.document, &NearDocument::document) == other.end() ? 1 : 0);
    endResetModel();
}

int NearestModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_documents == nullptr ? 0 : static_cast<int>(m_nearest.size());
}

int NearestModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 2;
}

QVariant NearestModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const NearDocument& near = m_nearest[static_cast<std::size_t>(index.row())];
    const auto document = near.document.index();
    const QString id = toQString(m_documents->ids[document]);
    const bool isOnly = !m_only.empty() && m_only[static_cast<std::size_t>(index.row())] != 0;
    switch (role)
    {
    case Qt::DisplayRole:
        if (index.column() == 1)
            return QLocale().toString(near.cosine, 'f', 2);
        return m_documents->texts.empty() ? id : firstLine(m_documents->texts[document], 90);
    case Qt::ToolTipRole:
        return QString(QStringLiteral("<p>") % id.toHtmlEscaped() % (isOnly ? tr(" · only in this list") : QString()) %
                       (m_documents->texts.empty()
                            ? QString()
                            : QStringLiteral("<p>") % firstLine(m_documents->texts[document], 400).toHtmlEscaped()));
    case Qt::AccessibleTextRole:
        return isOnly && index.column() == 0 ? tr("%1, only in this list").arg(id) : QVariant();
    case Qt::DecorationRole:
        if (index.column() != 0 || m_only.empty())
            return {};
        return isOnly ? Theme::instance().colors().accent : QColor(Qt::transparent);
    case OnlyRole:
        return isOnly;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SortRole:
        return index.column() == 1 ? QVariant(near.cosine) : QVariant(id);
    case DocumentRole:
        return QVariant::fromValue<qint64>(near.document.value());
    default:
        return {};
    }
}

QVariant NearestModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section > 1)
        return {};
    return section == 0 ? tr("Document") : tr("Cosine");
}

} // namespace headscope::ui
