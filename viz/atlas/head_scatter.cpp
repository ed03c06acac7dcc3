// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/atlas/head_scatter.h"

#include "viz/axis/text.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kGap = 6;
constexpr double kTick = 4;
constexpr double kPale = 0.18; ///< opacity of what is not marked
constexpr double kReach = 4;   ///< beyond a dot's edge that still points at it

/// Ticks at the numbers that dots have, where these are whole, few, and their names fit between them; else none.
AxisTicks ticksAt(std::vector<double> values, const DotAxis& axis, double length, double apart)
{
    constexpr std::size_t kMostTicks = 12;
    AxisTicks ticks;
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (!axis.whole || values.size() < 2 || values.size() > kMostTicks)
        return ticks;
    for (std::size_t i = 1; i < values.size(); ++i)
        if ((values[i] - values[i - 1]) / (axis.high - axis.low) * length < apart)
            return ticks;
    ticks.values = std::move(values);
    return ticks;
}

AxisTicks ticksOf(const DotAxis& axis, double length, double apart)
{
    constexpr std::size_t kLeastTicks = 3;
    const int most = std::clamp(static_cast<int>(length / apart), 2, 10);
    AxisTicks ticks = axisTicks(axis.low, axis.high, most);
    for (int wanted = most + 1; ticks.values.size() < kLeastTicks && wanted <= most + 3; ++wanted)
        ticks = axisTicks(axis.low, axis.high, wanted);
    if (axis.whole && ticks.step < 1)
        ticks = axisTicks(axis.low, axis.high, std::max(2, static_cast<int>(axis.high - axis.low)));
    if (axis.whole)
        std::erase_if(ticks.values, [](double value) { return value != std::round(value); });
    return ticks;
}

double widest(const AxisTicks& ticks, const QFont& font)
{
    double width = 0;
    for (const double value : ticks.values)
        width = std::max(width, textWidth(ticks.label(value), font));
    return width;
}

double share(double value, const DotAxis& axis)
{
    return (value - axis.low) / (axis.high - axis.low);
}

} // namespace

bool HeadMarks::isMarked(const HeadPlace& head) const
{
    return std::ranges::binary_search(marked, head);
}

HeadScatterLayout::HeadScatterLayout(HeadDots dots, const QRectF& box, const ChartStyle& style)
    : m_dots(std::move(dots)), m_style(style), m_box(box)
{
    const QFont small = textFont(style.textPx - 1);
    const double line = lineHeight(small);
    LegendStyle legendStyle;
    legendStyle.theme = style.theme;
    legendStyle.textPx = style.textPx;
    legendStyle.card = false;
    legendStyle.maxWidth = std::max(120.0, box.width() / 3);
    m_corner = box.topLeft();
    m_legend = figureLegend(m_dots.colors.legend, legendStyle, box.size(),
                            [&](double width) { return std::max(160.0, 0.62 * width); });
    const QRectF picture = m_legend.picture.translated(m_corner);
    m_top = QRectF(picture.left(), picture.top(), picture.width(), line + kGap);
    const double below = line + kTick + kGap + line;
    const double height = std::max(0.0, picture.height() - m_top.height() - below - kGap);
    m_yTicks = ticksOf(m_dots.y, height, 3.4 * line);
    const double left = widest(m_yTicks, small) + kTick + kGap;
    m_plot = QRectF(picture.left() + left, m_top.bottom() + kGap, std::max(0.0, picture.width() - left - kGap), height);
    std::vector<double> layers; // or whatever is counted
    for (const HeadDot& dot : m_dots.dots)
        layers.push_back(dot.x);
    m_xTicks = ticksAt(std::move(layers), m_dots.x, m_plot.width(), 2 * line);
    if (m_xTicks.values.empty())
        m_xTicks = ticksOf(m_dots.x, m_plot.width(), 64);
    spread();
    placeNames();
}

double HeadScatterLayout::xOf(double value) const
{
    return m_plot.left() + share(value, m_dots.x) * m_plot.width();
}

double HeadScatterLayout::yOf(double value) const
{
    return m_plot.bottom() - share(value, m_dots.y) * m_plot.height();
}

QPointF HeadScatterLayout::placeOf(std::size_t dot) const
{
    return {xOf(m_dots.dots[dot].x) + m_shifts[dot], yOf(m_dots.dots[dot].y)};
}

