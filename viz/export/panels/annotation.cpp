// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/panels/annotation.h"

#include "viz/axis/text.h"
#include "viz/color/inks.h"
#include "viz/export/figure_text.h"

#include <QLineF>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace headscope::viz
{
namespace
{

constexpr double kLine = 0.9; ///< points, like all that follow
constexpr double kRim = 1.1;  ///< at each side of a line
constexpr double kCorner = 3;
constexpr double kPadding = 2;
constexpr double kHead = 6; ///< length of an arrow's head
constexpr double kHeadWidth = 4.4;

QPointF placeOf(const AnnotationPoint& point, const QRectF& box, const MapPlace& place)
{
    if (point.onMap)
        return place(point.at).value_or(box.center());
    return {box.left() + point.at.x() * box.width(), box.top() + point.at.y() * box.height()};
}

/// Moved as little as possible to lie inside `box`.
QRectF inside(QRectF text, const QRectF& box)
{
    text.setWidth(std::min(text.width(), box.width()));
    text.moveLeft(std::clamp(text.left(), box.left(), box.right() - text.width()));
    text.moveTop(std::clamp(text.top(), box.top(), std::max(box.top(), box.bottom() - text.height())));
    return text;
}

void paintText(QPainter& painter, const QRectF& place, const QString& text)
{
    QColor ground = inks(InkTheme::Light).background;
    ground.setAlphaF(0.86F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(place, kCorner, kCorner);
    drawLine(painter, place.adjusted(kPadding, 0, -kPadding, 0), text, textFont(kFigureTextPt),
             inks(InkTheme::Light).ink, Qt::AlignCenter);
}

QSizeF sizeOf(const QString& text)
{
    const QFont font = textFont(kFigureTextPt);
    return {textWidth(text, font) + 2 * kPadding + 0.5, lineHeight(font)};
}

/// A line, and below it a wider one of the paper's colour.
void strokeWithRim(QPainter& painter, const QPainterPath& path)
{
    painter.setBrush(Qt::NoBrush);
    QColor rim = inks(InkTheme::Light).background;
    rim.setAlphaF(0.86F);
    for (const auto& [color, width] :
         std::array{std::pair(rim, kLine + 2 * kRim), std::pair(inks(InkTheme::Light).ink, kLine)})
    {
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPath(path);
    }
}

void paintArrow(QPainter& painter, QPointF from, QPointF tip)
{
    const QLineF line(from, tip);
    if (line.length() < kLine)
        return;
    const QPointF along = (tip - from) / line.length();
    const QPointF across(-along.y(), along.x());
    const QPointF foot = tip - along * std::min(kHead, line.length());
    QPainterPath shaft(from);
    shaft.lineTo(foot);
    strokeWithRim(painter, shaft);
    painter.setPen(Qt::NoPen);
    painter.setBrush(inks(InkTheme::Light).ink);
    painter.drawPolygon(QPolygonF({tip, foot + across * (kHeadWidth / 2), foot - across * (kHeadWidth / 2)}));
}

/// The text of an arrow lies behind its start.
QRectF behind(QPointF from, QPointF tip, QSizeF size)
{
    const QPointF way = tip - from;
    if (std::abs(way.x()) >= std::abs(way.y()))
        return {QPointF(way.x() > 0 ? from.x() - size.width() : from.x(), from.y() - size.height() / 2), size};
    return {QPointF(from.x() - size.width() / 2, way.y() > 0 ? from.y() - size.height() : from.y()), size};
}

void paintOne(QPainter& painter, const QRectF& box, const Annotation& each, const MapPlace& place)
{
    const QPointF from = placeOf(each.from, box, place);
    const QSizeF size = sizeOf(each.text);
    if (each.kind == Annotation::Kind::Label)
        return paintText(painter, inside({from - QPointF(size.width() / 2, size.height() / 2), size}, box), each.text);
    const QPointF to = placeOf(each.to, box, place);
    if (each.kind == Annotation::Kind::Arrow)
    {
        paintArrow(painter, from, to);
        if (!each.text.isEmpty())
            paintText(painter, inside(behind(from, to, size), box), each.text);
        return;
    }
    const QRectF frame = QRectF(from, to).normalized();
    QPainterPath path;
    path.addRoundedRect(frame, kCorner, kCorner);
    strokeWithRim(painter, path);
    if (!each.text.isEmpty())
        paintText(painter, inside({frame.topLeft() - QPointF(0, size.height() + 1), size}, box), each.text);
}

Error outside(const Annotation& each, const std::string& wanted)
{
    return {ErrorCode::WrongUse,
            "expected " + wanted + ", found the annotation \"" + each.text.toStdString() + "\"",
            {},
            "--annotate"};
}

} // namespace

Status checkAnnotations(std::span<const Annotation> annotations, const MapPlace& place)
{
    for (const Annotation& each : annotations)
        for (const AnnotationPoint* point : {&each.from, &each.to})
        {
            if (point == &each.to && each.kind == Annotation::Kind::Label)
                continue;
            if (point->onMap && !place)
                return outside(each, "positions as fractions of the figure, because this figure has no map");
            const QPointF at = point->at;
            if (point->onMap && !place(at))
                return outside(each, "positions on the part of the map that is drawn");
            if (!point->onMap && !(at.x() >= 0 && at.x() <= 1 && at.y() >= 0 && at.y() <= 1))
                return outside(each, "positions from 0 to 1 inside the figure");
        }
    return {};
}

void paintAnnotations(QPainter& painter, const QRectF& box, std::span<const Annotation> annotations,
                      const MapPlace& place)
{
    painter.save();
    for (const Annotation& each : annotations)
        paintOne(painter, box, each, place);
    painter.restore();
}

} // namespace headscope::viz
