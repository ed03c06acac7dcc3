// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/attention/token_names.h"
#include "viz/attention/weight_pyramid.h"
#include "viz/color/inks.h"

#include <QPointF>
#include <QRectF>

#include <cstdint>
#include <optional>
#include <utility>

class QPainter;

namespace headscope::viz
{

/// Which part of a table of weights is seen, and how large.
struct MatrixWindow
{
    double cell = 0; ///< side of a cell; 0: the whole table fits
    double left = 0; ///< how far it is moved, in the units of the canvas
    double top = 0;
    bool operator==(const MatrixWindow&) const = default;
};

/// One token reads another.
struct WeightCell
{
    std::int64_t reading = 0;
    std::int64_t read = 0;
    bool operator==(const WeightCell&) const = default;
};

struct WeightMarks
{
    std::optional<WeightCell> chosen;
    std::optional<WeightCell> hovered;
};

/// The weights of a head as a table: rows read, columns are read, names on the left and slanted above.
///
/// However many tokens there are, a frame costs what its pixels cost: where cells are smaller than a pixel the largest
/// of those under it is shown, from a WeightPyramid.
/// @threads a value; reentrant. Needs a QGuiApplication (fonts).
class WeightMatrixLayout
{
public:
    static constexpr double kLargestFit = 26; ///< of a cell where everything fits
    static constexpr double kLargestCell = 64;

    WeightMatrixLayout() = default;
    /// @param names  must outlive the layout
    WeightMatrixLayout(const TokenNames& names, const QRectF& box, InkTheme theme, MatrixWindow window);

    [[nodiscard]] const MatrixWindow& window() const { return m_window; }
    /// What the cells are seen through.
    [[nodiscard]] QRectF plot() const { return m_plot; }
    /// The part of it that cells fill.
    [[nodiscard]] QRectF filled() const;
    [[nodiscard]] double fittingCell() const;
    [[nodiscard]] bool showsAll() const { return m_window.cell <= fittingCell() * 1.0001; }
    [[nodiscard]] MatrixWindow bounded(MatrixWindow window) const;
    /// Closer (above 1) or farther; the cell under `place` stays there.
    [[nodiscard]] MatrixWindow zoomedAt(QPointF place, double factor) const;
    [[nodiscard]] MatrixWindow panned(QPointF by) const;
    /// Moved as little as brings a cell into view.
    [[nodiscard]] MatrixWindow showing(WeightCell cell) const;
    [[nodiscard]] QRectF cellRect(WeightCell cell) const;
    [[nodiscard]] std::optional<WeightCell> cellAt(QPointF place) const;
    /// The token whose name is there: of a row, or of a column.
    [[nodiscard]] std::optional<std::int64_t> rowNameAt(QPointF place) const;
    [[nodiscard]] std::optional<std::int64_t> columnNameAt(QPointF place) const;

    /// @param dpr  device pixels of one unit, for cells that are painted as a picture
    void paint(QPainter& painter, const WeightPyramid& weights, const WeightMarks& marks, double dpr) const;

private:
    void paintCells(QPainter& painter, const ShownWeights& weights) const;
    void paintNumbers(QPainter& painter, const ShownWeights& weights) const;
    void paintNames(QPainter& painter, const WeightMarks& marks, bool firstTakenOut) const;
    void paintSlanted(QPainter& painter, std::int64_t token, const QFont& font, const QColor& color) const;
    void paintMarks(QPainter& painter, const WeightMarks& marks) const;
    [[nodiscard]] std::int64_t nameStride(double apart) const;
    /// Rows, or columns, of which something is seen: [first, last).
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> inView(double moved, double length) const;

    const TokenNames* m_names = nullptr;
    InkTheme m_theme = InkTheme::Light;
    QRectF m_box;
    QRectF m_plot;
    MatrixWindow m_window;
};

} // namespace headscope::viz
