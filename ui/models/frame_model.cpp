// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/frame_model.h"

#include "model/base/text/natural_order.h"
#include "ui/models/roles.h"
#include "ui/words/decimal_text.h"
#include "ui/words/wording.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::ui
{
namespace
{

/// Three digits after the point; by its exponent where these would hold none of its own.
QString realText(double value)
{
    constexpr double kMinShown = 5e-4;
    const bool isTiny = value != 0 && std::abs(value) < kMinShown;
    return isTiny ? QLocale().toString(value, 'g', 2).replace(u'-', u'−') : decimalText(value, 3);
}

QString describedText(double value, Facet facet, Shown shown)
{
    if (facet == Facet::Value && shown == Shown::P)
        return probabilityText(value);
    if (facet == Facet::Value && isWhole(shown))
        return shown == Shown::Index ? QString::number(static_cast<std::int64_t>(value))
                                     : countText(static_cast<std::int64_t>(value));
    return shown == Shown::Fixed ? fixedText(value) : realText(value);
}

/// Proportions in per cent, other numbers with few digits.
QString shortText(double value, Shown shown)
{
    if (shown == Shown::Share)
        return percentText(value);
    const bool isCount = isWhole(shown) && value == std::round(value);
    return isCount ? countText(static_cast<std::int64_t>(value)) : numberText(value);
}

QString cellNumber(const Column& column, Facet facet, std::size_t row, NumberStyle style)
{
    return frameNumber(*column.info, facet, column.at(facet, row), style);
}

/// "0.363 – 0.483"; of differences, where a dash would read as a minus, "−0.1 to +0.3"; nothing where there is no
/// interval.
QString betweenText(const Column& column, std::size_t row, NumberStyle style)
{
    const QString low = cellNumber(column, Facet::Low, row, style);
    if (low.isEmpty())
        return low;
    const bool isDifference = style == NumberStyle::Points || column.info->shown == Shown::Fixed;
    const QString high = cellNumber(column, Facet::High, row, style);
    return isDifference ? FrameModel::tr("%1 to %2").arg(low, high) : QString(low % QStringLiteral(" – ") % high);
}

/// "0.42 (0.363 – 0.483)"
QString spanText(const Column& column, std::size_t row, NumberStyle style)
{
    const QString value = cellNumber(column, Facet::Value, row, style);
    const QString between = betweenText(column, row, style);
    if (!between.isEmpty())
        return QStringLiteral("%1 (%2)").arg(value, between);
    return value.isEmpty() || !column.has(Facet::Low) ? value : FrameModel::tr("%1 (no interval)").arg(value);
}

/// " (Wilson)"; nothing where it is not known.
QString methodAt(const Column::Texts& methods, std::size_t row)
{
    return methods.empty() || methods[row].empty() ? QString() : QStringLiteral(" (%1)").arg(toQString(methods[row]));
}

/// A text; nothing where the column holds numbers.
QString wordAt(const Column& column, std::size_t row)
{
    if (column.info->shown == Shown::Flag)
        return column.at(Facet::Value, row) > 0 ? FrameModel::tr("yes") : QString();
    const auto* texts = std::get_if<Column::Texts>(&column.values);
    return texts == nullptr ? QString() : toQString((*texts)[row]);
}

/// What a facet is called beside the number that it is of; nothing: it shows the number itself.
QString facetTitle(Facet facet)
{
    switch (facet)
    {
    case Facet::Ends:
    case Facet::Range:
        return FrameModel::tr("95% interval");
    case Facet::Null:
        return FrameModel::tr("Mean of the null distribution");
    case Facet::P:
        return QStringLiteral("p");
    case Facet::Q:
        return QStringLiteral("q");
    case Facet::Chance:
        return FrameModel::tr("Chance");
    default:
        return {};
    }
}

/// Its name in this result ("segment"), else the title of its description, with the unit. Symbols (p, q) stay small.
QString titleOf(const ColumnInfo& info, const std::string& header)
{
    QString title = toQString(header.empty() ? info.title : header);
    if (title.size() > 1)
        title = title.left(1).toUpper() % title.mid(1);
    return info.unit.empty() ? title : QStringLiteral("%1 (%2)").arg(title, toQString(info.unit));
}

const Column* columnOf(const Frame& frame, std::string_view key)
{
    if (const Column* found = frame.find(key); found != nullptr || key.empty())
        return found;
    const auto named = std::ranges::find(frame.columns(), key, &Column::header);
    return named == frame.columns().end() ? nullptr : &*named;
}

} // namespace

QString frameNumber(const ColumnInfo& info, Facet facet, double value, NumberStyle style)
{
    if (!std::isfinite(value))
        return {};
    if (facet == Facet::P || facet == Facet::Q)
        return probabilityText(value);
    switch (style)
    {
    case NumberStyle::Percent:
        return percentText(value);
    case NumberStyle::Points:
        return pointsText(value);
    case NumberStyle::PointsSize:
        return pointsText(value).remove(u'+');
    case NumberStyle::Probability:
        return probabilityText(value);
    case NumberStyle::Whole:
        return QString::number(static_cast<std::int64_t>(value));
    case NumberStyle::Hundredths:
        return decimalText(value, 2);
    case NumberStyle::Short:
        return shortText(value, info.shown);
    case NumberStyle::Described:
        break;
    }
    return describedText(value, facet, info.shown);
}

QString facetText(const Column& column, Facet facet, std::size_t row, NumberStyle style)
{
    switch (facet)
    {
    case Facet::Value:
        return column.isText() ? wordAt(column, row) : cellNumber(column, facet, row, style);
    case Facet::Span:
        return spanText(column, row, style);
    case Facet::Ends:
    case Facet::Range:
        return betweenText(column, row, style);
    default:
        return cellNumber(column, facet, row, style);
    }
}

QStringList factsBeside(const Column& column, Facet shown, std::size_t row, NumberStyle style)
{
    const bool showsInterval = shown == Facet::Span || shown == Facet::Ends || shown == Facet::Range;
    QStringList lines;
    for (const Facet facet : {Facet::Range, Facet::Null, Facet::P, Facet::Q, Facet::Chance})
    {
        const QString text = facetText(column, facet, row, style);
        const QString method = facet == Facet::Range  ? methodAt(column.intervalMethod, row)
                               : facet == Facet::Null ? methodAt(column.nullMethod, row)
                                                      : QString();
        const bool isShown = facet == shown || (facet == Facet::Range && showsInterval);
        if (text.isEmpty() || (isShown && method.isEmpty()))
            continue;
        if (isShown) // how it was made is not in the cell
            lines << (showsInterval ? FrameModel::tr("Interval") : facetTitle(facet)) % method;
        else
            lines << facetTitle(facet) % QStringLiteral(": ") % text % method;
    }
    return lines;
}

QString columnTip(const ColumnInfo& info, const QString& caution)
{
    const QString definition = toQString(info.definition);
    return caution.isEmpty() ? definition : QString(definition % QStringLiteral(". ") % caution);
}

QString columnTip(const ColumnInfo& info)
{
    return columnTip(info, toQString(info.caution));
}

QString fixedText(double value)
{
    return decimalText(value, 4);
}

FrameModel::FrameModel(std::vector<FrameColumn> columns, Extra extra, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)), m_infos(m_columns.size()), m_titles(m_columns.size()),
      m_extra(std::move(extra))
{}

