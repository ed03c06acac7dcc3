// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/head_measures.h"
#include "viz/atlas/head_colors.h"
#include "viz/atlas/head_scatter.h"
#include "viz/axis/figure_legend.h"
#include "viz/chart/chart_style.h"
#include "viz/color/head_palette.h"

#include <QPointF>
#include <QRectF>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// What a grid of layers and heads shows.
struct HeadGrid
{
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    Stage stage = Stage::HeadOutput;
    std::int64_t members = 0; ///< of a KV group; 0 or all: there are none
    HeadColors colors;        ///< of the cells
    MatrixD values;           ///< [L, H] numbers that are written into cells with room for them; empty: none are
    HeadPalette palette;      ///< of the brackets of KV groups
    /// [L][H] the heads of each layer in their order from left to right; empty: by number. In another order than by
    /// number the cells have the heads' numbers.
    std::vector<std::vector<std::int64_t>> order;
};

/// @param key   of the measure that colours the cells, or kColorByHead
/// @param ranks [L H] by which the heads of each layer are ordered, -1 last; empty: by number
/// @param info  as rows of the stage fall into groups (groupedAt)
[[nodiscard]] HeadGrid headGrid(const HeadMeasures& measures, std::string_view key,
                                const std::vector<std::int64_t>& ranks, const ModelInfo& info,
                                const HeadPalette& palette);

/// Layers as rows (0 at the top) and heads as columns: a cell each, with its colour.
class HeadGridLayout
{
public:
    HeadGridLayout() = default;
    HeadGridLayout(HeadGrid grid, const QRectF& box, const ChartStyle& style);

    [[nodiscard]] const HeadGrid& grid() const { return m_grid; }
    [[nodiscard]] QRectF cells() const { return m_cells; }
    [[nodiscard]] QRectF rectOf(const HeadPlace& head) const;
    [[nodiscard]] std::optional<HeadPlace> headAt(QPointF place) const;
    /// The head `columns` to the right and `rows` below, inside the grid.
    [[nodiscard]] HeadPlace headBeside(const HeadPlace& from, int columns, int rows) const;
    /// The heads whose cells' centres lie inside, ascending.
    [[nodiscard]] std::vector<HeadPlace> headsIn(const QPolygonF& outline) const;
    void paint(QPainter& painter, const HeadMarks& marks) const;

private:
    [[nodiscard]] std::int64_t headOf(std::int64_t layer, std::int64_t column) const;
    [[nodiscard]] std::int64_t columnOf(const HeadPlace& head) const;
    void paintNumbers(QPainter& painter) const;
    void paintBrackets(QPainter& painter) const;
    void paintCell(QPainter& painter, const HeadPlace& head, bool pale) const;

    HeadGrid m_grid;
    ChartStyle m_style;
    QRectF m_cells;
    FigureLegend m_legend;
    QPointF m_corner;
    std::vector<std::vector<std::int64_t>> m_columns; ///< [L][H] column of each head; empty: its number
};

} // namespace headscope::viz
