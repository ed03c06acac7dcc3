// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/share_rows.h"

#include "viz/axis/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

double rowHeight(const LessonStyle& style)
{
    return 2 * lineHeight(bodyFont(style)) + style.textPx * 0.5;
}

double headHeight(const ShareRows& rows, double width, const LessonStyle& style)
{
    return blockHeight(rows.title, boldFont(style), width) + blockHeight(rows.below, smallFont(style), width) +
           lineHeight(smallFont(style)) + style.textPx * 0.4;
}

double namesWidth(const ShareRows& rows, double width, const LessonStyle& style)
{
    double most = 0;
    for (const ShareRow& row : rows.rows)
        most = std::max(most, textWidth(row.name, boldFont(style)));
    return std::min(most + style.textPx * 1.4, width * 0.45);
}

QString numberText(const ShareRow& row, const ShareRows& rows)
{
    QString text = intervalText(row.value, row.ci95, rows.digits);
    if (row.chance)
        text += QStringLiteral("; chance ") % shareText(*row.chance, rows.digits);
    if (!row.more.isEmpty())
        text += QStringLiteral("; ") % row.more;
    return text;
}

} // namespace

void paintShare(QPainter& painter, const ShareMark& mark, const QRectF& row, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const double y = row.center().y();
    const auto at = [&](double value) {
        return row.left() + std::clamp((value - mark.least) / (mark.most - mark.least), 0.0, 1.0) * row.width();
    };
    painter.setPen(QPen(ink.hairline, 1));
    painter.drawLine(QPointF(row.left(), y), QPointF(row.right(), y));
    for (const double end : {mark.least, mark.most})
        painter.drawLine(QPointF(at(end), y - 3), QPointF(at(end), y + 3));
    if (mark.chance && std::isfinite(*mark.chance))
    {
        painter.setPen(QPen(ink.secondary, std::max(1.5, style.textPx / 9), Qt::DashLine));
        painter.drawLine(QPointF(at(*mark.chance), row.top() + 2), QPointF(at(*mark.chance), row.bottom() - 2));
    }
    if (!std::isfinite(mark.value))
        return;
    if (std::isfinite(mark.ci95.low))
    {
        painter.setPen(QPen(paled(mark.color, ink.background, 0.55), style.textPx * 0.3, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(at(mark.ci95.low), y), QPointF(at(mark.ci95.high), y));
    }
    painter.setPen(QPen(ink.background, 1));
    painter.setBrush(mark.color);
    painter.drawEllipse(QPointF(at(mark.value), y), style.textPx * 0.36, style.textPx * 0.36);
}

QString shareText(double value, int digits)
{
    return fixedNumber(value, digits);
}

QString intervalText(double value, const Interval& ci95, int digits)
{
    return std::isfinite(ci95.low)
               ? QStringLiteral("%1 (%2 to %3)")
                     .arg(shareText(value, digits), shareText(ci95.low, digits), shareText(ci95.high, digits))
               : shareText(value, digits);
}

void paintShareRows(QPainter& painter, const ShareRows& rows, const QRectF& box, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const double width = std::min(box.width(), style.textPx * 62);
    const double names = namesWidth(rows, width, style);
    const double scale = width - names - style.textPx * 0.5; // a dot at its end has room
    const double head = headHeight(rows, scale, style);
    const double needed = shareRowsHeight(rows, width, style);
    const double left = box.center().x() - width / 2;
    double top = box.top() + std::max(0.0, (box.height() - needed) / 3);
    const double title = paintBlock(painter, {left + names, top}, scale, rows.title, boldFont(style), ink.ink);
    paintBlock(painter, {left + names, top + title}, scale, rows.below, smallFont(style), ink.secondary);
    const double line = lineHeight(smallFont(style));
    for (const auto& [value, side] : {std::pair{rows.least, Qt::AlignLeft}, {rows.most, Qt::AlignRight}})
        drawLine(painter, {left + names, top + head - line, scale, line}, QString::number(value), smallFont(style),
                 ink.secondary, side);
    top += head;
    const double body = lineHeight(bodyFont(style));
    for (const ShareRow& row : rows.rows)
    {
        drawLine(painter, {left, top, names - style.textPx, 2 * body}, row.name, boldFont(style), ink.ink);
        paintShare(painter,
                   {row.value, row.ci95, row.chance, row.strong ? ink.accent : ink.secondary, rows.least, rows.most},
                   {left + names, top, scale, body}, style);
        drawLine(painter, {left + names, top + body, scale, body}, numberText(row, rows), smallFont(style), ink.ink);
        top += rowHeight(style);
    }
}

double shareRowsHeight(const ShareRows& rows, double width, const LessonStyle& style)
{
    const double used = std::min(width, style.textPx * 62);
    return headHeight(rows, used - namesWidth(rows, used, style), style) +
           static_cast<double>(rows.rows.size()) * rowHeight(style);
}

QString shareRowsWords(const ShareRows& rows)
{
    QStringList parts;
    for (const ShareRow& row : rows.rows)
        parts << row.name % QStringLiteral(": ") % numberText(row, rows);
    return rows.title % QStringLiteral(". ") % parts.join(QStringLiteral(". ")) % QStringLiteral(". ") % rows.below;
}

} // namespace headscope::viz
