// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/interval_rows.h"

#include "viz/axis/text.h"
#include "viz/color/inks.h"
#include "viz/geometry/axis_ticks.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::viz
{
namespace
{

constexpr double kMinColumn = 84;
constexpr double kBetween = 16; ///< columns
constexpr double kBlocks = 10;  ///< columns under each other
constexpr double kStrip = 3;    ///< of a row's colour
constexpr double kAfterNames = 4;
constexpr double kDot = 2;  ///< radius
constexpr double kRoom = 6; ///< of an axis on both sides, for half a number

struct Sizes
{
    double title = 0;
    double row = 0;
    double ticks = 0;
    double names = 0;        ///< with what is free behind them
    std::size_t perLine = 1; ///< columns beside each other
    std::size_t blocks = 1;

    [[nodiscard]] double block(std::size_t rows) const { return title + static_cast<double>(rows) * row + ticks; }
};

Sizes sizesOf(const IntervalRows& rows, double width, double textPt)
{
    Sizes sizes;
    const QFont small = textFont(textPt - 1);
    sizes.title = lineHeight(textFont(textPt, QFont::DemiBold)) + 3;
    sizes.row = std::ceil(1.05 * lineHeight(small));
    sizes.ticks = lineHeight(small) + 4;
    for (const QString& name : rows.names)
        sizes.names = std::max(sizes.names, textWidth(name, small));
    sizes.names += kAfterNames + (rows.colors.empty() ? 0 : kStrip + 3);
    const double room = width - sizes.names;
    const auto fit = static_cast<std::size_t>(std::max(1.0, (room + kBetween) / (kMinColumn + kBetween)));
    const std::size_t count = std::max<std::size_t>(1, rows.columns.size());
    sizes.blocks = (count + fit - 1) / fit;
    sizes.perLine = (count + sizes.blocks - 1) / sizes.blocks;
    return sizes;
}

/// An axis from the smallest to the largest that a column shows.
struct Axis
{
    double low = 0;
    double high = 1;
    QRectF plot;

    [[nodiscard]] double xOf(double value) const
    {
        return plot.left() + (std::clamp(value, low, high) - low) / (high - low) * plot.width();
    }
};

Axis axisOf(const RowColumn& column, const QRectF& plot)
{
    double low = column.low;
    double high = column.high;
    const auto take = [&](double value) {
        if (!std::isfinite(value))
            return;
        low = std::isfinite(low) ? std::min(low, value) : value;
        high = std::isfinite(high) ? std::max(high, value) : value;
    };
    for (const RowNumber& number : column.numbers)
        for (const double value : {number.value, number.ci95.low, number.ci95.high, number.null})
            take(value);
    take(column.line);
    if (!std::isfinite(low))
        return {0, 1, plot};
    const double room = high > low ? 0.03 * (high - low) : 0.5;
    return {column.low == low ? low : low - room, column.high == high ? high : high + room, plot};
}

/// As many ticks as have their labels next to each other, at most five.
AxisTicks ticksWithRoom(const Axis& axis, const QFont& font)
{
    constexpr int kMost = 5;
    constexpr double kApart = 5;
    for (int count = kMost; count > 2; --count)
    {
        AxisTicks ticks = axisTicks(axis.low, axis.high, count);
        double end = -std::numeric_limits<double>::infinity();
        bool hasRoom = true;
        for (const double tick : ticks.values)
        {
            const double half = textWidth(ticks.label(tick), font) / 2;
            hasRoom = hasRoom && axis.xOf(tick) - half >= end;
            end = axis.xOf(tick) + half + kApart;
        }
        if (hasRoom)
            return ticks;
    }
    return axisTicks(axis.low, axis.high, 2);
}

void paintAxis(QPainter& painter, const Axis& axis, double textPt)
{
    const Inks& ink = inks(InkTheme::Light);
    const QFont small = textFont(textPt - 1);
    const AxisTicks ticks = ticksWithRoom(axis, small);
    for (const double tick : ticks.values)
    {
        const double x = axis.xOf(tick);
        painter.fillRect(QRectF(x - 0.25, axis.plot.top(), 0.5, axis.plot.height()), ink.hairline);
        const double half = textWidth(ticks.label(tick), small) / 2 + 1;
        drawLine(painter, {x - half, axis.plot.bottom() + 2, 2 * half, lineHeight(small)}, ticks.label(tick), small,
                 ink.secondary, Qt::AlignCenter);
    }
}

void paintNumber(QPainter& painter, const RowNumber& number, const Axis& axis, double y, double pitch)
{
    const Inks& ink = inks(InkTheme::Light);
    const QColor& color = number.verdict == RowVerdict::NotTested ? ink.secondary : ink.ink;
    if (std::isfinite(number.null))
    {
        painter.setPen(QPen(ink.secondary, 1));
        const double x = axis.xOf(number.null);
        painter.drawLine(QPointF(x, y - 0.36 * pitch), QPointF(x, y + 0.36 * pitch));
    }
    painter.setPen(QPen(color, 0.7));
    if (std::isfinite(number.ci95.low) && std::isfinite(number.ci95.high))
        painter.drawLine(QPointF(axis.xOf(number.ci95.low), y), QPointF(axis.xOf(number.ci95.high), y));
    if (!std::isfinite(number.value))
        return;
    painter.setPen(QPen(color, 0.8));
    painter.setBrush(number.verdict == RowVerdict::Chance ? ink.background : color);
    painter.drawEllipse(QPointF(axis.xOf(number.value), y), kDot, kDot);
}

void paintNames(QPainter& painter, const IntervalRows& rows, const QRectF& box, const Sizes& sizes, double textPt)
{
    const QFont small = textFont(textPt - 1);
    const double strip = rows.colors.empty() ? 0 : kStrip + 3;
    for (qsizetype row = 0; row < rows.names.size(); ++row)
    {
        const QRectF at(box.left(), box.top() + static_cast<double>(row) * sizes.row, sizes.names, sizes.row);
        drawLine(painter, at.adjusted(0, 0, -kAfterNames - strip, 0), rows.names[row], small,
                 inks(InkTheme::Light).secondary, Qt::AlignRight | Qt::AlignVCenter);
        if (strip > 0)
            painter.fillRect(QRectF(at.right() - kStrip - 2, at.top() + 0.1 * sizes.row, kStrip, 0.8 * sizes.row),
                             rows.colors[static_cast<std::size_t>(row)]);
    }
}

void paintColumn(QPainter& painter, const IntervalRows& rows, const RowColumn& column, const QRectF& box,
                 const Sizes& sizes, double textPt)
{
    const Inks& ink = inks(InkTheme::Light);
    drawLine(painter, {box.left(), box.top(), box.width(), sizes.title - 3}, column.title,
             textFont(textPt, QFont::DemiBold), ink.ink);
    const QRectF plot(box.left() + kRoom, box.top() + sizes.title, std::max(1.0, box.width() - 2 * kRoom),
                      static_cast<double>(column.numbers.size()) * sizes.row);
    const Axis axis = axisOf(column, plot);
    paintAxis(painter, axis, textPt);
    for (std::size_t row = 1; row < rows.apart.size(); ++row)
        if (rows.apart[row])
            painter.fillRect(
                QRectF(box.left(), plot.top() + static_cast<double>(row) * sizes.row - 0.25, box.width(), 0.5),
                ink.hairline);
    if (std::isfinite(column.line))
    {
        painter.setPen(QPen(ink.secondary, 0.7, Qt::DashLine));
        painter.drawLine(QPointF(axis.xOf(column.line), plot.top()), QPointF(axis.xOf(column.line), plot.bottom()));
    }
    for (std::size_t row = 0; row < column.numbers.size(); ++row)
        paintNumber(painter, column.numbers[row], axis, plot.top() + (static_cast<double>(row) + 0.5) * sizes.row,
                    sizes.row);
}

} // namespace

RowVerdict rowVerdict(double q)
{
    constexpr double kSignificant = 0.05;
    if (!std::isfinite(q))
        return RowVerdict::NotTested;
    return q < kSignificant ? RowVerdict::Significant : RowVerdict::Chance;
}

double intervalRowsHeight(const IntervalRows& rows, double width, double textPt)
{
    const Sizes sizes = sizesOf(rows, width, textPt);
    const auto blocks = static_cast<double>(sizes.blocks);
    return blocks * sizes.block(static_cast<std::size_t>(rows.names.size())) + (blocks - 1) * kBlocks;
}

void paintIntervalRows(QPainter& painter, const IntervalRows& rows, const QRectF& box, double textPt)
{
    const Sizes sizes = sizesOf(rows, box.width(), textPt);
    const auto perLine = static_cast<double>(sizes.perLine);
    const double width = (box.width() - sizes.names - (perLine - 1) * kBetween) / perLine;
    if (width <= 2 * kRoom || rows.names.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double block = sizes.block(static_cast<std::size_t>(rows.names.size()));
    for (std::size_t at = 0; at < rows.columns.size(); ++at)
    {
        const double top = box.top() + static_cast<double>(at / sizes.perLine) * (block + kBlocks);
        if (at % sizes.perLine == 0)
            paintNames(painter, rows, {box.left(), top + sizes.title, sizes.names, block}, sizes, textPt);
        const double left = box.left() + sizes.names + static_cast<double>(at % sizes.perLine) * (width + kBetween);
        paintColumn(painter, rows, rows.columns[at], {left, top, width, block}, sizes, textPt);
    }
    painter.restore();
}

} // namespace headscope::viz
