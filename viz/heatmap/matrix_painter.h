// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "viz/color/color_scale.h"
#include "viz/color/inks.h"
#include "viz/heatmap/heatmap_layout.h"

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace headscope::viz
{

struct MatrixStyle
{
    InkTheme theme = InkTheme::Light;
    double textPx = 11;
    ColorScale scale;
    QString title;                     ///< above; empty: none
    bool square = false;               ///< cells as wide as high
    bool numbers = true;               ///< in cells that have room for them
    int decimals = 2;                  ///< of the numbers
    double leastNumber = 0;            ///< numbers grow smaller, down to this, before they go; 0: they have one size
    bool rowNames = true;              ///< left of the cells
    std::vector<QColor> rowColors;     ///< [R] a strip left of the cells; empty: none
    std::vector<std::int64_t> rows;    ///< which rows from the top; empty: as they are
    std::vector<std::int64_t> columns; ///< which columns from the left; empty: as they are
    /// Places [begin, end) on the diagonal that belong together, framed.
    std::vector<std::pair<std::int64_t, std::int64_t>> blocks;
};

/// A table of few rows and columns with names on both sides: similarities of topics, means of heads.
/// Measure once, paint and hit-test often. Needs a QGuiApplication (fonts).
class MatrixLayout
{
public:
    MatrixLayout() = default;
    /// @param values       [R, C]; must outlive the layout; NaN is grey
    /// @param rowNames     [R]
    /// @param columnNames  [C] short ones, below
    MatrixLayout(const MatrixD& values, QStringList rowNames, QStringList columnNames, const QRectF& box,
                 MatrixStyle style);

    [[nodiscard]] QRectF plot() const { return m_plot; }
    /// How wide a cell must be for numbers of the least size.
    [[nodiscard]] static double widthOfNumbers(const MatrixStyle& style);
    /// Where the lowest text ends.
    [[nodiscard]] double bottom() const { return m_namesBox.bottom(); }
    /// The cell of the table (not of the order) under a place.
    [[nodiscard]] std::optional<HeatmapCell> cellAt(QPointF place) const;
    [[nodiscard]] QRectF cellRect(HeatmapCell cell) const;
    /// The row whose name or colour is there.
    [[nodiscard]] std::optional<std::int64_t> rowNameAt(QPointF place) const;
    /// The column whose name is there.
    [[nodiscard]] std::optional<std::int64_t> columnNameAt(QPointF place) const;

    void paint(QPainter& painter, double dpr) const;
    /// A frame around a cell.
    void paintFrame(QPainter& painter, const QRectF& cell) const;

private:
    [[nodiscard]] std::int64_t placeOf(const std::vector<std::int64_t>& order, std::int64_t item) const;
    void paintCells(QPainter& painter, double dpr) const;
    void paintNumbers(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    void paintBlocks(QPainter& painter) const;

    const MatrixD* m_values = nullptr;
    QStringList m_rowNames;
    QStringList m_columnNames;
    MatrixStyle m_style;
    std::vector<std::int64_t> m_rows;
    std::vector<std::int64_t> m_columns;
    QRectF m_titleBox;
    QRectF m_plot;
    QRectF m_namesBox; ///< of the columns
    double m_namesWidth = 0;
    double m_stripWidth = 0;
};

} // namespace headscope::viz