void FrameModel::learn(const Frame& frame)
{
    for (std::size_t at = 0; at < m_columns.size(); ++at)
    {
        const Column* column = columnOf(frame, m_columns[at].key);
        const ColumnInfo* info = column != nullptr ? column->info : frame.about().find(m_columns[at].key);
        m_infos[at] = info;
        m_titles[at] = facetTitle(m_columns[at].facet);
        if (info != nullptr && m_titles[at].isEmpty())
            m_titles[at] = titleOf(*info, column != nullptr ? column->header : std::string());
    }
}

void FrameModel::fill(Frame frame)
{
    learn(frame);
    const auto shared = std::make_shared<const Frame>(std::move(frame));
    m_rows.clear();
    for (std::size_t row = 0; row < static_cast<std::size_t>(shared->rows()); ++row)
        m_rows.push_back({shared, row});
}

void FrameModel::setFrame(Frame frame)
{
    beginResetModel();
    fill(std::move(frame));
    endResetModel();
}

void FrameModel::setFrame(Frame frame, std::vector<FrameColumn> columns)
{
    beginResetModel();
    m_columns = std::move(columns);
    m_infos.assign(m_columns.size(), nullptr);
    m_titles.assign(m_columns.size(), QString());
    fill(std::move(frame));
    endResetModel();
}

