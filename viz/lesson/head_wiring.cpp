// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/head_wiring.h"

#include "model/data/key_sharing.h"
#include "viz/axis/text.h"
#include "viz/color/oklab.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope::viz
{
namespace
{

std::int64_t keyHeads(const ModelInfo& model)
{
    return model.kvHeads > 0 ? model.kvHeads : model.heads;
}

/// Where everything of a wiring goes. Groups stand side by side, in several bands where there are too many.
struct WiringPlaces
{
    std::vector<QRectF> queries; ///< [H]
    std::vector<QRectF> keys;    ///< [KV]
    std::vector<QRectF> bands;   ///< each with its titles
    double title = 0;            ///< height of a title line
};

/// Groups in a band, so that the cells keep a size at which they can be told apart.
std::int64_t groupsPerBand(const ModelInfo& model, double width, const LessonStyle& style)
{
    const double least = style.textPx * 1.7;
    const auto members = static_cast<double>(model.groupSize());
    const double group = members * least + style.textPx;
    const auto fit = static_cast<std::int64_t>(std::floor(width / group));
    const std::int64_t groups = keyHeads(model);
    const std::int64_t most = std::clamp<std::int64_t>(fit, 1, groups);
    const std::int64_t bands = (groups + most - 1) / most;
    return (groups + bands - 1) / bands; // bands of about one length
}

double bandHeight(const LessonStyle& style)
{
    return 2 * lineHeight(smallFont(style)) + style.textPx * 9.5;
}

WiringPlaces wiringPlaces(const ModelInfo& model, const QRectF& box, const LessonStyle& style)
{
    WiringPlaces places;
    places.title = lineHeight(smallFont(style)) + style.textPx * 0.3;
    const std::int64_t perBand = groupsPerBand(model, box.width(), style);
    const std::int64_t groups = keyHeads(model);
    const std::int64_t members = model.groupSize();
    const std::int64_t bands = (groups + perBand - 1) / perBand;
    const double room = box.height() / static_cast<double>(bands);
    const double height = std::min(room - style.textPx * 0.5, bandHeight(style) * 2.2);
    const double between = members > 1 ? style.textPx * 1.1 : style.textPx * 0.3;
    const double least = style.textPx * 0.2;
    const double cell = std::min(
        style.textPx * 4.6,
        ((box.width() + between) / static_cast<double>(perBand) - between) / static_cast<double>(members) - least);
    const double group = static_cast<double>(members) * (cell + least) - least;
    const double used = static_cast<double>(perBand) * (group + between) - between;
    const double tall = std::min(style.textPx * 2.8, cell * 1.4);
    for (std::int64_t g = 0; g < groups; ++g)
    {
        const std::int64_t band = g / perBand;
        const double left = box.center().x() - used / 2 + static_cast<double>(g % perBand) * (group + between);
        const double top = box.top() + static_cast<double>(band) * room + std::max(0.0, (room - height) / 2);
        for (std::int64_t m = 0; m < members; ++m)
            places.queries.emplace_back(left + static_cast<double>(m) * (cell + least), top + places.title, cell, tall);
        const double wide = std::min(group, std::max(cell, cell * 1.6));
        places.keys.emplace_back(left + (group - wide) / 2, top + height - places.title - tall, wide, tall);
        if (g % perBand == 0)
            places.bands.emplace_back(box.left(), top, box.width(), height);
    }
    return places;
}

void paintLines(QPainter& painter, const WiringPlaces& places, const std::vector<QRectF>& keys,
                const HeadWiring& wiring, const LessonStyle& style)
{
    const HeadPalette palette(wiring.model, style.theme);
    const Inks& ink = inks(style.theme);
    for (std::size_t head = 0; head < places.queries.size(); ++head)
    {
        const auto group = wiring.model.groupOf(HeadIndex(static_cast<std::int64_t>(head))).value();
        const bool pale = wiring.group && *wiring.group != group;
        const QColor color = palette.color(HeadIndex(static_cast<std::int64_t>(head)));
        const QRectF& from = places.queries[head];
        const QRectF& to = keys[head];
        const QPointF start(from.center().x(), from.bottom());
        const QPointF end(to.center().x(), to.top());
        const double bend = (end.y() - start.y()) / 2;
        QPainterPath line(start);
        line.cubicTo(start + QPointF(0, bend), end - QPointF(0, bend), end);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(pale ? paled(color, ink.background, 0.25) : color, std::max(1.5, style.textPx / 6)));
        painter.drawPath(line);
    }
}

/// The cell of the KV head that each query head uses, [H].
std::vector<QRectF> keysOfHeads(const ModelInfo& model, const WiringPlaces& places)
{
    std::vector<QRectF> keys;
    for (std::int64_t head = 0; head < model.heads; ++head)
        keys.push_back(places.keys[static_cast<std::size_t>(model.groupOf(HeadIndex(head)).value())]);
    return keys;
}

/// Boxes on their way from one place to another.
std::vector<QRectF> between(const std::vector<QRectF>& from, const std::vector<QRectF>& to, double share)
{
    std::vector<QRectF> boxes;
    for (std::size_t i = 0; i < to.size(); ++i)
        boxes.emplace_back(from[i].topLeft() + share * (to[i].topLeft() - from[i].topLeft()),
                           from[i].size() + share * (to[i].size() - from[i].size()));
    return boxes;
}

/// Cells of the mixing: as many as there are, or the first and the last ones with a gap.
struct MixingPlaces
{
    QRectF heads;
    QRectF matrix;
    QRectF output;
    QRectF segments;
};

MixingPlaces mixingPlaces(const QRectF& box, const LessonStyle& style)
{
    const double line = lineHeight(smallFont(style));
    const double cells = style.textPx * 1.9;
    const double height = std::min(box.height(), headMixingHeight({}, box.width(), style) * 1.3);
    const double top = box.top() + (box.height() - height) / 2;
    const double width = std::min(box.width(), style.textPx * 56);
    const double left = box.center().x() - width / 2;
    const double flow = (height - 3 * line - 2 * cells - style.textPx * 3.2) / 2;
    MixingPlaces places;
    places.heads = {left, top + line + style.textPx * 0.2, width, cells};
    places.matrix = {left + width * 0.2, places.heads.bottom() + flow, width * 0.6, style.textPx * 2.2};
    places.output = {left, places.matrix.bottom() + flow, width, cells};
    places.segments = {left, places.output.bottom() + style.textPx * 0.2, width, line};
    return places;
}

void paintMixingFlows(QPainter& painter, const MixingPlaces& places, const CellRow& heads, const HeadPalette& palette,
                      const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const QPointF into(places.matrix.center().x(), places.matrix.top());
    painter.setBrush(Qt::NoBrush);
    for (std::int64_t head = 0; head < heads.count; ++head)
    {
        const QRectF cell = heads.cell(head);
        const QPointF from(cell.center().x(), cell.bottom());
        const QPointF to(into.x() + (from.x() - into.x()) * 0.45, into.y());
        painter.setPen(
            QPen(paled(palette.color(HeadIndex(head)), ink.background, 0.8), std::max(1.0, style.textPx / 9)));
        painter.drawLine(from, to);
    }
    for (int i = 0; i <= 8; ++i)
    {
        const double share = i / 8.0;
        const QPointF to(places.output.left() + places.output.width() * (0.04 + 0.92 * share), places.output.top());
        const QPointF from(into.x() + (to.x() - into.x()) * 0.5, places.matrix.bottom());
        painter.setPen(QPen(ink.secondary, std::max(1.0, style.textPx / 12)));
        painter.drawLine(from, to);
    }
}

} // namespace

