// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/pruning_chart.h"

#include "viz/axis/text.h"
#include "viz/color/inks.h"
#include "viz/geometry/axis_ticks.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

constexpr double kDot = 2;
constexpr double kGap = 4;

/// Where numbers lie on paper.
struct Frame
{
    QRectF plot;
    double low = 0;
    double high = 1;
    double most = 1; ///< units that are off at the right end

    [[nodiscard]] QPointF at(double off, double value) const
    {
        return {plot.left() + off / most * plot.width(),
                plot.bottom() - (std::clamp(value, low, high) - low) / (high - low) * plot.height()};
    }
};

Frame frameOf(const PruningChart& chart, const QRectF& plot)
{
    double low = chart.all;
    double high = chart.all;
    const auto take = [&](double value) {
        if (!std::isfinite(value))
            return;
        low = std::min(low, value);
        high = std::max(high, value);
    };
    for (const PruningLine::Point& point : chart.line.points)
        take(point.value);
    for (const HeldOutGain& gain : chart.line.gains)
        for (const double value : {gain.chosen, gain.elsewhereCi95.low, gain.elsewhereCi95.high})
            take(chart.all + value);
    for (const double value : {chart.allCi95.low, chart.allCi95.high, chart.chance})
        take(value);
    const double room = std::max(0.005, 0.05 * (high - low));
    return {plot, std::max(0.0, low - room), std::min(1.0, high + room),
            static_cast<double>(std::max<std::int64_t>(2, chart.count) - 1)};
}

AxisTicks ticksOf(const Frame& frame)
{
    return axisTicks(frame.low, frame.high, 5);
}

/// Room for the numbers of the upright axis: the widest of them.
double tickWidth(const AxisTicks& ticks, const QFont& font)
{
    double width = 0;
    for (const double tick : ticks.values)
        width = std::max(width, textWidth(ticks.label(tick), font));
    return width;
}

/// Units that are off where so many stay.
double offOf(const PruningChart& chart, const HeldOutGain& gain)
{
    return static_cast<double>(chart.count) - gain.kept;
}

QColor bandColor()
{
    QColor pale = inks(InkTheme::Light).accent;
    pale.setAlphaF(0.15F);
    return pale;
}

void paintAxes(QPainter& painter, const PruningChart& chart, const Frame& frame, const QRectF& box, double textPt)
{
    const Inks& ink = inks(InkTheme::Light);
    const QFont small = textFont(textPt - 1);
    const double line = lineHeight(small);
    const AxisTicks across = ticksOf(frame);
    for (const double tick : across.values)
    {
        const double y = frame.at(0, tick).y();
        painter.fillRect(QRectF(frame.plot.left(), y - 0.25, frame.plot.width(), 0.5), ink.hairline);
        drawLine(painter, {box.left(), y - line / 2, frame.plot.left() - kGap - box.left(), line}, across.label(tick),
                 small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (const double tick : axisTicks(0, frame.most, 8).values)
    {
        if (tick != std::floor(tick))
            continue;
        const double x = frame.at(tick, frame.low).x();
        painter.fillRect(QRectF(x - 0.25, frame.plot.bottom(), 0.5, 2), ink.secondary);
        drawLine(painter, {x - 12, frame.plot.bottom() + 3, 24, line}, QString::number(tick), small, ink.secondary,
                 Qt::AlignCenter);
    }
    painter.fillRect(QRectF(frame.plot.left(), frame.plot.bottom() - 0.25, frame.plot.width(), 0.5), ink.secondary);
    drawLine(painter, {frame.plot.left(), frame.plot.bottom() + 3 + line, frame.plot.width(), line},
             chart.units + QStringLiteral(" removed"), small, ink.secondary, Qt::AlignCenter);
}

void paintGains(QPainter& painter, const PruningChart& chart, const Frame& frame)
{
    if (chart.line.gains.empty())
        return;
    const Inks& ink = inks(InkTheme::Light);
    QPolygonF chosen;
    QPolygonF elsewhere;
    QPolygonF band;
    const auto& gains = chart.line.gains;
    for (const HeldOutGain& gain : gains)
    {
        chosen << frame.at(offOf(chart, gain), chart.all + gain.chosen);
        elsewhere << frame.at(offOf(chart, gain), chart.all + gain.elsewhere);
        band << frame.at(offOf(chart, gain), chart.all + gain.elsewhereCi95.high);
    }
    for (auto gain = gains.rbegin(); gain != gains.rend(); ++gain)
        band << frame.at(offOf(chart, *gain), chart.all + gain->elsewhereCi95.low);
    painter.setPen(Qt::NoPen);
    painter.setBrush(bandColor());
    painter.drawPolygon(band);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink.accent, 1));
    painter.drawPolyline(elsewhere);
    painter.setPen(QPen(ink.secondary, 1, Qt::DashLine));
    painter.drawPolyline(chosen);
}

