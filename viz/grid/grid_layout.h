// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/grid/grid_contents.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::viz
{

/// Measures of a grid, in logical pixels (on paper: in units of the figure).
struct GridMetrics
{
    double gap = 8;
    double margin = 12;
    double caption = 18;     ///< height of a cell's line of text
    double blockHeader = 64; ///< width of the column that names the rows
    double columnHeader = 20;
    double least = 64;  ///< a map is at least so wide and high; the grid grows taller instead
    double stripe = 20; ///< between rows that are next to each other
};

/// Where the cells of a grid go: as large as the view lets them be. Each row of the table is on one
/// line with headings above, unless cells would be at least a quarter larger otherwise: long rows are broken into
/// several lines, many short rows are next to each other in stripes. Broken rows break alike, between KV groups
/// where a group fits into a line: the same head is in the same column of all rows (of a stripe), and the full
/// vector has the first column for itself.
/// @threads a value; reentrant
class GridLayout
{
public:
    GridLayout() = default;
    /// @param view  the room there is; contentSize() may be taller, never wider. Height 0, for paper: as many
    ///              cells of the least size side by side as there is room for, and as many lines as that takes
    GridLayout(const GridContents& contents, QSizeF view, const GridMetrics& metrics = {});

    [[nodiscard]] QSizeF contentSize() const { return m_size; }
    [[nodiscard]] const GridMetrics& metrics() const { return m_metrics; }
    /// A cell, its caption included.
    [[nodiscard]] QRectF cell(std::size_t index) const { return m_cells[index]; }
    /// The part of a cell that shows the map; the same size for all.
    [[nodiscard]] QRectF plot(std::size_t index) const;
    [[nodiscard]] QSizeF plotSize() const;
    [[nodiscard]] std::size_t count() const { return m_cells.size(); }
    [[nodiscard]] std::optional<std::size_t> cellAt(QPointF place) const;
    /// Where the name of a row of the table goes.
    [[nodiscard]] QRectF blockHeading(std::int64_t block) const;
    /// Where the heading of a column goes; there is none where rows are broken or in stripes.
    [[nodiscard]] std::optional<QRectF> columnHeading(std::int64_t column) const;
    /// The next cell in a direction (one of dx, dy is -1 or 1), or nothing at the edge.
    [[nodiscard]] std::optional<std::size_t> neighbor(std::size_t index, int dx, int dy) const;

private:
    GridMetrics m_metrics;
    QSizeF m_size;
    std::vector<QRectF> m_cells;
    std::vector<QRectF> m_blocks;
    std::vector<QRectF> m_columns; ///< empty where rows are broken or in stripes
};

} // namespace headscope::viz
