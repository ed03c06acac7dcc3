// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/head_table_model.h"

#include "model/data/head_ranges.h"
#include "ui/models/roles.h"
#include "ui/words/wording.h"

#include <QLocale>
#include <QPointF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope::ui
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// Internal id of top rows; children carry their parent's row + 1.
constexpr quintptr kTop = 0;

/// Behind numbers that the line under the table speaks of.
QString markOf(bool isChance)
{
    return isChance ? QStringLiteral(" †") : QString();
}

bool isShare(int column)
{
    return column == HeadTableModel::MatchColumn;
}

} // namespace

HeadTableModel::HeadTableModel(QObject* parent) : QAbstractItemModel(parent) {}

void HeadTableModel::setModel(const ModelInfo& info, const viz::HeadPalette& palette, Stage stage)
{
    beginResetModel();
    m_info = info;
    m_stage = stage;
    m_palette = palette;
    m_members = info.heads > 0 ? info.groupSize() : 0;
    m_report.reset();
    m_kept.assign(static_cast<std::size_t>(info.heads), true);
    m_shown.resize(static_cast<std::size_t>(info.heads));
    std::iota(m_shown.begin(), m_shown.end(), 0);
    m_largest.assign(ColumnCount, 0.0);
    endResetModel();
}

void HeadTableModel::setHeadPalette(const viz::HeadPalette& palette)
{
    beginResetModel();
    m_palette = palette;
    endResetModel();
}

void HeadTableModel::setReport(std::shared_ptr<const HeadReport> report)
{
    m_report = std::move(report);
    measureColumns();
    const int rows = rowCount();
    if (rows == 0)
        return;
    // The rows stay: what is chosen and open in a view stays so too.
    Q_EMIT dataChanged(index(0, 0), index(rows - 1, ColumnCount - 1));
    for (int row = 0; row < rows; ++row)
        if (const QModelIndex group = index(row, 0); rowCount(group) > 0)
            Q_EMIT dataChanged(index(0, 0, group), index(rowCount(group) - 1, ColumnCount - 1, group));
}

void HeadTableModel::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_shown = heads;
    setReport(m_report);
}

bool HeadTableModel::isShown(std::int64_t head) const
{
    return std::binary_search(m_shown.begin(), m_shown.end(), head);
}

void HeadTableModel::setKept(const std::vector<bool>& kept)
{
    m_kept = kept;
    const int rows = rowCount();
    for (int row = 0; row < rows; ++row)
    {
        const QModelIndex top = index(row, 0);
        Q_EMIT dataChanged(top, index(row, ColumnCount - 1), {Qt::CheckStateRole, Qt::ForegroundRole});
        if (rowCount(top) > 0)
            Q_EMIT dataChanged(index(0, 0, top), index(rowCount(top) - 1, ColumnCount - 1, top),
                               {Qt::CheckStateRole, Qt::ForegroundRole});
    }
}

void HeadTableModel::measureColumns()
{
    m_largest.assign(ColumnCount, 0.0);
    for (int column = 0; column < ColumnCount; ++column)
        for (std::int64_t head = 0; head < m_info.heads; ++head)
            if (const double value = headValue(head, column); std::isfinite(value) && isShown(head))
            {
                const double high = intervalOf(head, column).high;
                double& largest = m_largest[static_cast<std::size_t>(column)];
                largest = std::max({largest, value, std::isfinite(high) ? high : value});
            }
}

double HeadTableModel::headValue(std::int64_t head, int column) const
{
    if (m_report == nullptr || static_cast<std::size_t>(head) >= m_report->statistics.size())
        return kNaN;
    const auto h = static_cast<std::size_t>(head);
    const HeadStatistics& own = m_report->statistics[h];
    const auto answer = [&](const std::vector<double> HeadTopicStatistics::*values) {
        return m_report->answers ? (*m_report->answers.*values)[h] : kNaN;
    };
    switch (column)
    {
    case StrengthColumn:
        return own.meanNorm;
    case SpreadColumn:
        return own.spread;
    case ScoreColumn:
        return own.score;
    case SimilarityColumn:
        return answer(&HeadTopicStatistics::meanSimilarity);
    case SelectivityColumn:
        return m_report->answers ? m_report->answers->selectivity.value[h] : kNaN;
    case FollowsColumn:
        return answer(&HeadTopicStatistics::followsFull);
    case MatchColumn:
        return m_report->answers ? m_report->answers->match.value[h] : kNaN;
    case EvennessColumn:
        return answer(&HeadTopicStatistics::evenness);
    case TopicColumn:
        return answer(&HeadTopicStatistics::topSimilarity);
    default:
        return kNaN;
    }
}