void FrameModel::clear()
{
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

void FrameModel::insertFrame(int before, Frame frame)
{
    const auto count = static_cast<int>(frame.rows());
    if (count == 0)
        return;
    const bool isFirst = m_rows.empty();
    beginInsertRows({}, before, before + count - 1);
    learn(frame);
    const auto shared = std::make_shared<const Frame>(std::move(frame));
    for (int row = 0; row < count; ++row)
        m_rows.insert(m_rows.begin() + before + row, {shared, static_cast<std::size_t>(row)});
    endInsertRows();
    if (isFirst)
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void FrameModel::replaceFrame(int row, Frame frame)
{
    m_rows[static_cast<std::size_t>(row)] = {std::make_shared<const Frame>(std::move(frame)), 0};
    Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
}

void FrameModel::refresh()
{
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void FrameModel::setTitle(int column, const QString& title)
{
    m_columns[static_cast<std::size_t>(column)].title = title;
    Q_EMIT headerDataChanged(Qt::Horizontal, column, column);
}

const Column* FrameModel::columnAt(int row, int column) const
{
    return columnOf(*m_rows[static_cast<std::size_t>(row)].frame, m_columns[static_cast<std::size_t>(column)].key);
}

double FrameModel::number(int row, int column) const
{
    const Column* values = columnAt(row, column);
    if (values == nullptr || values->isMeaningless)
        return std::numeric_limits<double>::quiet_NaN();
    const std::size_t at = m_rows[static_cast<std::size_t>(row)].row;
    const Facet facet = m_columns[static_cast<std::size_t>(column)].facet;
    if (facet == Facet::Ends || facet == Facet::Range) // by its width
        return values->at(Facet::High, at) - values->at(Facet::Low, at);
    return values->at(facet == Facet::Span ? Facet::Value : facet, at);
}

QString FrameModel::text(int row, int column, Facet facet) const
{
    const Column* values = columnAt(row, column);
    if (values == nullptr || values->isMeaningless)
        return missingText();
    const QString text = facetText(*values, facet, m_rows[static_cast<std::size_t>(row)].row,
                                   m_columns[static_cast<std::size_t>(column)].style);
    if (!text.isEmpty() || (facet == Facet::Value && values->isText()))
        return text;
    const bool isTest = facet == Facet::P || facet == Facet::Q;
    return isTest && !values->noTest.empty() ? toQString(values->noTest) : missingText();
}

QString FrameModel::frameText(int row, int column) const
{
    return text(row, column, m_columns[static_cast<std::size_t>(column)].facet);
}

QString FrameModel::headTip(int column) const
{
    const QString& own = m_columns[static_cast<std::size_t>(column)].tip;
    const ColumnInfo* info = m_infos[static_cast<std::size_t>(column)];
    return !own.isEmpty() || info == nullptr ? own : columnTip(*info);
}

QString FrameModel::tip(int row, int column) const
{
    QStringList lines;
    const FrameColumn& shown = m_columns[static_cast<std::size_t>(column)];
    if (const Column* values = columnAt(row, column); values != nullptr && !values->isMeaningless)
        lines = factsBeside(*values, shown.facet, m_rows[static_cast<std::size_t>(row)].row, shown.style);
    lines << headTip(column);
    lines.removeAll(QString());
    return lines.join(u'\n');
}

QVariant FrameModel::sortValue(int row, int column) const
{
    const Column* values = columnAt(row, column);
    const auto& shown = m_columns[static_cast<std::size_t>(column)];
    if (values != nullptr && values->isText() && values->info->shown != Shown::Flag && shown.facet == Facet::Value)
        return frameText(row, column);
    return number(row, column);
}

int FrameModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FrameModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant FrameModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const int row = index.row();
    const int column = index.column();
    if (m_extra)
        if (QVariant extra = m_extra(row, column, role); extra.isValid())
            return extra;
    switch (role)
    {
    case Qt::DisplayRole:
        return frameText(row, column);
    case Qt::ToolTipRole:
        return tip(row, column);
    case Qt::AccessibleTextRole:
        return QString(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() % QStringLiteral(": ") %
                       data(index, Qt::DisplayRole).toString());
    case Qt::TextAlignmentRole:
        return headerData(column, Qt::Horizontal, role);
    case SortRole:
        return sortValue(row, column);
    default:
        return {};
    }
}

QVariant FrameModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const FrameColumn& shown = m_columns[static_cast<std::size_t>(section)];
    const ColumnInfo* info = m_infos[static_cast<std::size_t>(section)];
    switch (role)
    {
    case Qt::DisplayRole:
        return shown.title.isEmpty() ? m_titles[static_cast<std::size_t>(section)] : shown.title;
    case Qt::ToolTipRole:
        return headTip(section);
    case Qt::TextAlignmentRole: // what names a row stands left, as texts do
    {
        const bool isWord = section == 0 || info == nullptr || (isText(info->shown) && shown.facet == Facet::Value);
        return QVariant::fromValue((isWord ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    default:
        return {};
    }
}

FrameOrder::FrameOrder(QAbstractItemModel* source, QObject* parent) : QSortFilterProxyModel(parent)
{
    setSourceModel(source);
    setSortRole(SortRole);
}

bool FrameOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant one = left.data(SortRole);
    const QVariant other = right.data(SortRole);
    const auto isMissing = [](const QVariant& value) {
        return value.typeId() == QMetaType::QString ? value.toString().isEmpty() : std::isnan(value.toDouble());
    };
    if (isMissing(one) || isMissing(other))
        return isMissing(one) != isMissing(other) && isMissing(one) == (sortOrder() == Qt::DescendingOrder);
    if (one.typeId() == QMetaType::QString && other.typeId() == QMetaType::QString)
        return naturalOrder(toStdString(one.toString()), toStdString(other.toString())) < 0;
    return one.toDouble() < other.toDouble();
}

} // namespace headscope::ui