void paintHeadWiring(QPainter& painter, const HeadWiring& wiring, const QRectF& box, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    WiringPlaces places = wiringPlaces(wiring.model, box, style);
    std::vector<QRectF> keyOf = keysOfHeads(wiring.model, places);
    const bool moves = wiring.fromKvHeads > 0 && wiring.share < 1;
    if (moves)
    {
        ModelInfo before = wiring.model;
        before.kvHeads = wiring.fromKvHeads;
        const WiringPlaces from = wiringPlaces(before, box, style);
        places.queries = between(from.queries, places.queries, wiring.share);
        keyOf = between(keysOfHeads(before, from), keyOf, wiring.share);
    }
    const HeadPalette palette(wiring.model, style.theme);
    const bool own = keySharing(wiring.model) == KeySharing::Own;
    paintLines(painter, places, keyOf, wiring, style);
    for (const QRectF& band : places.bands)
    {
        const QRectF top(band.left(), band.top(), band.width(), places.title);
        drawLine(painter, top, QStringLiteral("query heads"), smallFont(style), ink.secondary, Qt::AlignHCenter);
        drawLine(painter, top.translated(0, band.height() - places.title), QStringLiteral("KV heads"), smallFont(style),
                 ink.secondary, Qt::AlignHCenter | Qt::AlignBottom);
    }
    for (std::size_t head = 0; head < places.queries.size(); ++head)
    {
        const HeadIndex index(static_cast<std::int64_t>(head));
        const bool pale = wiring.group && *wiring.group != wiring.model.groupOf(index).value();
        const QColor fill = pale ? paled(palette.color(index), ink.background, 0.3) : palette.color(index);
        paintCell(painter, places.queries[head], fill, QString::number(head + 1), textColorOn(fill), style.textPx);
    }
    if (moves) // cells that merge or part have no number yet
        for (std::size_t head = 0; head < keyOf.size(); ++head)
            paintCell(painter, keyOf[head], palette.color(HeadIndex(static_cast<std::int64_t>(head))), {}, ink.ink,
                      style.textPx);
    for (std::size_t group = 0; group < places.keys.size() && !moves; ++group)
    {
        const GroupIndex index(static_cast<std::int64_t>(group));
        const bool pale = wiring.group && *wiring.group != index.value();
        const QColor full = own ? palette.color(HeadIndex(index.value())) : palette.groupColor(index);
        const QColor fill = pale ? paled(full, ink.background, 0.3) : full;
        paintCell(painter, places.keys[group], fill,
                  own ? QString::number(group + 1) : QStringLiteral("KV%1").arg(group + 1), textColorOn(fill),
                  style.textPx);
    }
}

