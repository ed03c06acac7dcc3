// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kl_chart.h"

#include "ui/theme/theme.h"
#include "viz/axis/text.h"

#include <QLocale>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kHeight = 132;
constexpr double kGap = 6; ///< between the plot and its labels
constexpr int kTicks = 4;

} // namespace

KlChart::KlChart()
    : Picture({.name = "klChart", .focus = Qt::NoFocus, .room = viz::Room::Line, .wanted = {200, kHeight}})
{}

void KlChart::setCurve(const RunCurve& curve)
{
    const bool isSame = curve.points == m_curve.points && curve.iterations == m_curve.iterations &&
                        curve.exaggerationEnd == m_curve.exaggerationEnd;
    m_curve = curve;
    if (!isSame)
        changed();
}

void KlChart::setCursor(std::optional<int> iteration)
{
    if (std::exchange(m_cursor, iteration) != iteration)
        marked();
}

QString KlChart::summary() const
{
    return m_curve.points.empty() ? tr("No run yet")
                                  : tr("%1 at iteration %2")
                                        .arg(QLocale().toString(m_curve.points.back().kl, 'f', 3))
                                        .arg(m_curve.points.back().iteration);
}

void KlChart::arrange()
{
    const int last = std::max({m_curve.iterations, 1, m_curve.points.empty() ? 0 : m_curve.points.back().iteration});
    m_last = last;
    m_iterations = viz::axisTicks(0, m_last, std::min(last, kTicks));
    double least = 0;
    double most = 1;
    if (!m_curve.points.empty())
    {
        const auto [low, high] = std::ranges::minmax_element(m_curve.points, {}, &KlPoint::kl);
        least = low->kl;
        most = std::max(high->kl, least + 0.02);
    }
    const double step = std::max(viz::axisTicks(least, most, kTicks).step, 1e-9 * (1 + std::abs(most)));
    m_bottom = std::floor(least / step) * step;
    m_top = std::max(m_bottom + step, std::ceil(most / step) * step);
    m_divergences = viz::axisTicks(m_bottom, m_top, kTicks);
    const QFont small = Theme::smallFont();
    double labels = 0;
    for (const double value : m_divergences.values)
        labels = std::max(labels, viz::textWidth(m_divergences.label(value), small));
    const double line = viz::lineHeight(small);
    const double right = viz::textWidth(QString::number(last), small) / 2;
    m_plot = box().adjusted(std::ceil(labels) + kGap, line / 2, -std::ceil(right) - 1, -line - kGap);
}

QPointF KlChart::at(double iteration, double kl) const
{
    return {m_plot.left() + iteration / m_last * m_plot.width(),
            m_plot.bottom() - (kl - m_bottom) / (m_top - m_bottom) * m_plot.height()};
}

void KlChart::paintAxes(QPainter& painter) const
{
    const Colors& colors = Theme::instance().colors();
    const QFont small = Theme::smallFont();
    const double line = viz::lineHeight(small);
    for (const double value : m_divergences.values)
    {
        const double y = at(0, value).y();
        painter.fillRect(QRectF(m_plot.left(), std::round(y), m_plot.width(), 1), colors.hairline);
        viz::drawLine(painter, {box().left(), y - line / 2, m_plot.left() - kGap + 1 - box().left(), line},
                      m_divergences.label(value), small, colors.muted, Qt::AlignRight | Qt::AlignVCenter);
    }
    painter.fillRect(QRectF(m_plot.left(), std::round(m_plot.bottom()), m_plot.width(), 1), colors.hairline);
    for (const double value : m_iterations.values)
    {
        const double x = at(value, 0).x();
        const double half = std::min(x - box().left(), box().right() - x);
        viz::drawLine(painter, {x - half, m_plot.bottom() + 3, 2 * half, line}, m_iterations.label(value), small,
                      colors.muted, Qt::AlignCenter);
    }
}

void KlChart::paint(QPainter& painter, const viz::PictureMarks& /*marks*/) const
{
    const Colors& colors = Theme::instance().colors();
    if (m_curve.exaggerationEnd > 0 && !m_curve.points.empty())
    {
        QColor ground = colors.track;
        ground.setAlphaF(0.45F);
        painter.fillRect(QRectF(at(0, m_top), at(std::min<double>(m_curve.exaggerationEnd, m_last), m_bottom)), ground);
    }
    paintAxes(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    QPolygonF curve;
    for (const KlPoint& point : m_curve.points)
        curve << at(point.iteration, point.kl);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.drawPolyline(curve);
    if (!m_cursor)
        return;
    painter.setPen(QPen(colors.muted, 1, Qt::DashLine));
    painter.drawLine(at(*m_cursor, m_bottom), at(*m_cursor, m_top));
}

} // namespace headscope::ui