double HeadScatterLayout::distanceTo(const std::vector<std::size_t>& others, std::size_t dot, double shift) const
{
    const QPointF at(xOf(m_dots.dots[dot].x) + shift, yOf(m_dots.dots[dot].y));
    double least = std::numeric_limits<double>::max();
    for (const std::size_t other : others)
    {
        const QPointF way = placeOf(other) - at;
        least = std::min(least, std::hypot(way.x(), way.y()) - radiusOf(other) - radiusOf(dot));
    }
    return least;
}

/// Dots of one column that would hide each other lie side by side, within the width of the column.
void HeadScatterLayout::spread()
{
    constexpr double kOfColumn = 0.4;
    m_shifts.assign(m_dots.dots.size(), 0);
    if (!m_dots.x.whole)
        return;
    std::map<double, std::vector<std::size_t>> columns;
    for (std::size_t dot = 0; dot < m_dots.dots.size(); ++dot)
        columns[m_dots.dots[dot].x].push_back(dot);
    double gap = m_plot.width();
    for (auto column = columns.begin(); column != columns.end(); ++column)
        if (column != columns.begin())
            gap = std::min(gap, xOf(column->first) - xOf(std::prev(column)->first));
    for (auto& [x, dots] : columns)
    {
        std::vector<std::size_t> placed;
        std::ranges::sort(dots, {}, [this](std::size_t dot) { return m_dots.dots[dot].y; });
        for (const std::size_t dot : dots)
        {
            const double step = std::min(2 * radiusOf(dot), kOfColumn * gap);
            double farthest = distanceTo(placed, dot, 0);
            for (double away = step; farthest < 0 && step > 0 && away <= kOfColumn * gap; away += step)
                for (const double shift : {away, -away})
                    if (const double distance = distanceTo(placed, dot, shift); farthest < 0 && distance > farthest)
                    {
                        farthest = distance;
                        m_shifts[dot] = shift;
                    }
            placed.push_back(dot);
        }
    }
}

double HeadScatterLayout::radiusOf(std::size_t dot) const
{
    constexpr std::size_t kMany = 400; // dots
    const double unit = m_style.textPx / 11;
    const double plain = m_dots.dots.size() > kMany ? 3.2 : 4.4;
    if (m_dots.sizeTitle.isEmpty())
        return plain * unit;
    // The area says the number.
    return unit * (0.55 * plain + 1.25 * plain * std::sqrt(m_dots.dots[dot].size));
}

std::optional<std::size_t> HeadScatterLayout::dotAt(QPointF place) const
{
    std::optional<std::size_t> nearest;
    double least = std::numeric_limits<double>::max();
    for (std::size_t dot = 0; dot < m_dots.dots.size(); ++dot)
    {
        const QPointF way = placeOf(dot) - place;
        const double distance = std::hypot(way.x(), way.y());
        if (distance <= radiusOf(dot) + kReach && distance < least)
        {
            least = distance;
            nearest = dot;
        }
    }
    return nearest;
}

std::vector<std::size_t> HeadScatterLayout::dotsIn(const QPolygonF& outline) const
{
    std::vector<std::size_t> inside;
    for (std::size_t dot = 0; dot < m_dots.dots.size(); ++dot)
        if (outline.containsPoint(placeOf(dot), Qt::OddEvenFill))
            inside.push_back(dot);
    return inside;
}

std::optional<std::size_t> HeadScatterLayout::dotBeside(std::size_t from, QPointF direction) const
{
    const QPointF start = placeOf(from);
    std::optional<std::size_t> nearest;
    double least = std::numeric_limits<double>::max();
    for (std::size_t dot = 0; dot < m_dots.dots.size(); ++dot)
    {
        const QPointF way = placeOf(dot) - start;
        const double along = QPointF::dotProduct(way, direction);
        const double across = std::abs(way.x() * direction.y() - way.y() * direction.x());
        if (dot == from || along <= 0 || across > along)
            continue;
        const double cost = along + 2 * across;
        if (cost < least)
        {
            least = cost;
            nearest = dot;
        }
    }
    return nearest;
}

QRectF HeadScatterLayout::nameOf(std::size_t dot) const
{
    const auto at = std::ranges::find(m_names, dot, &std::pair<std::size_t, QRectF>::first);
    return at == m_names.end() ? QRectF() : at->second;
}

bool HeadScatterLayout::readsAsAnother(const QRectF& name, std::size_t dot) const
{
    const auto distance = [&](std::size_t to) {
        const QPointF at = placeOf(to);
        return std::hypot(std::max({name.left() - at.x(), at.x() - name.right(), 0.0}),
                          std::max({name.top() - at.y(), at.y() - name.bottom(), 0.0}));
    };
    const double own = distance(dot);
    for (std::size_t other = 0; other < m_dots.dots.size(); ++other)
        if (other != dot && distance(other) < own + 1)
            return true;
    return false;
}

