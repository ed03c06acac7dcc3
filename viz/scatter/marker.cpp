// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/marker.h"

#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace headscope::viz
{
namespace
{

constexpr double kPi = std::numbers::pi;

// Sizes of the shapes with the area of the circle of radius 1.
constexpr double kSquareHalf = 0.886227;     // (2 h)^2 = pi
constexpr double kTriangleRadius = 1.555121; // 3 sqrt(3) / 4 R^2 = pi
constexpr double kDiamondRadius = 1.253314;  // 2 d^2 = pi
constexpr double kPlusArm = 1.188998;        // 8 l w - 4 w^2 = pi with w = l / 3
constexpr double kStarRadius = 1.462166;     // 5 R r sin 36 = pi with r = R / 2

/// Corners of a regular polygon or star; the first points up.
QPolygonF corners(int count, double outer, double inner)
{
    QPolygonF polygon;
    for (int i = 0; i < count; ++i)
    {
        const double angle = 2 * kPi * i / count - kPi / 2;
        const double radius = i % 2 == 0 ? outer : inner;
        polygon << QPointF(radius * std::cos(angle), radius * std::sin(angle));
    }
    return polygon;
}

/// A plus of arm length l and arm half-width l / 3, turned by an angle.
QPolygonF plus(double l, double turn)
{
    const double w = l / 3;
    const std::array<QPointF, 12> upright = {QPointF(-w, -l), {w, -l}, {w, -w}, {l, -w}, {l, w},   {w, w},
                                             QPointF(w, l),   {-w, l}, {-w, w}, {-l, w}, {-l, -w}, {-w, -w}};
    QPolygonF turned;
    for (const QPointF& p : upright)
        turned << QPointF(p.x() * std::cos(turn) - p.y() * std::sin(turn),
                          p.x() * std::sin(turn) + p.y() * std::cos(turn));
    return turned;
}

/// Corners of a shape of unit size; empty for the circle.
QPolygonF outline(MarkerShape shape)
{
    switch (shape)
    {
    case MarkerShape::Circle:
        return {};
    case MarkerShape::Square:
        return {{-kSquareHalf, -kSquareHalf},
                {kSquareHalf, -kSquareHalf},
                {kSquareHalf, kSquareHalf},
                {-kSquareHalf, kSquareHalf}};
    case MarkerShape::Triangle:
        return corners(3, kTriangleRadius, kTriangleRadius);
    case MarkerShape::Diamond:
        return corners(4, kDiamondRadius, kDiamondRadius);
    case MarkerShape::TriangleDown:
    {
        QPolygonF polygon = corners(3, kTriangleRadius, kTriangleRadius);
        for (QPointF& p : polygon)
            p.setY(-p.y());
        return polygon;
    }
    case MarkerShape::Plus:
        return plus(kPlusArm, 0);
    case MarkerShape::Cross:
        return plus(kPlusArm, kPi / 4);
    case MarkerShape::Star:
        return corners(10, kStarRadius, kStarRadius / 2);
    }
    return {};
}

/// Odd-even rule.
bool contains(const QPolygonF& polygon, double x, double y)
{
    bool inside = false;
    QPointF from = polygon.last();
    for (const QPointF& to : polygon)
    {
        if ((from.y() > y) != (to.y() > y) && x < from.x() + (y - from.y()) / (to.y() - from.y()) * (to.x() - from.x()))
            inside = !inside;
        from = to;
    }
    return inside;
}

/// 64 places of a pixel (Hammersley's set): no two share a row or a column, so that edges along the
/// axes get as many shades as slanted ones.
std::array<QPointF, 64> pixelSamples()
{
    std::array<QPointF, 64> samples;
    for (unsigned i = 0; i < samples.size(); ++i)
    {
        unsigned reversed = 0;
        for (unsigned bit = 0; bit < 6; ++bit)
            reversed |= ((i >> bit) & 1U) << (5 - bit);
        samples[i] = {(i + 0.5) / 64, (reversed + 0.5) / 64};
    }
    return samples;
}

} // namespace

MarkerShape markerShape(std::int64_t i)
{
    return static_cast<MarkerShape>(((i % kMarkerShapes) + kMarkerShapes) % kMarkerShapes);
}

QPainterPath markerPath(MarkerShape shape, double radius)
{
    QPainterPath path;
    if (shape == MarkerShape::Circle)
    {
        path.addEllipse(QPointF(0, 0), radius, radius);
        return path;
    }
    QPolygonF polygon = outline(shape);
    for (QPointF& p : polygon)
        p *= radius;
    path.addPolygon(polygon);
    path.closeSubpath();
    return path;
}

MarkerSprite::MarkerSprite(MarkerShape shape, double radiusPx)
{
    const double radius = std::clamp(radiusPx, 0.3, 64.0);
    const QPolygonF polygon = outline(shape);
    double extent = 1;
    for (const QPointF& p : polygon)
        extent = std::max({extent, std::abs(p.x()), std::abs(p.y())});
    m_reach = static_cast<int>(std::ceil(radius * extent - 0.5 / kPhases));
    const auto pixels = static_cast<std::size_t>(side() * side());
    m_coverage.assign(pixels * kPhases * kPhases, 0.0F);
    static const auto samples = pixelSamples();
    const auto inside = [&](double x, double y) {
        return polygon.isEmpty() ? x * x + y * y <= 1 : contains(polygon, x, y);
    };
    for (std::size_t i = 0; i < m_coverage.size(); ++i)
    {
        const auto phase = static_cast<int>(i / pixels);
        const auto pixel = static_cast<int>(i % pixels);
        // The centre lies in the middle of its phase's part of the centre pixel.
        const double centreX = m_reach + (phase % kPhases + 0.5) / kPhases;
        const double centreY = m_reach + (phase / kPhases + 0.5) / kPhases;
        const double left = pixel % side() - centreX;
        const double top = pixel / side() - centreY;
        int hits = 0;
        for (const QPointF& sample : samples)
            hits += inside((left + sample.x()) / radius, (top + sample.y()) / radius) ? 1 : 0;
        m_coverage[i] = static_cast<float>(hits) / static_cast<float>(samples.size());
    }
}

} // namespace headscope::viz
