// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/hull_plane.h"

#include "viz/attention/token_names.h"
#include "viz/axis/text.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace headscope::viz
{
namespace
{

/// Twice the area of a, b, c: positive where they turn left.
double turn(QPointF a, QPointF b, QPointF c)
{
    return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// From the plane to the box, with one scale.
struct Placing
{
    QPointF middle;
    QPointF centre;
    double scale = 1;

    [[nodiscard]] QPointF at(QPointF point) const
    {
        return {centre.x() + (point.x() - middle.x()) * scale, centre.y() - (point.y() - middle.y()) * scale};
    }
};

Placing placingOf(const HullPlane& plane, const QRectF& box, const LessonStyle& style)
{
    QRectF all;
    for (const auto& points : {plane.values, plane.outputs})
        for (const QPointF& each : points)
        {
            const QRectF one(each.x(), each.y(), 1e-9, 1e-9);
            all = all.isNull() ? one : all.united(one);
        }
    const double room = 2.4 * style.textPx;
    const double across = std::max(1.0, box.width() - 4 * room) / std::max(all.width(), 1e-6);
    const double down = std::max(1.0, box.height() - 2 * room) / std::max(all.height(), 1e-6);
    return {all.center(), box.center(), std::min(across, down)};
}

/// Puts names beside their points where nothing lies yet.
class Names
{
public:
    Names(QPainter& painter, const QRectF& box, const LessonStyle& style)
        : m_painter(painter), m_box(box), m_style(style)
    {}

    void keepFree(const QRectF& place) { m_taken.push_back(place); }
    bool put(QPointF at, const QString& text, const QFont& font, const QColor& color)
    {
        const QSizeF size(textWidth(text, font) + 2, lineHeight(font));
        const double off = m_style.textPx * 0.45;
        const std::array<QPointF, 4> corners = {QPointF(at.x() + off, at.y() - size.height() / 2),
                                                QPointF(at.x() - off - size.width(), at.y() - size.height() / 2),
                                                QPointF(at.x() - size.width() / 2, at.y() - off - size.height()),
                                                QPointF(at.x() - size.width() / 2, at.y() + off)};
        for (const QPointF& corner : corners)
        {
            const QRectF place(corner, size);
            if (!m_box.contains(place) ||
                std::ranges::any_of(m_taken, [&place](const QRectF& each) { return each.intersects(place); }))
                continue;
            drawLine(m_painter, place, text, font, color);
            m_taken.push_back(place);
            return true;
        }
        return false;
    }

private:
    QPainter& m_painter;
    QRectF m_box;
    const LessonStyle& m_style;
    std::vector<QRectF> m_taken;
};

QRectF around(QPointF at, double radius)
{
    return {at.x() - radius, at.y() - radius, 2 * radius, 2 * radius};
}

/// Where the discs of outputs go: a disc that would hide another one stands beside its place, to which a line leads.
std::vector<QPointF> apart(const HullPlane& plane, const Placing& placing, const QPolygonF& hull, double mark)
{
    std::vector<QPointF> places;
    const auto isFree = [&](QPointF at) {
        return std::ranges::none_of(
            places, [&](QPointF each) { return std::hypot(each.x() - at.x(), each.y() - at.y()) < 2 * mark; });
    };
    for (const QPointF& output : plane.outputs)
    {
        const QPointF own = placing.at(output);
        QPointF best = own;
        // The nearest free place of three rings around its own; one inside the hull, where there is one.
        constexpr int kRings = 3;
        constexpr int kPlaces = 12;
        bool isInside = false;
        for (int i = 0; i < kRings * kPlaces && !isFree(own) && !isInside; ++i)
        {
            const double angle = 2 * M_PI * (i % kPlaces) / kPlaces;
            const QPointF at = own + 2.1 * mark * (i / kPlaces + 1) * QPointF(std::cos(angle), std::sin(angle));
            if (!isFree(at))
                continue;
            isInside = hull.containsPoint(at, Qt::OddEvenFill);
            if (isInside || best == own)
                best = at;
        }
        places.push_back(best);
    }
    return places;
}

/// What a class reads from the last row would leave no room for the hull.
LessonStyle drawingStyle(const QRectF& box, const LessonStyle& style)
{
    LessonStyle own = style;
    own.textPx = std::min(style.textPx, std::max({captionStyle(style).textPx, box.height() / 24, 6.0}));
    return own;
}

} // namespace

std::vector<std::size_t> convexHull(std::span<const QPointF> points)
{
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [points](std::size_t a, std::size_t b) {
        return points[a].x() != points[b].x() ? points[a].x() < points[b].x() : points[a].y() < points[b].y();
    });
    std::vector<std::size_t> hull;
    const auto add = [&](std::size_t point, std::size_t least) {
        while (hull.size() >= least + 2 && turn(points[hull[hull.size() - 2]], points[hull.back()], points[point]) <= 0)
            hull.pop_back();
        hull.push_back(point);
    };
    for (const std::size_t point : order)
        add(point, 0);
    const std::size_t lower = hull.empty() ? 0 : hull.size() - 1;
    for (auto each = order.rbegin(); each != order.rend(); ++each)
        if (each != order.rbegin())
            add(*each, lower);
    if (hull.size() > 1)
        hull.pop_back(); // the first again
    return hull;
}

bool isInHull(std::span<const QPointF> points, const std::vector<std::size_t>& hull, QPointF point, double slack)
{
    if (hull.size() < 3)
        return false;
    for (std::size_t i = 0; i < hull.size(); ++i)
    {
        const QPointF a = points[hull[i]];
        const QPointF b = points[hull[(i + 1) % hull.size()]];
        const QPointF along = b - a;
        const double length = std::hypot(along.x(), along.y());
        if (length > 0 && turn(a, b, point) / length < -slack)
            return false;
    }
    return true;
}

void paintHullPlane(QPainter& painter, const HullPlane& plane, const QRectF& box, const LessonStyle& large)
{
    const LessonStyle style = drawingStyle(box, large);
    const Inks& ink = inks(style.theme);
    const HeadPalette palette(plane.model, style.theme);
    const Placing placing = placingOf(plane, box, style);
    const QColor hue = plane.heads.empty() ? ink.secondary : palette.color(HeadIndex(plane.heads.front()));
    QPolygonF hull;
    for (const std::size_t corner : convexHull(plane.values))
        hull << placing.at(plane.values[corner]);
    painter.setPen(QPen(paled(hue, ink.background, 0.6), std::max(1.0, style.textPx / 10)));
    painter.setBrush(paled(hue, ink.background, 0.12));
    painter.drawPolygon(hull);
    Names names(painter, box, style);
    const double dot = style.textPx * 0.22;
    const double mark = style.textPx * 0.75;
    const std::vector<QPointF> marks = apart(plane, placing, hull, mark);
    for (const QPointF& each : marks)
        names.keepFree(around(each, mark));
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink.secondary);
    for (const QPointF& each : plane.values)
    {
        painter.drawEllipse(placing.at(each), dot, dot);
        names.keepFree(around(placing.at(each), dot));
    }
    // Corners first: they are what the outputs lie between.
    std::vector<std::size_t> order = convexHull(plane.values);
    for (std::size_t i = 0; i < plane.values.size(); ++i)
        if (std::ranges::find(order, i) == order.end())
            order.push_back(i);
    for (const std::size_t each : order)
        names.put(placing.at(plane.values[each]), shownToken(plane.tokens[each]), smallFont(style), ink.secondary);
    for (std::size_t i = 0; i < plane.outputs.size(); ++i)
        if (const QPointF own = placing.at(plane.outputs[i]); own != marks[i])
        {
            const QColor color = palette.color(HeadIndex(plane.heads[i]));
            painter.setPen(QPen(color, std::max(1.0, style.textPx / 8)));
            painter.drawLine(own, marks[i]);
            painter.setBrush(color);
            painter.drawEllipse(own, dot, dot);
        }
    for (std::size_t i = 0; i < plane.outputs.size(); ++i)
    {
        const HeadIndex head(plane.heads[i]);
        const QPointF at = marks[i];
        painter.setPen(QPen(ink.background, 1.5));
        painter.setBrush(palette.color(head));
        painter.drawEllipse(at, mark, mark);
        drawLine(painter, around(at, mark), QString::number(head.value() + 1), boldFont(style), palette.textColor(head),
                 Qt::AlignCenter);
    }
}

double hullPlaneHeight(const HullPlane& /*plane*/, double width, const LessonStyle& style)
{
    return std::min(width * 0.62, style.textPx * 30);
}

QString hullPlaneWords(const HullPlane& plane)
{
    QStringList heads;
    for (const std::int64_t head : plane.heads)
        heads << QString::number(head + 1);
    return QStringLiteral("The outputs of heads %1 lie inside the hull of %2 value vectors. The plane preserves %3% of "
                          "the variance of the values.")
        .arg(heads.join(QStringLiteral(", ")))
        .arg(plane.values.size())
        .arg(100 * plane.share, 0, 'f', 0);
}

} // namespace headscope::viz