void HeadScatterLayout::placeNames()
{
    const QFont font = textFont(m_style.textPx - 1);
    const double height = lineHeight(font);
    std::vector<QRectF> taken;
    for (const std::size_t dot : m_dots.extremes)
    {
        const QPointF at = placeOf(dot);
        const QSizeF size(textWidth(shortName(m_dots.dots[dot].head), font) + 2, height);
        std::optional<QRectF> best;
        double least = 1e9;
        constexpr int kPlaces = 8;
        for (int turn = 0; turn < kPlaces; ++turn)
        {
            const double angle = -std::numbers::pi / 4 * turn;
            const double away = radiusOf(dot) + 2;
            const QPointF centre(at.x() + std::cos(angle) * (away + size.width() / 2),
                                 at.y() + std::sin(angle) * (away + size.height() / 2));
            const QRectF box(centre - QPointF(size.width() / 2, size.height() / 2), size);
            if (!m_plot.contains(box) || std::ranges::any_of(taken, [&](const QRectF& t) { return t.intersects(box); }))
                continue;
            double cost = 0.01 * turn;
            for (std::size_t other = 0; other < m_dots.dots.size(); ++other)
            {
                const double r = radiusOf(other);
                cost += box.adjusted(-r, -r, r, r).contains(placeOf(other)) ? 1 : 0;
            }
            if (cost < least && !readsAsAnother(box, dot))
            {
                least = cost;
                best = box;
            }
        }
        if (!best || least >= 1)
            continue; // it would lie on dots or names: hover says it
        taken.push_back(*best);
        m_names.emplace_back(dot, *best);
    }
}

void HeadScatterLayout::paintAxes(QPainter& painter, const HeadMarks& marks) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const double line = lineHeight(small);
    const bool xIsLayer = m_dots.x.whole && m_dots.x.title == QStringLiteral("Layer");
    if (marks.layer && xIsLayer)
    {
        QColor pale = ink.accent;
        pale.setAlphaF(0.10F);
        const auto layer = static_cast<double>(*marks.layer);
        const double left = std::max(m_plot.left(), xOf(layer - 0.5));
        painter.fillRect(QRectF(left, m_plot.top(), xOf(layer + 0.5) - left, m_plot.height()), pale);
    }
    painter.setPen(QPen(ink.hairline, 1));
    for (const double value : m_yTicks.values)
    {
        const double y = std::round(yOf(value)) + 0.5;
        painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
    }
    for (const double value : m_xTicks.values)
    {
        const double x = std::round(xOf(value)) + 0.5;
        painter.drawLine(QPointF(x, m_plot.bottom()), QPointF(x, m_plot.bottom() + kTick));
    }
    painter.drawLine(m_plot.bottomLeft(), m_plot.bottomRight());
    for (const double value : m_yTicks.values)
        drawLine(painter, {m_box.left(), yOf(value) - line / 2, m_plot.left() - kGap - m_box.left(), line},
                 m_yTicks.label(value), small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    for (const double value : m_xTicks.values)
        drawLine(painter, {xOf(value) - 32, m_plot.bottom() + kTick + 1, 64, line}, m_xTicks.label(value), small,
                 ink.secondary, Qt::AlignHCenter | Qt::AlignVCenter);
    drawLine(painter, {m_plot.left(), m_plot.bottom() + kTick + line + 2, m_plot.width(), line}, m_dots.x.title, small,
             ink.ink, Qt::AlignHCenter | Qt::AlignVCenter);
}

