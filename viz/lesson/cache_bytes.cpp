// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/cache_bytes.h"

#include "viz/axis/text.h"
#include "viz/geometry/axis_ticks.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::viz
{
namespace
{

double bytesOf(const CacheBytes& bytes, std::int64_t kvHeads, std::int64_t tokens)
{
    return static_cast<double>(kvCacheBytes(bytes.shape, kvHeads, tokens, bytes.bytesPerNumber));
}

/// The unit that suits a largest value: its size and name.
std::pair<double, QString> unitOf(double most)
{
    static const std::array<const char*, 5> kNames = {"bytes", "KB", "MB", "GB", "TB"};
    double size = 1;
    std::size_t unit = 0;
    while (most / size >= 2000 && unit + 1 < kNames.size())
    {
        size *= 1000;
        ++unit;
    }
    return {size, QString::fromLatin1(kNames[unit])};
}

struct BytesFrame
{
    QRectF plot;
    double mostTokens = 1;
    double mostBytes = 1;

    [[nodiscard]] QPointF at(double tokens, double bytes) const
    {
        return {plot.left() + tokens / mostTokens * plot.width(), plot.bottom() - bytes / mostBytes * plot.height()};
    }
};

/// The model's own curve stands out; of the others a dash tells which.
QPen curvePen(const CacheBytes& bytes, const CacheCurve& curve, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    if (curve.own)
        return {ink.accent, style.textPx / 4};
    const Qt::PenStyle line = curve.kvHeads == bytes.shape.heads ? Qt::SolidLine
                              : curve.kvHeads == 1               ? Qt::DashLine
                                                                 : Qt::DotLine;
    return {ink.secondary, style.textPx / 7, line};
}

void paintBytesAxes(QPainter& painter, const CacheBytes& bytes, const BytesFrame& frame, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const QFont small = smallFont(style);
    const double line = lineHeight(small);
    const auto [size, unit] = unitOf(frame.mostBytes);
    const AxisTicks up = axisTicks(0, frame.mostBytes / size, 4);
    for (const double tick : up.values)
    {
        const double y = frame.at(0, tick * size).y();
        painter.setPen(QPen(ink.hairline, 1));
        painter.drawLine(QPointF(frame.plot.left(), y), QPointF(frame.plot.right(), y));
        drawLine(painter, {frame.plot.left() - style.textPx * 6, y - line / 2, style.textPx * 5.6, line},
                 up.label(tick) % u' ' % unit, small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (int quarter = 0; quarter <= 4; ++quarter)
    {
        const double tokens = frame.mostTokens * quarter / 4;
        const double x = frame.at(tokens, 0).x();
        const double wide = style.textPx * 8;
        const Qt::Alignment side = quarter == 4 ? Qt::AlignRight : quarter == 0 ? Qt::AlignLeft : Qt::AlignHCenter;
        const double left = quarter == 4 ? x - wide : quarter == 0 ? x : x - wide / 2;
        drawLine(painter, {left, frame.plot.bottom() + style.textPx * 0.4, wide, line},
                 groupedNumber(std::llround(tokens)), small, ink.secondary, side);
    }
    drawLine(painter, {frame.plot.left(), frame.plot.bottom() + style.textPx * 0.4 + line, frame.plot.width(), line},
             QStringLiteral("tokens of context, %1 bytes per value").arg(bytes.bytesPerNumber), small, ink.secondary,
             Qt::AlignHCenter);
}

/// The key of the curves with their numbers at the chosen length.
double paintBytesKey(QPainter& painter, const CacheBytes& bytes, const QRectF& box, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const double line = lineHeight(bodyFont(style)) + style.textPx * 0.2;
    const double mark = style.textPx * 1.8;
    const double number = textWidth(QStringLiteral("0,000.0 MB"), boldFont(style));
    double top = box.top();
    const auto curves = cacheCurves(bytes);
    for (std::size_t i = 0; i < curves.size(); ++i)
    {
        const double y = top + line / 2;
        painter.setPen(curvePen(bytes, curves[i], style));
        painter.drawLine(QPointF(box.left(), y), QPointF(box.left() + mark * 0.8, y));
        drawLine(painter, {box.left() + mark, top, number, line},
                 shownBytes(bytesOf(bytes, curves[i].kvHeads, bytes.tokens)), boldFont(style), ink.ink,
                 Qt::AlignRight | Qt::AlignVCenter);
        drawLine(painter,
                 {box.left() + mark + number + style.textPx, top, box.width() - mark - number - style.textPx, line},
                 curves[i].name, bodyFont(style), curves[i].own ? ink.ink : ink.secondary);
        top += line;
    }
    return top - box.top();
}

double keyHeight(const CacheBytes& bytes, const LessonStyle& style)
{
    return static_cast<double>(cacheCurves(bytes).size()) * (lineHeight(bodyFont(style)) + style.textPx * 0.2);
}

} // namespace

std::vector<CacheCurve> cacheCurves(const CacheBytes& bytes)
{
    const KvShape& shape = bytes.shape;
    std::vector<CacheCurve> curves;
    const auto add = [&](std::int64_t kvHeads, const QString& name) {
        if (kvHeads < 1 || std::ranges::any_of(curves, [&](const CacheCurve& each) { return each.kvHeads == kvHeads; }))
            return;
        const bool own = kvHeads == shape.kvHeads;
        curves.push_back({own ? name % QStringLiteral(": ") % QString::fromStdString(shape.name) : name, kvHeads, own});
    };
    add(shape.heads, QStringLiteral("%1 KV heads, one per query head (MHA)").arg(shape.heads));
    if (shape.kvHeads > 1)
        add(shape.kvHeads, QStringLiteral("%1 KV heads (GQA)").arg(shape.kvHeads));
    add(bytes.groups, QStringLiteral("%1 KV heads (GQA)").arg(bytes.groups));
    add(1, QStringLiteral("1 KV head for all query heads (MQA)"));
    std::ranges::stable_sort(curves, [](const CacheCurve& a, const CacheCurve& b) { return a.kvHeads > b.kvHeads; });
    return curves;
}

void paintCacheBytes(QPainter& painter, const CacheBytes& bytes, const QRectF& box, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const auto curves = cacheCurves(bytes);
    const double line = lineHeight(smallFont(style));
    const double width = std::min(box.width(), style.textPx * 60);
    const double left = box.center().x() - width / 2;
    const double key = keyHeight(bytes, style);
    const QRectF head(left, box.top(), width, key + line + style.textPx);
    drawLine(painter, {left, box.top(), width, line},
             QStringLiteral("KV cache of %1 tokens").arg(groupedNumber(bytes.tokens)), smallFont(style), ink.secondary);
    paintBytesKey(painter, bytes, head.adjusted(0, line + style.textPx * 0.2, 0, 0), style);
    BytesFrame frame{{left + style.textPx * 6.2, head.bottom() + style.textPx * 0.4, width - style.textPx * 6.6,
                      std::min(box.bottom() - head.bottom() - 2 * line - style.textPx * 1.2, style.textPx * 26)},
                     static_cast<double>(bytes.most),
                     1};
    for (const CacheCurve& curve : curves)
        frame.mostBytes = std::max(frame.mostBytes, bytesOf(bytes, curve.kvHeads, bytes.most));
    paintBytesAxes(painter, bytes, frame, style);
    const double x = frame.at(static_cast<double>(bytes.tokens), 0).x();
    painter.setPen(QPen(ink.secondary, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, frame.plot.top()), QPointF(x, frame.plot.bottom()));
    for (std::size_t i = 0; i < curves.size(); ++i)
    {
        const QPen pen = curvePen(bytes, curves[i], style);
        painter.setPen(pen);
        painter.drawLine(frame.at(0, 0),
                         frame.at(static_cast<double>(bytes.most), bytesOf(bytes, curves[i].kvHeads, bytes.most)));
        painter.setBrush(pen.color());
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(
            frame.at(static_cast<double>(bytes.tokens), bytesOf(bytes, curves[i].kvHeads, bytes.tokens)),
            style.textPx * 0.28, style.textPx * 0.28);
    }
}

double cacheBytesHeight(const CacheBytes& bytes, double /*width*/, const LessonStyle& style)
{
    return keyHeight(bytes, style) + 3 * lineHeight(smallFont(style)) + style.textPx * 18;
}

QString cacheBytesWords(const CacheBytes& bytes)
{
    QStringList parts;
    for (const CacheCurve& curve : cacheCurves(bytes))
        parts << curve.name % QStringLiteral(": ") % shownBytes(bytesOf(bytes, curve.kvHeads, bytes.tokens));
    return QStringLiteral("KV cache of %1 tokens, %2 bytes per value: %3.")
        .arg(groupedNumber(bytes.tokens))
        .arg(bytes.bytesPerNumber)
        .arg(parts.join(QStringLiteral("; ")));
}

} // namespace headscope::viz
