// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/panels/map_inset.h"

#include "viz/axis/text.h"
#include "viz/color/inks.h"
#include "viz/export/figure_text.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr double kMaxWidth = 0.45; ///< of the map's
constexpr double kMaxHeight = 0.5; ///< of the map's
constexpr double kLine = 0.6;      ///< points

QPointF onPage(const ViewTransform& view, QPointF data, const QRectF& canvas)
{
    return view.screenFromData(data) / kUnitsPerPoint + canvas.topLeft();
}

/// The points of the map that are drawn, on the page.
std::vector<QPointF> drawnPoints(const MapLayer& layer, const QRectF& canvas)
{
    std::vector<QPointF> points;
    const auto& data = layer.data;
    for (std::size_t i = 0; 2 * i + 1 < data.xy.size(); ++i)
    {
        const QPointF at(static_cast<double>(data.xy[2 * i]), static_cast<double>(data.xy[2 * i + 1]));
        if (!std::isfinite(at.x()) || !std::isfinite(at.y()) ||
            (!data.states.empty() && data.states[i] == PointState::Hidden))
            continue;
        points.push_back(onPage(layer.view, at, canvas));
    }
    return points;
}

bool crosses(const QLineF& line, const QRectF& box)
{
    constexpr double kInside = 0.5;
    const QRectF inner = box.adjusted(kInside, kInside, -kInside, -kInside);
    const std::array corners = {inner.topLeft(), inner.topRight(), inner.bottomRight(), inner.bottomLeft()};
    for (std::size_t i = 0; i < corners.size(); ++i)
        if (line.intersects(QLineF(corners[i], corners[(i + 1) % corners.size()]), nullptr) ==
            QLineF::BoundedIntersection)
            return true;
    return false;
}

} // namespace

PlacedInset placeInset(const MapInset& inset, const MapLayer& layer, const QRectF& canvas)
{
    const QRectF window = inset.window.normalized();
    QRectF part = QRectF(onPage(layer.view, window.topLeft(), canvas), onPage(layer.view, window.bottomRight(), canvas))
                      .normalized();
    constexpr double kLeast = 2; // points: a part of one dot
    part = part.adjusted(-kLeast, -kLeast, kLeast, kLeast);
    const double times =
        std::min(kMaxWidth * canvas.width() / part.width(), kMaxHeight * canvas.height() / part.height());
    const QSizeF size = part.size() * times;
    struct Corner
    {
        const char* name;
        QPointF at;
    };
    const double right = canvas.right() - size.width();
    const double bottom = canvas.bottom() - size.height();
    const std::array<Corner, 4> corners = {{{"top right", {right, canvas.top()}},
                                            {"top left", canvas.topLeft()},
                                            {"bottom right", {right, bottom}},
                                            {"bottom left", {canvas.left(), bottom}}}};
    const std::vector<QPointF> points = drawnPoints(layer, canvas);
    std::optional<PlacedInset> best;
    for (const Corner& corner : corners)
    {
        PlacedInset place{QRectF(corner.at, size), part, QString::fromLatin1(corner.name), times, 0, 0};
        place.hidden = std::ranges::count_if(points, [&place](QPointF at) { return place.box.contains(at); });
        place.shown = std::ranges::count_if(points, [&part](QPointF at) { return part.contains(at); });
        const bool apart = !place.box.intersects(part);
        const bool bestApart = best && !best->box.intersects(part);
        if (!best || (apart && !bestApart) || (apart == bestApart && place.hidden < best->hidden))
            best = place;
    }
    return *best;
}

QString insetSentence(const MapInset& inset, const PlacedInset& place, std::int64_t points)
{
    return QStringLiteral(" Inset (%1): %2enlarged %3 times; it covers %4 of the map\u2019s %5 points.")
        .arg(place.corner,
             inset.what.isEmpty() ? QStringLiteral("the outlined part, ") : inset.what + QStringLiteral(", "),
             QString::number(place.times, 'f', 1), groupedNumber(place.hidden), groupedNumber(points));
}

void paintInset(QPainter& painter, const PlacedInset& place, const MapInset& inset, const ScatterData& data,
                ScatterMode mode, double dpr, int numThreads, bool vector)
{
    const Inks& ink = inks(InkTheme::Light);
    painter.save();
    painter.setPen(QPen(ink.secondary, kLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(place.part);
    const auto cornersOf = [](const QRectF& box) {
        return std::array{box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()};
    };
    const auto from = cornersOf(place.part);
    const auto to = cornersOf(place.box);
    for (std::size_t i = 0; i < from.size(); ++i)
        if (const QLineF line(from[i], to[i]); !crosses(line, place.part) && !crosses(line, place.box))
            painter.drawLine(line);
    painter.fillRect(place.box, ink.background);
    paintMapLayer(painter, place.box, dpr, MapLayer(data, mode, inset.window.normalized(), place.box.size()),
                  numThreads, vector);
    painter.setPen(QPen(ink.secondary, kLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(place.box);
    painter.restore();
}

} // namespace headscope::viz
