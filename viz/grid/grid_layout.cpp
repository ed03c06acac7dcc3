// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::viz
{
namespace
{

/// Where the columns of a row go.
struct Lines
{
    std::vector<std::int64_t> line;  ///< of each column, from 0
    std::vector<std::int64_t> place; ///< in its line
    std::int64_t count = 1;          ///< of lines
    std::int64_t columns = 1;        ///< of the longest
};

bool isFull(const GridContents& contents, std::size_t column)
{
    return column < contents.columnGroups.size() && contents.columnGroups[column] < 0;
}

/// Breaks a row into lines of at most `most` cells, between groups where a group is no longer than that.
Lines brokenInto(const GridContents& contents, std::int64_t most)
{
    Lines lines;
    const std::size_t all = contents.columns.size();
    const auto groupOf = [&contents](std::size_t column) {
        return column < contents.columnGroups.size() ? contents.columnGroups[column]
                                                     : static_cast<std::int64_t>(column);
    };
    const std::int64_t first = all > 0 && isFull(contents, 0) ? 1 : 0; // the full vector's own column
    std::int64_t line = 0;
    std::int64_t next = 0;
    for (std::size_t column = 0; column < all; ++column)
    {
        if (isFull(contents, column))
        {
            lines.line.push_back(0);
            lines.place.push_back(0);
            continue;
        }
        next = std::max(next, first);
        std::size_t end = column; // of its group
        while (end < all && groupOf(end) == groupOf(column))
            ++end;
        const bool begins = column == 0 || groupOf(column - 1) != groupOf(column);
        const auto length = static_cast<std::int64_t>(end - column);
        const bool groupFits = next + length <= most || first + length > most;
        if (next > first && (next >= most || (begins && !groupFits)))
        {
            ++line;
            next = first;
        }
        lines.line.push_back(line);
        lines.place.push_back(next++);
        lines.columns = std::max(lines.columns, next);
    }
    lines.columns = std::max(lines.columns, first);
    lines.count = line + 1;
    return lines;
}

/// Cells keep to this shape: a map is about as wide as high, and what is more stays empty.
constexpr double kMaxWide = 1.6;
constexpr double kMaxHigh = 1.6;
/// Whole rows under each other read as a table: they give way only for maps that are so much larger.
constexpr double kTableIsWorth = 1.25;

/// A table of `lines.columns` x `count` cells, or several of them side by side.
struct Table
{
    Lines lines;
    std::int64_t stripes = 1; ///< side by side
    std::int64_t rows = 1;    ///< of the contents in one stripe
    std::int64_t count = 1;   ///< of lines on top of each other in one stripe
    double width = 0;         ///< of a cell
    double height = 0;        ///< of a cell, its caption included

    [[nodiscard]] bool whole() const { return lines.count == 1 && stripes == 1; }
};

/// The heading of the columns, above all: only whole rows have one.
double headerOf(const Table& table, const GridMetrics& metrics)
{
    return table.whole() ? metrics.columnHeader : 0;
}

Table tableOf(const GridContents& contents, QSizeF view, const GridMetrics& metrics, std::int64_t columns,
              std::int64_t stripes)
{
    Table table;
    table.lines = brokenInto(contents, columns);
    const auto rows = static_cast<std::int64_t>(contents.blocks.size());
    table.rows = (rows + stripes - 1) / stripes;
    table.stripes = (rows + table.rows - 1) / table.rows; // none stays empty
    table.count = table.rows * table.lines.count;
    const double wide = (view.width() - 2 * metrics.margin + metrics.stripe) / static_cast<double>(table.stripes) -
                        metrics.stripe - metrics.blockHeader;
    const double high = view.height() - 2 * metrics.margin - headerOf(table, metrics);
    const auto fit = [&metrics](double room, std::int64_t count) {
        return std::floor((room + metrics.gap) / static_cast<double>(count) - metrics.gap);
    };
    table.width = fit(wide, table.lines.columns);
    table.height = fit(high, table.count);
    return table;
}

/// How large the maps of a table are: the side of the square that fits into its cells.
double sizeOf(const Table& table, const GridMetrics& metrics)
{
    return std::min(table.width, table.height - metrics.caption);
}

/// Every way to lay the contents out, the plain table first.
std::vector<Table> tablesOf(const GridContents& contents, QSizeF view, const GridMetrics& metrics)
{
    std::vector<Table> tables;
    const auto all = static_cast<std::int64_t>(contents.columns.size());
    const auto rows = static_cast<std::int64_t>(contents.blocks.size());
    for (std::int64_t columns = all; columns >= 1; --columns)
        tables.push_back(tableOf(contents, view, metrics, columns, 1));
    for (std::int64_t stripes = 2; stripes <= rows; ++stripes)
        tables.push_back(tableOf(contents, view, metrics, all, stripes));
    return tables;
}

/// The one with the largest maps that fits into the view.
Table largestTable(const std::vector<Table>& tables, const GridMetrics& metrics)
{
    const auto worth = [&metrics](const Table& table) {
        return (table.whole() ? kTableIsWorth : 1.0) * sizeOf(table, metrics);
    };
    return *std::ranges::max_element(tables, {}, worth);
}

/// Where there are too many maps for the view: the shortest one whose maps can still be made out.
Table shortestTable(std::vector<Table> tables, const GridMetrics& metrics)
{
    const double widest = std::ranges::max(tables, {}, &Table::width).width;
    std::erase_if(tables, [&](const Table& table) { return table.width < std::min(metrics.least, widest); });
    for (Table& table : tables)
        table.height = std::max(std::min(table.width, 1.25 * metrics.least), metrics.least) + metrics.caption;
    const auto tall = [&metrics](const Table& table) {
        const double height = static_cast<double>(table.count) * (table.height + metrics.gap);
        return table.whole() ? height / kTableIsWorth : height;
    };
    return *std::ranges::min_element(tables, {}, tall);
}

Table bestTable(const GridContents& contents, QSizeF view, const GridMetrics& metrics)
{
    const std::vector<Table> tables = tablesOf(contents, view, metrics);
    Table best = largestTable(tables, metrics);
    if (sizeOf(best, metrics) < metrics.least)
        best = shortestTable(tables, metrics);
    best.width = std::max(best.width, 1.0);
    best.height = std::max(best.height, metrics.caption + 1);
    best.width = std::min(best.width, std::ceil(kMaxWide * (best.height - metrics.caption)));
    best.height = std::min(best.height, std::ceil(kMaxHigh * best.width) + metrics.caption);
    return best;
}

/// For a page that is as high as its content.
Table tableOnPaper(const GridContents& contents, double width, const GridMetrics& metrics)
{
    constexpr double kShape = 0.85; ///< height of a map by its width
    constexpr double kRoomy = 5;    ///< a map of so many least widths leaves room for stripes
    const QSizeF page(width, std::numeric_limits<float>::max());
    const auto all = static_cast<std::int64_t>(contents.columns.size());
    const double room = width - 2 * metrics.margin - metrics.blockHeader;
    const double fitting = std::floor((room + metrics.gap) / (metrics.least + metrics.gap));
    const std::int64_t most = std::clamp<std::int64_t>(static_cast<std::int64_t>(fitting), 1, all);
    const std::int64_t lines = (all + most - 1) / most;
    Table table = tableOf(contents, page, metrics, (all + lines - 1) / lines, 1);
    // Groups that stay whole may take a longer line than all cells spread evenly.
    for (std::int64_t columns = most; table.lines.count > lines && columns > (all + lines - 1) / lines; --columns)
        if (Table other = tableOf(contents, page, metrics, columns, 1); other.lines.count < table.lines.count)
            table = std::move(other);
    const auto rows = static_cast<std::int64_t>(contents.blocks.size());
    for (std::int64_t stripes = 2; stripes <= rows && table.width > kRoomy * metrics.least; ++stripes)
        table = tableOf(contents, page, metrics, all, stripes);
    table.width = std::max(table.width, 1.0);
    table.height = std::floor(kShape * table.width) + std::max(metrics.caption, 1.0);
    return table;
}

} // namespace

GridLayout::GridLayout(const GridContents& contents, QSizeF view, const GridMetrics& metrics) : m_metrics(metrics)
{
    if (contents.cells.empty())
        return;
    const Table table =
        view.height() > 0 ? bestTable(contents, view, metrics) : tableOnPaper(contents, view.width(), metrics);
    const double header = headerOf(table, metrics);
    const double top = metrics.margin + header;
    const double stripe = metrics.blockHeader + metrics.stripe +
                          static_cast<double>(table.lines.columns) * (table.width + metrics.gap) - metrics.gap;
    const auto rectOf = [&](std::int64_t block, std::int64_t line, std::int64_t column) {
        const double left = metrics.margin + metrics.blockHeader + static_cast<double>(block / table.rows) * stripe;
        const auto down = static_cast<double>(block % table.rows * table.lines.count + line);
        return QRectF(left + static_cast<double>(column) * (table.width + metrics.gap),
                      top + down * (table.height + metrics.gap), table.width, table.height);
    };
    for (const GridCell& cell : contents.cells)
    {
        const auto column = static_cast<std::size_t>(cell.column);
        m_cells.push_back(rectOf(cell.block, table.lines.line[column], table.lines.place[column]));
    }
    for (std::int64_t block = 0; block < std::ssize(contents.blocks); ++block)
    {
        const QRectF first = rectOf(block, 0, 0);
        m_blocks.emplace_back(first.left() - metrics.blockHeader, first.top(), metrics.blockHeader - metrics.gap,
                              table.height);
    }
    if (table.whole())
        for (std::int64_t column = 0; column < std::ssize(contents.columns); ++column)
            m_columns.emplace_back(rectOf(0, 0, column).left(), metrics.margin, table.width, header);
    const QRectF last = rectOf(table.rows - 1, table.lines.count - 1, 0);
    m_size = QSizeF(view.width(), last.bottom() + metrics.margin);
}

QRectF GridLayout::plot(std::size_t index) const
{
    return m_cells[index].adjusted(0, m_metrics.caption, 0, 0);
}

QSizeF GridLayout::plotSize() const
{
    return m_cells.empty() ? QSizeF() : plot(0).size();
}

std::optional<std::size_t> GridLayout::cellAt(QPointF place) const
{
    for (std::size_t i = 0; i < m_cells.size(); ++i)
        if (m_cells[i].contains(place))
            return i;
    return std::nullopt;
}

QRectF GridLayout::blockHeading(std::int64_t block) const
{
    return m_blocks[static_cast<std::size_t>(block)];
}

std::optional<QRectF> GridLayout::columnHeading(std::int64_t column) const
{
    if (static_cast<std::size_t>(column) >= m_columns.size())
        return std::nullopt;
    return m_columns[static_cast<std::size_t>(column)];
}

std::optional<std::size_t> GridLayout::neighbor(std::size_t index, int dx, int dy) const
{
    const QPointF from = m_cells[index].center();
    std::optional<std::size_t> best;
    double bestDistance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < m_cells.size(); ++i)
    {
        const QPointF to = m_cells[i].center() - from;
        const double along = to.x() * dx + to.y() * dy;
        const double across = std::abs(to.x() * dy) + std::abs(to.y() * dx);
        if (along < 1 || (dx != 0 && across > 1)) // along a line one stays on it; up and down may cross gaps
            continue;
        const double distance = along + 3 * across;
        if (distance < bestDistance)
        {
            bestDistance = distance;
            best = i;
        }
    }
    return best;
}

} // namespace headscope::viz
