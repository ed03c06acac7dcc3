// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/geometry/view_transform.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace headscope::viz
{
namespace
{

constexpr double kSmallestScale = 1e-9;
constexpr double kLargestScale = 1e9;
constexpr double kSmallestBoxPx = 4;

} // namespace

ViewTransform::ViewTransform(QPointF centre, double scale, QSizeF view)
    : m_centre(centre), m_scale(std::clamp(scale, kSmallestScale, kLargestScale)), m_view(view)
{}

ViewTransform ViewTransform::fit(const QRectF& data, QSizeF view, double marginPx)
{
    QRectF box = data.normalized();
    if (box.width() <= 0 && box.height() <= 0)
        box = QRectF(box.center() - QPointF(0.5, 0.5), QSizeF(1, 1));
    const double width = std::max(1.0, view.width() - 2 * marginPx);
    const double height = std::max(1.0, view.height() - 2 * marginPx);
    double scale = kLargestScale;
    if (box.width() > 0)
        scale = std::min(scale, width / box.width());
    if (box.height() > 0)
        scale = std::min(scale, height / box.height());
    return {box.center(), scale, view};
}

QPointF ViewTransform::screenFromData(QPointF data) const
{
    return {m_view.width() / 2 + (data.x() - m_centre.x()) * m_scale,
            m_view.height() / 2 - (data.y() - m_centre.y()) * m_scale};
}

QPointF ViewTransform::dataFromScreen(QPointF pixel) const
{
    return {m_centre.x() + (pixel.x() - m_view.width() / 2) / m_scale,
            m_centre.y() - (pixel.y() - m_view.height() / 2) / m_scale};
}

QRectF ViewTransform::visibleData() const
{
    return dataFromScreen(QRectF(QPointF(0, 0), m_view));
}

QRectF ViewTransform::dataFromScreen(const QRectF& pixels) const
{
    const QRectF box = pixels.normalized();
    const QPointF topLeft = dataFromScreen(box.bottomLeft()); // data y points up
    return {topLeft, QSizeF(box.width() / m_scale, box.height() / m_scale)};
}

ViewTransform ViewTransform::zoomedAt(QPointF pixel, double factor) const
{
    const double scale = std::clamp(m_scale * factor, kSmallestScale, kLargestScale);
    const QPointF fixed = dataFromScreen(pixel);
    const QPointF fromMiddle = pixel - QPointF(m_view.width() / 2, m_view.height() / 2);
    return {QPointF(fixed.x() - fromMiddle.x() / scale, fixed.y() + fromMiddle.y() / scale), scale, m_view};
}

ViewTransform ViewTransform::panned(QPointF pixels) const
{
    return {QPointF(m_centre.x() - pixels.x() / m_scale, m_centre.y() + pixels.y() / m_scale), m_scale, m_view};
}

ViewTransform ViewTransform::zoomedTo(const QRectF& pixels) const
{
    const QRectF box = pixels.normalized();
    if (box.width() < kSmallestBoxPx || box.height() < kSmallestBoxPx)
        return *this;
    return fit(dataFromScreen(box), m_view, 0);
}

ViewTransform ViewTransform::resized(QSizeF view) const
{
    const double before = std::min(m_view.width(), m_view.height());
    const double after = std::min(view.width(), view.height());
    const double scale = before > 0 && after > 0 ? m_scale * after / before : m_scale;
    return {m_centre, scale, view};
}

ViewTransform ViewTransform::towards(const ViewTransform& other, double t) const
{
    const double share = std::clamp(t, 0.0, 1.0);
    if (share >= 1)
        return other;
    const double scale = m_scale * std::pow(other.m_scale / m_scale, share);
    // The centre moves as the scale does, so that the picture seems to fly straight at its goal.
    const double moved = std::abs(other.m_scale - m_scale) > 1e-12 * m_scale
                             ? (1 / m_scale - 1 / scale) / (1 / m_scale - 1 / other.m_scale)
                             : share;
    return {m_centre + (other.m_centre - m_centre) * moved, scale, m_view};
}

std::int64_t countNotFinite(std::span<const float> xy)
{
    std::int64_t count = 0;
    for (std::size_t i = 0; i + 1 < xy.size(); i += 2)
        count += std::isfinite(xy[i]) && std::isfinite(xy[i + 1]) ? 0 : 1;
    return count;
}

std::optional<QRectF> dataBounds(std::span<const float> xy)
{
    float left = std::numeric_limits<float>::infinity();
    float top = left;
    float right = -left;
    float bottom = -left;
    for (std::size_t i = 0; i + 1 < xy.size(); i += 2)
    {
        if (!std::isfinite(xy[i]) || !std::isfinite(xy[i + 1]))
            continue;
        left = std::min(left, xy[i]);
        right = std::max(right, xy[i]);
        top = std::min(top, xy[i + 1]);
        bottom = std::max(bottom, xy[i + 1]);
    }
    if (!(left <= right))
        return std::nullopt;
    return QRectF(QPointF(static_cast<double>(left), static_cast<double>(top)),
                  QPointF(static_cast<double>(right), static_cast<double>(bottom)));
}

} // namespace headscope::viz
