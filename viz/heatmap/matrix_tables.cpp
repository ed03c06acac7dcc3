// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/matrix_tables.h"

#include <QPainter>

#include <algorithm>

namespace headscope::viz
{
namespace
{

constexpr double kAround = 16;
constexpr double kBetweenTables = 20;

/// Items of a table: its cells row by row, its rows' names, its columns' names.
std::size_t itemsOf(const MatrixD& values)
{
    return static_cast<std::size_t>(values.rows() * values.cols() + values.rows() + values.cols());
}

} // namespace

MatrixTables::MatrixTables() : Picture({.saying = Saying::Card, .hasGround = true, .least = {200, 160}}) {}

void MatrixTables::setTables(std::vector<Table> tables)
{
    m_tables = std::move(tables);
    m_first = {0};
    for (const Table& table : m_tables)
        m_first.push_back(m_first.back() + itemsOf(*table.values));
    replaced();
}

void MatrixTables::setScale(const ScaleChoice& choice)
{
    m_scale = choice;
    changed();
}

void MatrixTables::setBlocks(std::vector<std::pair<std::int64_t, std::int64_t>> blocks)
{
    if (m_tables.empty())
        return;
    m_tables.front().style.blocks = std::move(blocks);
    changed();
}

void MatrixTables::arrange()
{
    m_layouts.clear();
    const auto count = static_cast<double>(std::max<std::size_t>(1, m_tables.size()));
    const double width = (box().width() - 2 * kAround - kBetweenTables * (count - 1)) / count;
    double left = kAround;
    for (const Table& table : m_tables)
    {
        MatrixStyle style = table.style;
        style.theme = theme();
        style.scale = scaleOf(m_scale, style.theme);
        m_layouts.emplace_back(*table.values, table.rowNames, table.columnNames,
                               QRectF(left, kAround, std::max(1.0, width), std::max(1.0, box().height() - 2 * kAround)),
                               style);
        left += width + kBetweenTables;
    }
}

MatrixTables::Part MatrixTables::partOf(std::size_t item) const
{
    const auto above = std::upper_bound(m_first.begin(), m_first.end(), item);
    Part part{static_cast<std::size_t>(above - m_first.begin()) - 1, {}, {}};
    const MatrixD& values = *m_tables[part.table].values;
    const auto number = static_cast<std::int64_t>(item - m_first[part.table]);
    const std::int64_t cells = values.rows() * values.cols();
    if (number < cells)
    {
        part.row = number / values.cols();
        part.column = number % values.cols();
    }
    else if (number < cells + values.rows())
        part.row = number - cells;
    else
        part.column = number - cells - values.rows();
    return part;
}

std::optional<std::size_t> MatrixTables::cellAt(QPointF place) const
{
    for (std::size_t table = 0; table < m_layouts.size(); ++table)
        if (const auto cell = m_layouts[table].cellAt(place))
            return m_first[table] + static_cast<std::size_t>(cell->row * m_tables[table].values->cols() + cell->column);
    return std::nullopt;
}

std::optional<std::size_t> MatrixTables::itemAt(QPointF place) const
{
    if (const auto cell = cellAt(place))
        return cell;
    for (std::size_t table = 0; table < m_layouts.size(); ++table)
    {
        const MatrixD& values = *m_tables[table].values;
        const auto names = m_first[table] + static_cast<std::size_t>(values.rows() * values.cols());
        if (const auto row = m_layouts[table].rowNameAt(place))
            return names + static_cast<std::size_t>(*row);
        if (const auto column = m_layouts[table].columnNameAt(place))
            return names + static_cast<std::size_t>(values.rows() + *column);
    }
    return std::nullopt;
}

QRectF MatrixTables::placeOf(std::size_t item) const
{
    const Part part = partOf(item);
    return part.row && part.column ? m_layouts[part.table].cellRect({*part.row, *part.column}) : QRectF();
}

ItemText MatrixTables::textOf(std::size_t item) const
{
    const Part part = partOf(item);
    return m_cardSource && part.row && part.column ? m_cardSource(part.table, {*part.row, *part.column}) : ItemText();
}

std::optional<std::size_t> MatrixTables::next(std::optional<std::size_t> from, Step step) const
{
    // By places, so that the order of rows and columns holds.
    const QPoint way = directionOf(step);
    if (way.isNull())
        return std::nullopt;
    const QRectF cell = from ? placeOf(*from) : QRectF();
    if (cell.isEmpty())
        return cellAt(m_layouts.front().plot().topLeft() + QPointF(1, 1));
    if (const auto next = cellAt(cell.center() + QPointF(way.x() * cell.width(), way.y() * cell.height())))
        return next;
    const std::size_t beside = partOf(*from).table + (way.x() > 0 ? 1 : std::size_t(-1)); // wraps: no such table
    if (way.x() == 0 || beside >= m_layouts.size())
        return from;
    const QRectF plot = m_layouts[beside].plot();
    return cellAt({way.x() > 0 ? plot.left() + 1 : plot.right() - 1, cell.center().y()});
}

void MatrixTables::paint(QPainter& painter, const PictureMarks& marks) const
{
    for (const MatrixLayout& layout : m_layouts)
        layout.paint(painter, painter.device()->devicePixelRatioF());
    if (!marks.pointed)
        return;
    if (const QRectF cell = placeOf(*marks.pointed); !cell.isEmpty())
        m_layouts[partOf(*marks.pointed).table].paintFrame(painter, cell);
}

} // namespace headscope::viz
