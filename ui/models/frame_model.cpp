// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/frame_model.h"

#include "ui/models/roles.h"
#include "ui/words/natural_order.h"
#include "ui/words/wording.h"

#include <QLocale>

#include <cmath>
#include <limits>
#include <utility>

namespace headscope::ui
{
namespace
{

QString missing()
{
    return QStringLiteral("–");
}

/// Three digits after the point; by its exponent where these would hold none of its own.
QString realText(double value, Shown shown)
{
    constexpr double kMinShown = 5e-4;
    const bool isTiny = shown != Shown::Fixed && value != 0 && std::abs(value) < kMinShown;
    return isTiny ? QLocale().toString(value, 'g', 2) : QLocale().toString(value, 'f', 3);
}

/// A number of a column; nothing where it is missing.
QString cellNumber(const Column& column, Facet facet, std::size_t row, NumberText number)
{
    const double value = column.at(facet, row);
    return std::isfinite(value) ? number(*column.info, facet, value) : QString();
}

/// "0.363 – 0.483"; nothing where there is no interval.
QString betweenText(const Column& column, std::size_t row, NumberText number)
{
    const QString low = cellNumber(column, Facet::Low, row, number);
    return low.isEmpty() ? low : QString(low % QStringLiteral(" – ") % cellNumber(column, Facet::High, row, number));
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

} // namespace

QString frameNumber(const ColumnInfo& info, Facet facet, double value)
{
    if (facet == Facet::P || facet == Facet::Q || (facet == Facet::Value && info.shown == Shown::P))
        return probabilityText(value);
    if (facet == Facet::Value && isWhole(info.shown))
        return info.shown == Shown::Index ? QString::number(static_cast<std::int64_t>(value))
                                          : countText(static_cast<std::int64_t>(value));
    return realText(value, info.shown);
}

QString facetText(const Column& column, Facet facet, std::size_t row, NumberText number)
{
    switch (facet)
    {
    case Facet::Value:
        return column.isText() ? wordAt(column, row) : cellNumber(column, facet, row, number);
    case Facet::Span:
    {
        const QString value = cellNumber(column, Facet::Value, row, number);
        const QString between = betweenText(column, row, number);
        return between.isEmpty() ? value : QStringLiteral("%1 (%2)").arg(value, between);
    }
    case Facet::Ends:
    case Facet::Range:
        return betweenText(column, row, number);
    default:
        return cellNumber(column, facet, row, number);
    }
}

QStringList factsBeside(const Column& column, Facet shown, std::size_t row, NumberText number)
{
    const bool showsInterval = shown == Facet::Span || shown == Facet::Ends || shown == Facet::Range;
    const std::pair<Facet, QString> facts[] = {{Facet::Range, FrameModel::tr("95 % interval")},
                                               {Facet::Null, FrameModel::tr("Mean of the null distribution")},
                                               {Facet::P, QStringLiteral("p")},
                                               {Facet::Q, QStringLiteral("q")},
                                               {Facet::Chance, FrameModel::tr("Chance")}};
    QStringList lines;
    for (const auto& [facet, name] : facts)
    {
        const bool isShown = facet == shown || (facet == Facet::Range && showsInterval);
        const QString method = facet == Facet::Range  ? methodAt(column.intervalMethod, row)
                               : facet == Facet::Null ? methodAt(column.nullMethod, row)
                                                      : QString();
        if (const QString text = isShown ? QString() : facetText(column, facet, row, number); !text.isEmpty())
            lines << name % QStringLiteral(": ") % text % method;
    }
    return lines;
}

QString columnTip(const ColumnInfo& info, const QString& caution)
{
    const QString definition = toQString(info.definition);
    return caution.isEmpty() ? definition : QString(definition % QStringLiteral(". ") % caution);
}

FrameModel::FrameModel(std::vector<FrameColumn> columns, Extra extra, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)), m_infos(m_columns.size()), m_extra(std::move(extra))
{}

void FrameModel::learn(const Frame& frame)
{
    for (std::size_t at = 0; at < m_columns.size(); ++at)
    {
        const Column* column = frame.find(m_columns[at].key);
        m_infos[at] = column != nullptr ? column->info : frame.about().find(m_columns[at].key);
    }
}

void FrameModel::setFrame(Frame frame)
{
    beginResetModel();
    learn(frame);
    const auto shared = std::make_shared<const Frame>(std::move(frame));
    m_rows.clear();
    for (std::size_t row = 0; row < static_cast<std::size_t>(shared->rows()); ++row)
        m_rows.push_back({shared, row});
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
    return m_rows[static_cast<std::size_t>(row)].frame->find(m_columns[static_cast<std::size_t>(column)].key);
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
        return missing();
    const QString text = facetText(*values, facet, m_rows[static_cast<std::size_t>(row)].row);
    if (!text.isEmpty() || (facet == Facet::Value && values->isText()))
        return text;
    const bool isTest = facet == Facet::P || facet == Facet::Q;
    return isTest && !values->noTest.empty() ? toQString(values->noTest) : missing();
}

QString FrameModel::headTip(int column) const
{
    const QString& own = m_columns[static_cast<std::size_t>(column)].tip;
    const ColumnInfo* info = m_infos[static_cast<std::size_t>(column)];
    if (!own.isEmpty() || info == nullptr)
        return own;
    return columnTip(*info, toQString(info->caution));
}

QString FrameModel::tip(int row, int column) const
{
    QStringList lines;
    if (const Column* values = columnAt(row, column); values != nullptr && !values->isMeaningless)
        lines = factsBeside(*values, m_columns[static_cast<std::size_t>(column)].facet,
                            m_rows[static_cast<std::size_t>(row)].row);
    lines << headTip(column);
    lines.removeAll(QString());
    return lines.join(u'\n');
}

QVariant FrameModel::sortValue(int row, int column) const
{
    const Column* values = columnAt(row, column);
    const auto& shown = m_columns[static_cast<std::size_t>(column)];
    if (values != nullptr && values->isText() && values->info->shown != Shown::Flag && shown.facet == Facet::Value)
        return text(row, column, shown.facet);
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
        return text(row, column, m_columns[static_cast<std::size_t>(column)].facet);
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
        return !shown.title.isEmpty() || info == nullptr ? shown.title : toQString(info->title);
    case Qt::ToolTipRole:
        return headTip(section);
    case Qt::TextAlignmentRole: // what names a row stands left, as texts do
    {
        const bool isWord = section == 0 || (info != nullptr && isText(info->shown) && shown.facet == Facet::Value);
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
