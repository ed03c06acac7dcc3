// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/hit_list_model.h"

#include "ui/models/roles.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <utility>

namespace headscope::ui
{

std::vector<std::int64_t> SearchResult::documents() const
{
    std::vector<std::int64_t> found;
    found.reserve(hits.size());
    for (const TextHit& hit : hits)
        found.push_back(hit.document.value());
    return found;
}

HitListModel::HitListModel(QObject* parent) : QAbstractListModel(parent) {}

void HitListModel::setResult(std::shared_ptr<const DocumentSet> documents, std::shared_ptr<const SearchResult> result)
{
    beginResetModel();
    m_documents = std::move(documents);
    m_result = std::move(result);
    endResetModel();
}

int HitListModel::rowOf(DocumentIndex document) const
{
    if (m_result == nullptr)
        return -1;
    const auto& hits = m_result->hits;
    const auto found = std::ranges::lower_bound(hits, document, {}, &TextHit::document);
    return found == hits.end() || found->document != document ? -1 : static_cast<int>(found - hits.begin());
}

int HitListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_result == nullptr ? 0 : static_cast<int>(m_result->hits.size());
}

QVariant HitListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const TextHit& hit = m_result->hits[static_cast<std::size_t>(index.row())];
    const QString id = toQString(m_documents->ids[hit.document.index()]);
    switch (role)
    {
    case Qt::DisplayRole:
        return hit.line.text;
    case Qt::ToolTipRole:
        return tr("%1: %2").arg(id, countText(hit.count, tr("hit"), tr("hits")));
    case Qt::AccessibleTextRole:
        return QString(id % QStringLiteral(": ") % hit.line.text);
    case HitsRole:
        return QVariant::fromValue(hit.line.hits);
    case IdRole:
        return id;
    case CountRole:
        return QVariant::fromValue<qint64>(hit.count);
    case DocumentRole:
        return QVariant::fromValue<qint64>(hit.document.value());
    default:
        return {};
    }
}

} // namespace headscope::ui
