// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/selection_gesture.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{

void SelectionGesture::begin(Shape shape, QPointF place)
{
    m_shape = shape;
    m_path = {place};
}

void SelectionGesture::moveTo(QPointF place)
{
    if (!active() || place == m_path.back())
        return;
    if (m_shape == Shape::Rectangle && m_path.size() == 2)
        m_path.back() = place;
    else
        m_path << place;
}

void SelectionGesture::cancel()
{
    m_path.clear();
}

void SelectionGesture::setBrushRadius(double pixels)
{
    m_brushRadius = std::clamp(pixels, kMinBrushPx, kLargestBrushPx);
}

std::vector<std::int64_t> SelectionGesture::points(const viz::SpatialGrid& grid, const viz::ViewTransform& view) const
{
    if (!active())
        return {};
    if (m_shape == Shape::Rectangle)
        return grid.inRectangle(view.dataFromScreen(QRectF(m_path.front(), m_path.back()).normalized()));
    if (m_shape == Shape::Lasso)
    {
        QPolygonF data;
        for (const QPointF& place : m_path)
            data << view.dataFromScreen(place);
        return grid.inPolygon(data);
    }
    // The brush: circles close enough together that no dot slips between two of them.
    const double radius = m_brushRadius / view.scale();
    std::vector<std::int64_t> found = grid.inCircle(view.dataFromScreen(m_path.front()), radius);
    for (qsizetype i = 1; i < m_path.size(); ++i)
    {
        const QPointF from = m_path[i - 1];
        const QPointF step = m_path[i] - from;
        const int circles =
            std::max(1, static_cast<int>(std::ceil(std::hypot(step.x(), step.y()) / (m_brushRadius / 4))));
        for (int c = 1; c <= circles; ++c)
        {
            const auto more = grid.inCircle(view.dataFromScreen(from + step * c / circles), radius);
            found.insert(found.end(), more.begin(), more.end());
        }
        std::ranges::sort(found);
        found.erase(std::unique(found.begin(), found.end()), found.end());
    }
    return found;
}

void SelectionGesture::paint(QPainter& painter, const QColor& accent) const
{
    if (!active())
        return;
    QColor fill = accent;
    fill.setAlpha(36);
    QPainterPath outline;
    switch (m_shape)
    {
    case Shape::Rectangle:
        outline.addRect(QRectF(m_path.front(), m_path.back()).normalized());
        break;
    case Shape::Lasso:
        outline.addPolygon(m_path);
        outline.closeSubpath();
        break;
    case Shape::Brush:
    {
        QPainterPath way(m_path.front());
        way.lineTo(m_path.front() + QPointF(0.01, 0)); // a stroke of one place is a dot
        for (const QPointF& place : m_path)
            way.lineTo(place);
        QPainterPathStroker stroker;
        stroker.setWidth(2 * m_brushRadius);
        stroker.setCapStyle(Qt::RoundCap);
        stroker.setJoinStyle(Qt::RoundJoin);
        outline = stroker.createStroke(way).simplified();
        break;
    }
    }
    painter.setPen(QPen(accent, 1));
    painter.setBrush(fill);
    painter.drawPath(outline);
}

} // namespace headscope::ui
