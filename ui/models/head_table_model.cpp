// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/head_table_model.h"

#include "model/base/assert.h"
#include "model/data/head_ranges.h"
#include "ui/models/roles.h"
#include "ui/words/wording.h"

#include <QPointF>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// Internal id of top rows; children carry their parent's row + 1.
constexpr quintptr kTop = 0;

/// Keys of HeadTableModel::Column.
constexpr std::array<std::string_view, HeadTableModel::TopicColumn + 1> kKnown = {
    "head",         "mean_norm", "spread",   "score",    "mean_similarity", "selectivity_unbiased",
    "follows_full", "match",     "evenness", "top_topic"};
/// What the rows are instead, what tips have, and what another column says better.
constexpr std::array<std::string_view, 5> kNotShown = {"group", "sd_similarity", "selectivity", "top_similarity",
                                                       "top_excess"};

std::vector<const ColumnInfo*> columnsOf(const FrameInfo& about)
{
    std::vector<const ColumnInfo*> columns;
    for (const std::string_view key : kKnown)
    {
        columns.push_back(about.find(key));
        HEADSCOPE_ASSERT(columns.back() != nullptr);
    }
    const auto isIn = [](std::span<const std::string_view> keys, const ColumnInfo& info) {
        return std::ranges::find(keys, info.key) != keys.end();
    };
    for (const ColumnInfo& info : about.columns)
        if (!isIn(kKnown, info) && !isIn(kNotShown, info))
            columns.push_back(&info);
    return columns;
}

} // namespace

HeadTableModel::HeadTableModel(QObject* parent)
    : QAbstractItemModel(parent), m_frame(kHeadsFrame), m_columns(columnsOf(kHeadsFrame)), m_scales(m_columns.size())
{}

void HeadTableModel::setModel(const ModelInfo& info, const viz::HeadPalette& palette, Stage stage)
{
    beginResetModel();
    m_info = info;
    m_stage = stage;
    m_palette = palette;
    m_members = info.heads > 0 ? info.groupSize() : 0;
    m_report.reset();
    m_frame = Frame(kHeadsFrame);
    m_columns = columnsOf(kHeadsFrame);
    m_kept.assign(static_cast<std::size_t>(info.heads), true);
    m_shown.resize(static_cast<std::size_t>(info.heads));
    std::iota(m_shown.begin(), m_shown.end(), 0);
    m_scales.assign(m_columns.size(), Interval{0, 0});
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
    Frame numbers(kHeadsFrame);
    if (report != nullptr)
    {
        std::vector<std::int64_t> heads(static_cast<std::size_t>(m_info.heads));
        std::iota(heads.begin(), heads.end(), 0);
        numbers = headsFrame(headRowsOf(*report), m_info, heads);
    }
    setReport(std::move(report), std::move(numbers));
}

void HeadTableModel::setReport(std::shared_ptr<const HeadReport> report, Frame numbers)
{
    const bool hasOtherColumns = &numbers.about() != &m_frame.about();
    if (hasOtherColumns)
        beginResetModel();
    m_report = std::move(report);
    m_frame = std::move(numbers);
    if (!hasOtherColumns)
        return refresh();
    m_columns = columnsOf(m_frame.about());
    measureColumns();
    endResetModel();
}

void HeadTableModel::refresh()
{
    measureColumns();
    announce({});
}

void HeadTableModel::announce(const QList<int>& roles)
{
    const int last = columnCount() - 1;
    for (int row = 0; row < rowCount(); ++row)
    {
        const QModelIndex top = index(row, 0);
        Q_EMIT dataChanged(top, index(row, last), roles);
        if (rowCount(top) > 0)
            Q_EMIT dataChanged(index(0, 0, top), index(rowCount(top) - 1, last, top), roles);
    }
}

void HeadTableModel::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_shown = heads;
    refresh();
}

bool HeadTableModel::isShown(std::int64_t head) const
{
    return std::binary_search(m_shown.begin(), m_shown.end(), head);
}

void HeadTableModel::setKept(const std::vector<bool>& kept)
{
    m_kept = kept;
    announce({Qt::CheckStateRole, Qt::ForegroundRole});
}

void HeadTableModel::measureColumns()
{
    m_scales.assign(m_columns.size(), Interval{0, 0});
    for (int column = 0; column < columnCount(); ++column)
        for (std::int64_t head = 0; head < m_info.heads; ++head)
            if (const double value = headNumber(numbersOf(column), Facet::Value, head);
                std::isfinite(value) && isShown(head))
            {
                Interval& scale = m_scales[static_cast<std::size_t>(column)];
                for (const double end : {value, headNumber(numbersOf(column), Facet::Low, head),
                                         headNumber(numbersOf(column), Facet::High, head)})
                    if (std::isfinite(end))
                        scale = {std::min(scale.low, end), std::max(scale.high, end)};
            }
}

bool HeadTableModel::isWord(int column) const
{
    const Shown shown = infoOf(column).shown;
    return column == HeadColumn || isText(shown) || shown == Shown::Flag;
}

const headscope::Column* HeadTableModel::numbersOf(int column) const
{
    return column == HeadColumn ? nullptr : m_frame.find(column == TopicColumn ? "top_similarity" : infoOf(column).key);
}

const headscope::Column* HeadTableModel::testedOf(int column) const
{
    return column == TopicColumn ? m_frame.find("top_excess") : numbersOf(column);
}

double HeadTableModel::headNumber(const headscope::Column* numbers, Facet facet, std::int64_t head) const
{
    return numbers != nullptr && head < m_frame.rows() ? numbers->at(facet, static_cast<std::size_t>(head)) : kNaN;
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
        if (const double one = headNumber(numbersOf(index.column()), Facet::Value, head);
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
    return static_cast<int>(m_columns.size());
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

QVariant HeadTableModel::onScale(int column, double low, double high) const
{
    const Interval& scale = m_scales[static_cast<std::size_t>(column)];
    const double width = scale.high - scale.low;
    if (!std::isfinite(low) || !std::isfinite(high) || width <= 0)
        return {};
    const auto place = [&](double number) { return std::clamp((number - scale.low) / width, 0.0, 1.0); };
    return QPointF(place(low), place(high));
}

QVariant HeadTableModel::whisker(const QModelIndex& index) const
{
    const std::vector<std::int64_t> heads = headsOf(index);
    if (heads.size() > 1 || !std::isfinite(value(index)))
        return {};
    const headscope::Column* numbers = numbersOf(index.column());
    return onScale(index.column(), headNumber(numbers, Facet::Low, heads.front()),
                   headNumber(numbers, Facet::High, heads.front()));
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
        return cellText(index);
    case Qt::CheckStateRole:
        return column == HeadColumn ? checkState(index) : QVariant();
    case Qt::ToolTipRole:
        return cellTip(index);
    case Qt::TextAlignmentRole:
        return headerData(column, Qt::Horizontal, role);
    case BarRole:
        return isWord(column) ? QVariant() : onScale(column, std::min(number, 0.0), std::max(number, 0.0));
    case WhiskerRole:
        return whisker(index);
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
