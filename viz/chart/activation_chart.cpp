// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/activation_chart.h"

#include "viz/axis/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

constexpr double kTick = 5;
constexpr double kLine = 1.4; ///< height of a line of text, of its size

} // namespace

ActivationCounts::ActivationCounts(std::span<const float> activations, std::span<const float> ticks, std::size_t bins)
    : counts(bins, 0), bounds(ticks.begin(), ticks.end())
{
    if (activations.empty())
        return;
    const auto [least, most] = std::ranges::minmax_element(activations);
    low = static_cast<double>(*least);
    high = static_cast<double>(*most);
    if (high <= low)
        high = low + std::max(1e-6, std::abs(low) * 1e-3);
    for (const float each : activations)
        if (const auto bin = binOf(static_cast<double>(each)))
            ++counts[*bin];
}

std::int64_t ActivationCounts::most() const
{
    return counts.empty() ? 0 : *std::ranges::max_element(counts);
}

std::optional<std::size_t> ActivationCounts::binOf(double activation) const
{
    if (counts.empty() || activation < low || activation > high)
        return std::nullopt;
    const auto bin = static_cast<std::size_t>((activation - low) / (high - low) * static_cast<double>(counts.size()));
    return std::min(bin, counts.size() - 1);
}

double ActivationCounts::edge(std::size_t bin) const
{
    return low + (high - low) * static_cast<double>(bin) / static_cast<double>(std::max<std::size_t>(1, counts.size()));
}

ActivationChart::ActivationChart(ActivationCounts counts, const QRectF& box, const ChartStyle& style,
                                 const QColor& color)
    : m_counts(std::move(counts)), m_style(style), m_color(color)
{
    const double line = kLine * style.textPx;
    m_bars = box.adjusted(1, line, -1, -(line + kTick + 2));
}

double ActivationChart::xOf(double activation) const
{
    return m_bars.left() + m_bars.width() * (activation - m_counts.low) / (m_counts.high - m_counts.low);
}

std::optional<std::size_t> ActivationChart::binAt(QPointF place) const
{
    if (place.y() < m_bars.top() || place.y() > m_bars.bottom() || m_bars.width() <= 0)
        return std::nullopt;
    return m_counts.binOf(m_counts.low + (m_counts.high - m_counts.low) * (place.x() - m_bars.left()) / m_bars.width());
}

std::optional<std::size_t> ActivationChart::decileAt(QPointF place) const
{
    for (std::size_t decile = 0; decile + 1 < m_counts.bounds.size(); ++decile)
        if (place.x() >= xOf(m_counts.bounds[decile]) && place.x() <= xOf(m_counts.bounds[decile + 1]))
            return decile;
    return std::nullopt;
}

void ActivationChart::paint(QPainter& painter, std::optional<double> marked, std::optional<std::size_t> decile) const
{
    const Inks& colors = inks(m_style.theme);
    const QFont font = textFont(m_style.textPx);
    const double line = kLine * m_style.textPx;
    const auto most = static_cast<double>(std::max<std::int64_t>(1, m_counts.most()));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (decile && *decile + 1 < m_counts.bounds.size())
    {
        const double left = xOf(m_counts.bounds[*decile]), right = xOf(m_counts.bounds[*decile + 1]);
        painter.fillRect(QRectF(left, m_bars.top(), std::max(1.0, right - left), m_bars.height()), colors.hairline);
    }
    const double width = m_bars.width() / static_cast<double>(std::max<std::size_t>(1, m_counts.counts.size()));
    for (std::size_t bin = 0; bin < m_counts.counts.size(); ++bin)
    {
        if (m_counts.counts[bin] == 0)
            continue;
        // A bin that holds anything is seen.
        const double height = std::max(1.0, m_bars.height() * static_cast<double>(m_counts.counts[bin]) / most);
        const double left = std::round(m_bars.left() + static_cast<double>(bin) * width);
        const double right = std::round(m_bars.left() + static_cast<double>(bin + 1) * width);
        painter.fillRect(QRectF(left, m_bars.bottom() - height, std::max(1.0, right - left - 1), height), m_color);
    }
    painter.setPen(colors.hairline);
    painter.drawLine(QPointF(m_bars.left(), m_bars.bottom()), QPointF(m_bars.right(), m_bars.bottom()));
    painter.setPen(QPen(colors.secondary, 1));
    for (const double bound : m_counts.bounds)
        painter.drawLine(QPointF(xOf(bound), m_bars.bottom() + 1), QPointF(xOf(bound), m_bars.bottom() + kTick));
    if (marked)
    {
        painter.setPen(QPen(colors.accent, 2));
        painter.drawLine(QPointF(xOf(*marked), m_bars.top()), QPointF(xOf(*marked), m_bars.bottom()));
    }
    const QRectF below(m_bars.left(), m_bars.bottom() + kTick + 2, m_bars.width(), line);
    drawLine(painter, below, shortNumber(m_counts.low), font, colors.secondary);
    drawLine(painter, below, shortNumber(m_counts.high), font, colors.secondary, Qt::AlignRight | Qt::AlignVCenter);
    drawLine(painter, below, QStringLiteral("activation; ticks: deciles"), font, colors.secondary,
             Qt::AlignHCenter | Qt::AlignVCenter);
    const QRectF above(m_bars.left(), m_bars.top() - line, m_bars.width(), line);
    drawLine(painter, above, QStringLiteral("highest bar: %1 tokens").arg(groupedNumber(m_counts.most())), font,
             colors.secondary);
    painter.restore();
}

} // namespace headscope::viz
