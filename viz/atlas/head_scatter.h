// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/atlas/head_dots.h"
#include "viz/axis/figure_legend.h"
#include "viz/chart/chart_style.h"
#include "viz/geometry/axis_ticks.h"

#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// What stands out among the heads of a model.
struct HeadMarks
{
    std::optional<HeadPlace> hovered;  ///< with its name, and the intervals of both numbers
    std::vector<HeadPlace> chosen;     ///< ringed
    std::vector<HeadPlace> marked;     ///< ascending; where there are any, the others are pale
    std::optional<std::int64_t> layer; ///< that the window shows

    [[nodiscard]] bool isMarked(const HeadPlace& head) const;
};

/// All heads of a model as dots over two axes, with ticks, the legend of the colours and the key of the sizes.
/// Needs a QGuiApplication (fonts), as everything that measures text.
class HeadScatterLayout
{
public:
    HeadScatterLayout() = default;
    /// @cost  O(dots) and, for the names, O(named x dots)
    HeadScatterLayout(HeadDots dots, const QRectF& box, const ChartStyle& style);

    [[nodiscard]] const HeadDots& dots() const { return m_dots; }
    [[nodiscard]] QRectF plot() const { return m_plot; }
    [[nodiscard]] QPointF placeOf(std::size_t dot) const;
    [[nodiscard]] double radiusOf(std::size_t dot) const;
    /// The dot under a place, the nearest of several.
    [[nodiscard]] std::optional<std::size_t> dotAt(QPointF place) const;
    /// The dots inside a lasso (or the corners of a rectangle), ascending.
    [[nodiscard]] std::vector<std::size_t> dotsIn(const QPolygonF& outline) const;
    /// The next dot in a direction, for arrow keys: the nearest within 45 degrees of it.
    [[nodiscard]] std::optional<std::size_t> dotBeside(std::size_t from, QPointF direction) const;
    /// Where the name of an extreme is; empty for a dot that is not named, or has no room.
    [[nodiscard]] QRectF nameOf(std::size_t dot) const;
    void paint(QPainter& painter, const HeadMarks& marks) const;

private:
    void spread();
    /// How far the nearest of some dots would be from one that is moved.
    [[nodiscard]] double distanceTo(const std::vector<std::size_t>& others, std::size_t dot, double shift) const;
    void placeNames();
    /// Whether another dot is nearer to a name than its own.
    [[nodiscard]] bool readsAsAnother(const QRectF& name, std::size_t dot) const;
    [[nodiscard]] double xOf(double value) const;
    [[nodiscard]] double yOf(double value) const;
    void paintAxes(QPainter& painter, const HeadMarks& marks) const;
    void paintChance(QPainter& painter) const;
    void paintHead(QPainter& painter) const;
    void paintDot(QPainter& painter, std::size_t dot, bool pale) const;
    void paintWhiskers(QPainter& painter, std::size_t dot) const;
    void paintNames(QPainter& painter, const HeadMarks& marks) const;

    HeadDots m_dots;
    ChartStyle m_style;
    QRectF m_box;
    QRectF m_top; ///< title of the y axis, key of the sizes
    QRectF m_plot;
    AxisTicks m_xTicks;
    AxisTicks m_yTicks;
    FigureLegend m_legend;
    std::vector<double> m_shifts; ///< of dots of one column that would hide each other, to the right
    QPointF m_corner;             ///< of picture and legend
    std::vector<std::pair<std::size_t, QRectF>> m_names; ///< dots that have room for their name
};

} // namespace headscope::viz
