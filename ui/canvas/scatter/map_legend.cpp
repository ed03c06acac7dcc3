// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/map_legend.h"

#include <algorithm>

namespace headscope::ui
{

MapLegend::MapLegend(QWidget* canvas, MapColors& colors, const viz::PointStates& points)
    : LegendWidget(canvas), m_colors(colors), m_points(points)
{
    connect(this, &LegendWidget::isolateRequested, &colors, &MapColors::isolate);
    connect(this, &LegendWidget::toggleRequested, &colors,
            [this](const viz::LegendHit& hit) { m_colors.toggle(hit, m_points); });
    connect(this, &LegendWidget::showAllRequested, &colors, [this] { m_colors.showAll(m_points); });
    connect(this, &LegendWidget::moveRequested, &colors, &MapColors::move);
    connect(this, &LegendWidget::orderResetRequested, &colors, &MapColors::forgetOrder);
}

QRectF MapLegend::place() const
{
    return isHidden() ? QRectF(parentWidget()->width() - kMargin, kMargin, 0, 0) : QRectF(geometry());
}

void MapLegend::layOut(viz::ScatterMode mode)
{
    constexpr double kMaxWidth = 0.42; // of a narrow canvas: names elide before the map has no room
    constexpr double kMinWidth = 150;
    const QSize canvas = parentWidget()->size();
    setVisible(m_wanted && m_colors.isKnown());
    if (isHidden())
        return;
    const double radius =
        viz::automaticRadius(m_points.count(), static_cast<double>(canvas.width()) * canvas.height()) *
        parentWidget()->devicePixelRatioF();
    setLegend(m_colors.legendOf(mode, radius), std::max(80, canvas.height() - 2 * kMargin),
              std::clamp(kMaxWidth * canvas.width(), kMinWidth, kWidest));
    setReordered(mode != viz::ScatterMode::Density && !m_colors.orderOf(m_colors.coloring().legend.title).empty());
    refreshFaded();
    move(canvas.width() - kMargin - width(), kMargin);
}

} // namespace headscope::ui
