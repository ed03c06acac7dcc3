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

/// A table of `lines.columns` x `count` cells.
struct Table
{
    Lines lines;
    std::int64_t count = 1; ///< of lines on top of each other, over all rows
    double width = 0;       ///< of a cell
    double height = 0;      ///< of a cell, its caption included

    [[nodiscard]] bool broken() const { return lines.count > 1; }
};

double roomWidth(QSizeF view, const GridMetrics& metrics)
{
    return view.width() - 2 * metrics.margin - metrics.blockHeader;
}

Table tableOf(const GridContents& contents, QSizeF view, const GridMetrics& metrics, std::int64_t columns)
{
    Table table;
    table.lines = brokenInto(contents, columns);
    table.count = static_cast<std::int64_t>(contents.blocks.size()) * table.lines.count;
    const double header = table.broken() ? 0 : metrics.columnHeader;
    const double high = view.height() - 2 * metrics.margin - header;
    const auto fit = [&](double room, std::int64_t count) {
        return std::floor((room + metrics.gap) / static_cast<double>(count) - metrics.gap);
    };
    table.width = fit(roomWidth(view, metrics), table.lines.columns);
    table.height = fit(high, table.count);
    return table;
}

/// How large the maps of a table are: the side of the square that fits into its cells.
double sizeOf(const Table& table, const GridMetrics& metrics)
{
    return std::min(table.width, table.height - metrics.caption);
}

Table bestTable(const GridContents& contents, QSizeF view, const GridMetrics& metrics)
{
    const auto all = static_cast<std::int64_t>(contents.columns.size());
    Table best = tableOf(contents, view, metrics, all);
    // Unbroken rows can be read as a table: they give way only for maps that are much larger.
    const bool stays = contents.blocks.size() > 1 && best.width >= metrics.inOneRow;
    double bestSize = 1.25 * sizeOf(best, metrics);
    for (std::int64_t columns = all - 1; columns >= 1 && !stays; --columns)
    {
        const Table table = tableOf(contents, view, metrics, columns);
        if (sizeOf(table, metrics) > bestSize)
        {
            best = table;
            bestSize = sizeOf(table, metrics);
        }
    }
    if (sizeOf(best, metrics) >= std::min(metrics.least, metrics.inOneRow))
        return best;
    // Too many for the view: cells of the least size, as many side by side as there is room for.
    const auto fitting =
        static_cast<std::int64_t>((roomWidth(view, metrics) + metrics.gap) / (metrics.least + metrics.gap));
    if (!stays)
        best = tableOf(contents, view, metrics, std::clamp<std::int64_t>(fitting, 1, all));
    best.height =
        std::max(best.height, std::min(std::max(best.width, metrics.least), 1.25 * metrics.least) + metrics.caption);
    return best;
}

/// For a page that is as high as its content.
Table tableOnPaper(const GridContents& contents, double width, const GridMetrics& metrics)
{
    constexpr double kShape = 0.85; ///< height of a map by its width
    const QSizeF page(width, std::numeric_limits<float>::max());
    const auto all = static_cast<std::int64_t>(contents.columns.size());
    const double fitting = std::floor((roomWidth(page, metrics) + metrics.gap) / (metrics.least + metrics.gap));
    const std::int64_t most = std::clamp<std::int64_t>(static_cast<std::int64_t>(fitting), 1, all);
    const std::int64_t lines = (all + most - 1) / most;
    Table table = tableOf(contents, page, metrics, (all + lines - 1) / lines);
    // Groups that stay whole may take a longer line than all cells spread evenly.
    for (std::int64_t columns = most; table.lines.count > lines && columns > (all + lines - 1) / lines; --columns)
        if (Table other = tableOf(contents, page, metrics, columns); other.lines.count < table.lines.count)
            table = std::move(other);
    table.height = std::floor(kShape * table.width) + metrics.caption;
    return table;
}

} // namespace

GridLayout::GridLayout(const GridContents& contents, QSizeF view, const GridMetrics& metrics) : m_metrics(metrics)
{
    if (contents.cells.empty())
        return;
    Table table =
        view.height() > 0 ? bestTable(contents, view, metrics) : tableOnPaper(contents, view.width(), metrics);
    table.width = std::max(table.width, 1.0);
    table.height = std::max(table.height, metrics.caption + 1);
    // Cells much wider than high would be mostly empty at both sides.
    table.width = std::min(table.width, std::ceil(1.6 * (table.height - metrics.caption)));
    table.height = std::min(table.height, std::ceil(1.25 * table.width) + metrics.caption);
    const double header = table.broken() ? 0 : metrics.columnHeader;
    const double left = metrics.margin + metrics.blockHeader;
    const double top = metrics.margin + header;
    const auto all = static_cast<std::int64_t>(contents.columns.size());
    const std::int64_t linesPerBlock = table.lines.count;
    const auto rectOf = [&](std::int64_t line, std::int64_t column) {
        return QRectF(left + static_cast<double>(column) * (table.width + metrics.gap),
                      top + static_cast<double>(line) * (table.height + metrics.gap), table.width, table.height);
    };
    for (const GridCell& cell : contents.cells)
    {
        const auto column = static_cast<std::size_t>(cell.column);
        m_cells.push_back(rectOf(cell.block * linesPerBlock + table.lines.line[column], table.lines.place[column]));
    }
    for (std::int64_t block = 0; block < static_cast<std::int64_t>(contents.blocks.size()); ++block)
        m_blocks.emplace_back(metrics.margin, rectOf(block * linesPerBlock, 0).top(), metrics.blockHeader - metrics.gap,
                              table.height);
    if (!table.broken())
        for (std::int64_t column = 0; column < all; ++column)
            m_columns.emplace_back(rectOf(0, column).left(), metrics.margin, table.width, header);
    const QRectF last = rectOf(table.count - 1, 0);
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
