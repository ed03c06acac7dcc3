// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/scatter_overlays.h"

#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace headscope::ui
{
namespace
{

constexpr double kMargin = 12;

std::optional<QPointF> placeOf(const viz::ScatterData& data, std::int64_t point)
{
    const auto i = static_cast<std::size_t>(point);
    if (point < 0 || 2 * i + 1 >= data.xy.size() || !std::isfinite(data.xy[2 * i]) ||
        !std::isfinite(data.xy[2 * i + 1]))
        return std::nullopt;
    return QPointF(static_cast<double>(data.xy[2 * i]), static_cast<double>(data.xy[2 * i + 1]));
}

} // namespace

void paintJoined(QPainter& painter, const viz::ScatterData& data, viz::InkTheme theme, const viz::ViewTransform& view)
{
    QPointF centre;
    int known = 0;
    for (const std::int64_t point : data.marked)
        if (const auto place = placeOf(data, point))
        {
            centre += *place;
            ++known;
        }
    if (known < 2)
        return;
    centre /= known;
    if (data.focus)
        centre = placeOf(data, *data.focus).value_or(centre);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const std::int64_t point : data.marked)
    {
        const auto place = placeOf(data, point);
        if (!place)
            continue;
        const auto i = static_cast<std::size_t>(point);
        const std::size_t index = data.index.empty() ? 0 : data.index[i];
        const QLineF line(view.screenFromData(centre), view.screenFromData(*place));
        painter.setPen(QPen(viz::inks(theme).background, 3));
        painter.drawLine(line);
        painter.setPen(QPen(index < data.colors.size() ? QColor(data.colors[index]) : viz::inks(theme).ink, 1.25));
        painter.drawLine(line);
    }
    painter.restore();
}

void paintBadge(QPainter& painter, QSizeF room, const QString& text)
{
    const Colors& colors = Theme::instance().colors();
    const QFont font = Theme::smallFont();
    const QFontMetricsF metrics(font);
    QRectF box(0, 0, std::ceil(metrics.horizontalAdvance(text)) + 2 * kMargin, 24);
    box.moveTop(room.height() - kMargin - box.height());
    box.moveLeft(std::round((room.width() - box.width()) / 2));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colors.hairline);
    painter.setBrush(colors.frame);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 12, 12);
    painter.setFont(font);
    painter.setPen(colors.text);
    painter.drawText(box, Qt::AlignCenter, text);
    painter.restore();
}

void paintDrag(QPainter& painter, const PointerDrag& drag, const SelectionGesture& gesture, bool brush)
{
    const QColor accent = Theme::instance().colors().accent;
    if (drag.kind == PointerDrag::Kind::Box)
    {
        QColor fill = accent;
        fill.setAlpha(30);
        painter.setPen(accent);
        painter.setBrush(fill);
        painter.drawRect(QRectF(drag.press, drag.last).normalized());
    }
    if (drag.kind == PointerDrag::Kind::Pick)
        gesture.paint(painter, accent);
    else if (brush && drag.kind == PointerDrag::Kind::None)
    {
        painter.setPen(accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(drag.last, gesture.brushRadius(), gesture.brushRadius());
    }
}

viz::ScatterData scatterDataOf(const MatrixF& xy, const viz::PointColoring& coloring,
                               std::span<const viz::PointState> states, std::span<const std::int64_t> marked,
                               std::optional<std::int64_t> focus)
{
    static constexpr QRgb kNoColor = 0xff7f858d;
    viz::ScatterData points;
    points.xy = xy.values();
    points.colors = std::span(&kNoColor, 1);
    if (coloring.index.size() == static_cast<std::size_t>(xy.rows()) && !coloring.colors.empty())
    {
        points.index = coloring.index;
        points.colors = coloring.colors;
        points.shapes = coloring.shapes;
    }
    points.states = states;
    points.marked = marked;
    points.focus = focus;
    return points;
}

viz::ScatterData MapSnapshot::data() const
{
    return map == nullptr ? viz::ScatterData() : scatterDataOf(map->xy, *coloring, *states, marked, focus);
}

QImage MapSnapshot::render(double scale) const
{
    viz::ScatterData plain = data();
    plain.marked = {};
    plain.focus.reset();
    viz::ScatterPainter pointPainter;
    viz::ScatterPicture picture = pointPainter.paint(plain, style, view, scale, threads);
    if (picture.image.isNull())
        return {};
    QPainter painter(&picture.image);
    painter.setRenderHint(QPainter::Antialiasing);
    rings.paint(painter, plain, view, picture.counts.radiusPx, std::numeric_limits<std::int64_t>::max());
    viz::paintRegionLabels(painter, regions, style.theme);
    if (joined)
        paintJoined(painter, data(), style.theme, view);
    viz::paintMarks(painter, data(), style, view, picture.counts.radiusPx);
    if (legend && !coloring->colors.empty())
    {
        viz::LegendStyle legendStyle;
        legendStyle.theme = style.theme;
        legendStyle.maxHeight = legendHeight;
        viz::LegendLayout(coloring->legend, legendStyle).paint(painter, legendPlace, faded);
    }
    painter.end();
    return picture.image;
}

} // namespace headscope::ui
