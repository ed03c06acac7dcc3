// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/topic_list_model.h"

#include "ui/words/wording.h"

#include <algorithm>
#include <utility>

namespace headscope::ui
{

void TopicListModel::setLabels(const LabelColumn& labels)
{
    beginResetModel();
    m_topics.clear();
    const auto counts = labels.counts();
    for (std::size_t code = 0; code < labels.categories.size(); ++code)
        m_topics.push_back({static_cast<std::int32_t>(code), toQString(labels.categories[code]), counts[code], false});
    m_default = labels.byFrequency();
    std::erase_if(m_default, [&](std::int32_t code) { return counts[static_cast<std::size_t>(code)] == 0; });
    m_default.resize(std::min(m_default.size(), kDefault));
    std::sort(m_default.begin(), m_default.end());
    for (Topic& topic : m_topics)
        topic.checked = std::binary_search(m_default.begin(), m_default.end(), topic.code);
    endResetModel();
}

std::vector<std::int32_t> TopicListModel::chosen() const
{
    std::vector<std::int32_t> codes;
    for (const Topic& topic : m_topics)
        if (topic.checked)
            codes.push_back(topic.code);
    return codes == m_default ? std::vector<std::int32_t>() : codes;
}

std::vector<std::string> TopicListModel::inLetterOrder() const
{
    std::vector<std::string> names;
    for (const bool checked : {true, false})
        for (const Topic& topic : m_topics)
            if (topic.checked == checked)
                names.push_back(toStdString(topic.name));
    return names;
}

std::int64_t TopicListModel::checkedCount() const
{
    return std::count_if(m_topics.begin(), m_topics.end(), [](const Topic& topic) { return topic.checked; });
}

std::int64_t TopicListModel::documentCount(std::int64_t most) const
{
    std::int64_t count = 0;
    for (const Topic& topic : m_topics)
        count += topic.checked ? std::min(most, topic.documents) : 0;
    return count;
}

void TopicListModel::check(const std::vector<std::int32_t>& codes)
{
    for (Topic& topic : m_topics)
        topic.checked = std::find(codes.begin(), codes.end(), topic.code) != codes.end();
    if (!m_topics.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1), {Qt::CheckStateRole});
    Q_EMIT choiceChanged();
}

void TopicListModel::choose(const std::vector<std::int32_t>& codes)
{
    const auto placeOf = [&codes](const Topic& topic) { return std::find(codes.begin(), codes.end(), topic.code); };
    // The chosen topics take the places that chosen topics have, in the order of the codes.
    std::vector<std::size_t> places;
    std::vector<Topic> chosen;
    for (std::size_t row = 0; row < m_topics.size(); ++row)
    {
        if (placeOf(m_topics[row]) == codes.end())
            continue;
        places.push_back(row);
        chosen.push_back(m_topics[row]);
    }
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&placeOf](const Topic& a, const Topic& b) { return placeOf(a) < placeOf(b); });
    for (std::size_t i = 0; i < places.size(); ++i)
        m_topics[places[i]] = chosen[i];
    if (!m_topics.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    check(codes);
}

void TopicListModel::checkDefault()
{
    check(m_default);
}

void TopicListModel::checkAll()
{
    std::vector<std::int32_t> codes;
    for (const Topic& topic : m_topics)
        if (topic.documents > 0)
            codes.push_back(topic.code);
    check(codes);
}

void TopicListModel::checkNone()
{
    check({});
}

template <class Before>
void TopicListModel::sort(Before before)
{
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList old = persistentIndexList();
    std::vector<std::int32_t> codes;
    for (const QModelIndex& each : old)
        codes.push_back(m_topics[static_cast<std::size_t>(each.row())].code);
    std::stable_sort(m_topics.begin(), m_topics.end(), before);
    QModelIndexList now;
    for (const std::int32_t code : codes)
        now << index(static_cast<int>(
            std::find_if(m_topics.begin(), m_topics.end(), [code](const Topic& topic) { return topic.code == code; }) -
            m_topics.begin()));
    changePersistentIndexList(old, now);
    Q_EMIT layoutChanged();
    Q_EMIT choiceChanged();
}

void TopicListModel::sortByCode()
{
    sort([](const Topic& a, const Topic& b) { return a.code < b.code; });
}

void TopicListModel::sortByFrequency()
{
    sort([](const Topic& a, const Topic& b) { return a.documents > b.documents; });
}

int TopicListModel::moveTopic(int row, int by)
{
    const int to = row + by;
    if (row < 0 || to < 0 || row >= rowCount() || to >= rowCount() || std::abs(by) != 1)
        return row;
    beginMoveRows({}, row, row, {}, by > 0 ? to + 1 : to);
    std::swap(m_topics[static_cast<std::size_t>(row)], m_topics[static_cast<std::size_t>(to)]);
    endMoveRows();
    if (m_topics[static_cast<std::size_t>(row)].checked || m_topics[static_cast<std::size_t>(to)].checked)
        Q_EMIT choiceChanged();
    return to;
}

int TopicListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_topics.size());
}

QVariant TopicListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Topic& topic = m_topics[static_cast<std::size_t>(index.row())];
    switch (role)
    {
    case Qt::DisplayRole:
        return tr("%1 · %2").arg(topic.name, countText(topic.documents));
    case Qt::ToolTipRole:
        return tr("%1: %2").arg(topic.name, countText(topic.documents, tr("document"), tr("documents")));
    case Qt::CheckStateRole:
        return topic.checked ? Qt::Checked : Qt::Unchecked;
    default:
        return {};
    }
}

bool TopicListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::CheckStateRole)
        return false;
    bool& checked = m_topics[static_cast<std::size_t>(index.row())].checked;
    const bool wanted = value.toInt() == Qt::Checked;
    if (checked == wanted)
        return true;
    checked = wanted;
    Q_EMIT dataChanged(index, index, {Qt::CheckStateRole});
    Q_EMIT choiceChanged();
    return true;
}

Qt::ItemFlags TopicListModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const bool any = m_topics[static_cast<std::size_t>(index.row())].documents > 0;
    return Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren |
           (any ? Qt::ItemIsEnabled : Qt::NoItemFlags);
}

} // namespace headscope::ui