void HeadScatterLayout::paintChance(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    painter.setPen(QPen(ink.secondary, 1, Qt::DotLine));
    const QString word = QStringLiteral("chance");
    if (std::isfinite(m_dots.y.chance))
    {
        const double y = yOf(m_dots.y.chance);
        painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        drawLine(painter, {m_plot.right() - 60, y - lineHeight(small), 60, lineHeight(small)}, word, small,
                 ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    }
    painter.setPen(QPen(ink.secondary, 1, Qt::DotLine));
    if (std::isfinite(m_dots.x.chance))
    {
        const double x = xOf(m_dots.x.chance);
        painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
        drawLine(painter, {x + 3, m_plot.top(), 60, lineHeight(small)}, word, small, ink.secondary);
    }
}

/// The title of the y axis, and what the sizes say.
void HeadScatterLayout::paintHead(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    double right = m_top.right();
    if (!m_dots.sizeTitle.isEmpty() && !m_dots.dots.empty())
    {
        const double unit = m_style.textPx / 11;
        const auto part = [&](const QString& text) {
            const double width = textWidth(text, small);
            drawLine(painter, {right - width - 1, m_top.top(), width + 1, m_top.height()}, text, small, ink.secondary);
            right -= width + 4;
        };
        const auto circle = [&](double radius) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(ink.secondary);
            painter.drawEllipse(QPointF(right - radius, m_top.center().y()), radius, radius);
            right -= 2 * radius + 8;
        };
        const double plain = m_dots.dots.size() > 400 ? 3.2 : 4.4;
        part(shortNumber(m_dots.sizeHigh));
        circle(unit * 1.8 * plain);
        part(shortNumber(m_dots.sizeLow));
        circle(unit * 0.55 * plain);
        part(m_dots.sizeTitle);
    }
    drawLine(painter, {m_top.left(), m_top.top(), std::max(0.0, right - m_top.left() - kGap), m_top.height()},
             m_dots.y.title, small, ink.ink);
}

void HeadScatterLayout::paintDot(QPainter& painter, std::size_t dot, bool pale) const
{
    const Inks& ink = inks(m_style.theme);
    const std::size_t at = m_dots.colors.indexOf(m_dots.dots[dot].head);
    painter.setOpacity(pale ? kPale : 1.0);
    painter.setBrush(QColor::fromRgb(m_dots.colors.colors[at]));
    painter.setPen(QPen(ink.background, 0.75)); // parts dots that overlap
    painter.drawPath(markerPath(m_dots.colors.shapes[at], radiusOf(dot)).translated(placeOf(dot)));
    painter.setOpacity(1.0);
}

void HeadScatterLayout::paintWhiskers(QPainter& painter, std::size_t dot) const
{
    painter.setPen(QPen(inks(m_style.theme).ink, 1.2));
    const QPointF at = placeOf(dot);
    const auto clampedX = [this](double value) { return std::clamp(xOf(value), m_plot.left(), m_plot.right()); };
    const auto clampedY = [this](double value) { return std::clamp(yOf(value), m_plot.top(), m_plot.bottom()); };
    const HeadDot& head = m_dots.dots[dot];
    if (std::isfinite(head.xCi95.low) && std::isfinite(head.xCi95.high))
        painter.drawLine(QPointF(clampedX(head.xCi95.low), at.y()), QPointF(clampedX(head.xCi95.high), at.y()));
    if (std::isfinite(head.yCi95.low) && std::isfinite(head.yCi95.high))
        painter.drawLine(QPointF(at.x(), clampedY(head.yCi95.low)), QPointF(at.x(), clampedY(head.yCi95.high)));
}

void HeadScatterLayout::paintNames(QPainter& painter, const HeadMarks& marks) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    for (const auto& [dot, box] : m_names)
        if (marks.marked.empty() || marks.isMarked(m_dots.dots[dot].head))
            drawLine(painter, box, shortName(m_dots.dots[dot].head), small, ink.secondary,
                     Qt::AlignHCenter | Qt::AlignVCenter);
}

void HeadScatterLayout::paint(QPainter& painter, const HeadMarks& marks) const
{
    if (m_plot.width() <= 0 || m_plot.height() <= 0)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintHead(painter);
    paintAxes(painter, marks);
    paintChance(painter);
    const auto isPale = [&](std::size_t dot) {
        return !marks.marked.empty() && !marks.isMarked(m_dots.dots[dot].head);
    };
    for (const bool pale : {true, false}) // what is marked lies above the rest
        for (std::size_t dot = 0; dot < m_dots.dots.size(); ++dot)
            if (isPale(dot) == pale)
                paintDot(painter, dot, pale);
    const Inks& ink = inks(m_style.theme);
    const auto ring = [&](std::size_t dot, const QColor& color) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 2));
        const double reach = radiusOf(dot) + 2.5;
        painter.drawEllipse(placeOf(dot), reach, reach);
    };
    for (const HeadPlace& head : marks.chosen)
        if (const auto dot = m_dots.indexOf(head))
            ring(*dot, ink.accent);
    paintNames(painter, marks);
    if (marks.hovered)
        if (const auto dot = m_dots.indexOf(*marks.hovered))
        {
            paintWhiskers(painter, *dot);
            paintDot(painter, *dot, false);
            ring(*dot, ink.ink);
        }
    m_legend.paint(painter, m_corner);
    painter.restore();
}

} // namespace headscope::viz