Interval HeadTableModel::intervalOf(std::int64_t head, int column) const
{
    if (m_report == nullptr || !m_report->answers)
        return {};
    const auto h = static_cast<std::size_t>(head);
    const HeadTopicStatistics& answers = *m_report->answers;
    const std::vector<Interval>* intervals = column == SelectivityColumn ? &answers.selectivity.ci95
                                             : column == MatchColumn     ? &answers.match.ci95
                                             : column == FollowsColumn   ? &answers.followsCi95
                                                                         : nullptr;
    return intervals != nullptr && h < intervals->size() ? (*intervals)[h] : Interval();
}

std::vector<std::int64_t> HeadTableModel::headsOf(const QModelIndex& index) const
{
    const auto row = static_cast<std::int64_t>(index.row());
    if (!grouped())
        return {row};
    if (index.internalId() != kTop)
        return {(static_cast<std::int64_t>(index.internalId()) - 1) * m_members + row};
    std::vector<std::int64_t> heads;
    for (std::int64_t head = row * m_members; head < std::min((row + 1) * m_members, m_info.heads); ++head)
        heads.push_back(head);
    return heads;
}

double HeadTableModel::value(const QModelIndex& index) const
{
    double sum = 0;
    std::int64_t count = 0;
    const std::vector<std::int64_t> heads = headsOf(index);
    for (const std::int64_t head : heads)
        if (const double one = headValue(head, index.column());
            std::isfinite(one) && (heads.size() == 1 || isShown(head)))
        {
            sum += one;
            ++count;
        }
    return count == 0 ? kNaN : sum / static_cast<double>(count);
}

QModelIndex HeadTableModel::indexOfHead(std::int64_t head, int column) const
{
    if (head < 0 || head >= m_info.heads)
        return {};
    if (!grouped())
        return index(static_cast<int>(head), column);
    return index(static_cast<int>(head % m_members), column, index(static_cast<int>(head / m_members), 0));
}

QModelIndex HeadTableModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kTop);
}

QModelIndex HeadTableModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == kTop)
        return {};
    return createIndex(static_cast<int>(index.internalId()) - 1, 0, kTop);
}

int HeadTableModel::rowCount(const QModelIndex& parent) const
{
    if (m_info.heads == 0)
        return 0;
    if (!parent.isValid())
        return static_cast<int>(grouped() ? (m_info.heads + m_members - 1) / m_members : m_info.heads);
    if (!grouped() || parent.internalId() != kTop || parent.column() != 0)
        return 0;
    return static_cast<int>(std::min(m_members, m_info.heads - parent.row() * m_members));
}

int HeadTableModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QString HeadTableModel::nameOf(const QModelIndex& index) const
{
    if (grouped() && index.internalId() == kTop)
        return viz::groupName(GroupIndex(index.row()), m_members);
    return unitText(m_stage, HeadIndex(headsOf(index).front()));
}

QVariant HeadTableModel::checkState(const QModelIndex& index) const
{
    const auto heads = headsOf(index);
    const auto on = std::count_if(heads.begin(), heads.end(),
                                  [this](std::int64_t head) { return m_kept[static_cast<std::size_t>(head)]; });
    if (on == 0)
        return Qt::Unchecked;
    return on == std::ssize(heads) ? Qt::Checked : Qt::PartiallyChecked;
}