void paintLine(QPainter& painter, const PruningChart& chart, const Frame& frame)
{
    const Inks& ink = inks(InkTheme::Light);
    if (std::isfinite(chart.allCi95.low))
    {
        painter.setPen(QPen(ink.ink, 0.7));
        painter.drawLine(frame.at(0, chart.allCi95.low), frame.at(0, chart.allCi95.high));
    }
    QPolygonF line;
    for (const PruningLine::Point& point : chart.line.points)
        line << frame.at(static_cast<double>(point.off), point.value);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink.ink, 0.7));
    painter.drawPolyline(line);
    painter.setPen(QPen(ink.ink, 0.8));
    for (qsizetype i = 0; i < line.size(); ++i)
    {
        painter.setBrush(chart.line.points[static_cast<std::size_t>(i)].filled ? ink.ink : ink.background);
        painter.drawEllipse(line[i], kDot, kDot);
    }
    const auto now = std::ranges::find_if(chart.line.points,
                                          [&chart](const PruningLine::Point& point) { return point.off == chart.now; });
    if (now == chart.line.points.end())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink.accent, 1.2));
    painter.drawEllipse(line[now - chart.line.points.begin()], 2 * kDot, 2 * kDot);
}

} // namespace

std::vector<KeyEntry> pruningKey(const PruningChart& chart)
{
    const Inks& ink = inks(InkTheme::Light);
    std::vector<KeyEntry> key = {
        {chart.line.name + QStringLiteral(", selected and evaluated on all documents"), KeyEntry::Mark::Dot, ink.ink}};
    const auto ring = [](const PruningLine::Point& point) { return !point.filled; };
    if (std::any_of(chart.line.points.begin(), chart.line.points.end(), ring))
        key.push_back({QStringLiteral("a step with more heads removed is as good"), KeyEntry::Mark::Ring, ink.ink});
    if (chart.now)
        key.push_back({QStringLiteral("%1 removed now").arg(chart.units), KeyEntry::Mark::Ring, ink.accent});
    if (!chart.line.gains.empty())
    {
        key.push_back({QStringLiteral("selection half"), KeyEntry::Mark::Dashes, ink.secondary});
        key.push_back({QStringLiteral("held-out half"), KeyEntry::Mark::Line, ink.accent});
        key.push_back(
            {QStringLiteral("2.5 to 97.5% of %1 halvings").arg(chart.halvings), KeyEntry::Mark::Bar, bandColor()});
    }
    if (std::isfinite(chart.allCi95.low))
        key.push_back({QStringLiteral("all: 95%"), KeyEntry::Mark::Interval, ink.ink});
    if (std::isfinite(chart.chance))
        key.push_back({QStringLiteral("chance"), KeyEntry::Mark::Dashes, ink.dimmed});
    return key;
}

void paintPruningChart(QPainter& painter, const PruningChart& chart, const QRectF& box, double textPt)
{
    const QFont small = textFont(textPt - 1);
    const double line = lineHeight(small);
    const double title = lineHeight(textFont(textPt, QFont::DemiBold)) + 3;
    const double left = tickWidth(ticksOf(frameOf(chart, {})), small) + kGap + 2;
    const QRectF plot(box.left() + left, box.top() + title + line / 2, box.width() - left - 2 * kGap,
                      box.height() - title - 2.5 * line - 3);
    if (plot.width() <= 0 || plot.height() <= 0 || chart.line.points.empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawLine(painter, {box.left(), box.top(), box.width(), title - 3},
             chart.measure.left(1).toUpper() + chart.measure.mid(1), textFont(textPt, QFont::DemiBold),
             inks(InkTheme::Light).ink);
    const Frame frame = frameOf(chart, plot);
    paintAxes(painter, chart, frame, box, textPt);
    if (std::isfinite(chart.chance))
    {
        painter.setPen(QPen(inks(InkTheme::Light).dimmed, 1, Qt::DashLine));
        painter.drawLine(frame.at(0, chart.chance), frame.at(frame.most, chart.chance));
    }
    paintGains(painter, chart, frame);
    paintLine(painter, chart, frame);
    painter.restore();
}

} // namespace headscope::viz