double headWiringHeight(const HeadWiring& wiring, double width, const LessonStyle& style)
{
    const std::int64_t perBand = groupsPerBand(wiring.model, width, style);
    const std::int64_t bands = (keyHeads(wiring.model) + perBand - 1) / perBand;
    return static_cast<double>(bands) * (bandHeight(style) + style.textPx * 0.5);
}

QString headWiringWords(const HeadWiring& wiring)
{
    const ModelInfo& model = wiring.model;
    QStringList rows;
    for (std::int64_t group = 0; group < keyHeads(model); ++group)
    {
        const std::int64_t first = group * model.groupSize() + 1;
        const std::int64_t last = first + model.groupSize() - 1;
        rows << (first == last
                     ? QStringLiteral("query head %1 uses KV head %2").arg(first).arg(group + 1)
                     : QStringLiteral("query heads %1 to %2 use KV head %3").arg(first).arg(last).arg(group + 1));
    }
    return QStringLiteral("%1 query heads, %2 KV heads: %3.")
        .arg(model.heads)
        .arg(keyHeads(model))
        .arg(rows.join(QStringLiteral("; ")));
}

std::optional<std::int64_t> wiringGroupAt(const HeadWiring& wiring, const QRectF& box, const LessonStyle& style,
                                          QPointF place)
{
    const WiringPlaces places = wiringPlaces(wiring.model, box, style);
    for (std::size_t head = 0; head < places.queries.size(); ++head)
        if (places.queries[head].adjusted(-2, -4, 2, 4).contains(place))
            return wiring.model.groupOf(HeadIndex(static_cast<std::int64_t>(head))).value();
    for (std::size_t group = 0; group < places.keys.size(); ++group)
        if (places.keys[group].adjusted(-2, -4, 2, 4).contains(place))
            return static_cast<std::int64_t>(group);
    return std::nullopt;
}

void paintHeadMixing(QPainter& painter, const HeadMixing& mixing, const QRectF& box, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const ModelInfo& model = mixing.model;
    const HeadPalette palette(model, style.theme);
    const MixingPlaces places = mixingPlaces(box, style);
    const QFont small = smallFont(style);
    const CellRow heads = centredCells(places.heads, model.heads, places.heads.width());
    paintMixingFlows(painter, places, heads, palette, style);
    drawLine(
        painter,
        {places.heads.left(), places.heads.top() - lineHeight(small) - 2, places.heads.width(), lineHeight(small)},
        model.headDim > 0
            ? QStringLiteral("Stage 1: outputs of the heads, %1 × %2 dimensions").arg(model.heads).arg(model.headDim)
            : QStringLiteral("Stage 1: outputs of the heads"),
        small, ink.secondary);
    for (std::int64_t head = 0; head < model.heads; ++head)
        paintCell(painter, heads.cell(head), palette.color(HeadIndex(head)), QString::number(head + 1),
                  palette.textColor(HeadIndex(head)), style.textPx);
    painter.setPen(ink.hairline);
    painter.setBrush(ink.card);
    painter.drawRoundedRect(places.matrix, 4, 4);
    QString mixes = QStringLiteral("o_proj: each output value is a weighted sum of all input values");
    if (textWidth(mixes, boldFont(style)) > places.matrix.width() - 12)
        mixes = QStringLiteral("o_proj: weighted sums of all");
    drawLine(painter, places.matrix.adjusted(6, 0, -6, 0), mixes, boldFont(style), ink.ink, Qt::AlignCenter);
    painter.setPen(Qt::NoPen);
    painter.setBrush(paled(ink.secondary, ink.background, 0.35));
    painter.drawRect(places.output);
    const CellRow cuts = centredCells(places.output, model.heads, places.output.width(), 0);
    painter.setPen(QPen(ink.ink, 1, Qt::DashLine));
    for (std::int64_t cut = 1; cut < model.heads; ++cut)
        painter.drawLine(QPointF(cuts.cell(cut).left(), places.output.top() - 3),
                         QPointF(cuts.cell(cut).left(), places.output.bottom() + 3));
    drawLine(painter, places.segments,
             QStringLiteral("Stage 2: equal segments of the output. No segment is the output of one head."), small,
             ink.secondary);
}

double headMixingHeight(const HeadMixing& /*mixing*/, double /*width*/, const LessonStyle& style)
{
    return style.textPx * 22;
}

QString headMixingWords(const HeadMixing& mixing)
{
    return QStringLiteral(
               "The outputs of %1 heads go into o_proj. Each value of the o_proj output is a sum over all values of "
               "all heads. Equal parts of this output are segments, not heads.")
        .arg(mixing.model.heads);
}

} // namespace headscope::viz