QVariant HeadTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int column = index.column();
    const double number = value(index);
    const bool isHead = headsOf(index).size() == 1;
    switch (role)
    {
    case Qt::DisplayRole:
        if (column == HeadColumn)
            return nameOf(index);
        if (column == TopicColumn && isHead && m_report != nullptr && m_report->answers)
            return QString(toQString(m_report->topTopic[static_cast<std::size_t>(headsOf(index).front())]) %
                           markOf(isChance(index)));
        if (column == TopicColumn || !std::isfinite(number))
            return column == TopicColumn ? QString() : QStringLiteral("–");
        return QString(
            (isShare(column) ? tr("%1 %").arg(QLocale().toString(100 * number, 'f', 1)) : numberText(number)) %
            markOf(isChance(index)));
    case Qt::CheckStateRole:
        return column == HeadColumn ? checkState(index) : QVariant();
    case Qt::ToolTipRole:
        if (const QString test = testText(index); !test.isEmpty())
            return test;
        return headerData(column, Qt::Horizontal, Qt::ToolTipRole);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((column == HeadColumn || column == TopicColumn ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    case BarRole:
    {
        const double largest = m_largest[static_cast<std::size_t>(column)];
        if (column == HeadColumn || column == TopicColumn || !std::isfinite(number) || largest <= 0)
            return {};
        return std::clamp(number / largest, 0.0, 1.0);
    }
    case WhiskerRole:
    {
        const double largest = m_largest[static_cast<std::size_t>(column)];
        const Interval interval = isHead ? intervalOf(headsOf(index).front(), column) : Interval();
        if (!std::isfinite(interval.low) || !std::isfinite(number) || largest <= 0)
            return {};
        return QPointF(std::clamp(interval.low / largest, 0.0, 1.0), std::clamp(interval.high / largest, 0.0, 1.0));
    }
    case HeadRole:
        return QVariant::fromValue<qint64>(isHead ? headsOf(index).front() : -1);
    case ColorRole:
        return isHead ? m_palette.color(HeadIndex(headsOf(index).front()))
                      : m_palette.groupColor(GroupIndex(index.row()));
    case SortRole:
        return number;
    default:
        return {};
    }
}

Qt::ItemFlags HeadTableModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (index.column() == HeadColumn)
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

bool HeadTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid())
        return false;
    Q_EMIT headsSwitched(headsOf(index), value.toInt() == Qt::Checked);
    return true;
}

HeadTableProxy::HeadTableProxy(QObject* parent) : QSortFilterProxyModel(parent)
{
    setRecursiveFilteringEnabled(true);
    setSortRole(SortRole);
}

void HeadTableProxy::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_shown = heads;
    invalidateFilter();
}

void HeadTableProxy::setFilter(const QString& text)
{
    m_text = text.trimmed();
    m_byNumber = false;
    m_heads.clear();
    constexpr std::int64_t kMaxHeads = 4096; // "" and "1-999999999" must not become lists of so many
    if (!m_text.isEmpty() && m_text.front().isDigit())
        if (auto heads = parseHeadRanges(toStdString(m_text), kMaxHeads))
        {
            m_byNumber = true;
            m_heads = std::move(*heads);
        }
    invalidateFilter();
}

bool HeadTableProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    if (left.column() == HeadTableModel::HeadColumn)
        return left.row() < right.row();
    const double a = left.data(SortRole).toDouble();
    const double b = right.data(SortRole).toDouble();
    if (std::isnan(a) || std::isnan(b)) // last in either order
        return sortOrder() == Qt::AscendingOrder ? !std::isnan(a) && std::isnan(b) : std::isnan(a) && !std::isnan(b);
    return a < b;
}

bool HeadTableProxy::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, HeadTableModel::TopicColumn, parent);
    const qint64 head = index.data(HeadTableModel::HeadRole).toLongLong();
    if (head < 0)
        return false; // a group stays with a head of it
    if (m_shown && !std::binary_search(m_shown->begin(), m_shown->end(), head))
        return false;
    if (m_text.isEmpty())
        return true;
    if (m_byNumber)
        return std::binary_search(m_heads.begin(), m_heads.end(), head);
    return index.data().toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace headscope::ui
