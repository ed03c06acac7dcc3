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

/// Of a row whose numbers stand beside its scale, where there is no room for them below it.
double flatRowHeight(const LessonStyle& style)
{
    return lineHeight(bodyFont(style)) + style.textPx * 0.2;
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

double numbersWidth(const ShareRows& rows, const LessonStyle& style)
{
    double most = 0;
    for (const ShareRow& row : rows.rows)
        most = std::max(most, textWidth(numberText(row, rows), smallFont(style)));
    return most + style.textPx;
}

/// An end of the scale: "0", "1", "−0.1".
QString endText(double value)
{
    return QString::number(value).replace(u'-', QChar(0x2212));
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
    const bool isFlat = shareRowsHeight(rows, width, style) > box.height();
    const double numbers = isFlat ? std::min(numbersWidth(rows, style), (width - names) * 0.6) : 0;
    const double scale = width - names - numbers - style.textPx * 0.5; // a dot at its end has room
    const double head = headHeight(rows, width - names, style);
    const double row = isFlat ? flatRowHeight(style) : rowHeight(style);
    const double needed = head + static_cast<double>(rows.rows.size()) * row;
    const double left = box.center().x() - width / 2;
    double top = box.top() + std::max(0.0, (box.height() - needed) / 3);
    const double title = paintBlock(painter, {left + names, top}, width - names, rows.title, boldFont(style), ink.ink);
    paintBlock(painter, {left + names, top + title}, width - names, rows.below, smallFont(style), ink.secondary);
    const double line = lineHeight(smallFont(style));
    for (const auto& [value, side] : {std::pair{rows.least, Qt::AlignLeft}, {rows.most, Qt::AlignRight}})
        drawLine(painter, {left + names, top + head - line, scale, line}, endText(value), smallFont(style),
                 ink.secondary, side);
    top += head;
    const double body = lineHeight(bodyFont(style));
    for (const ShareRow& each : rows.rows)
    {
        drawLine(painter, {left, top, names - style.textPx, isFlat ? body : 2 * body}, each.name, boldFont(style),
                 ink.ink);
        paintShare(
            painter,
            {each.value, each.ci95, each.chance, each.strong ? ink.accent : ink.secondary, rows.least, rows.most},
            {left + names, top, scale, body}, style);
        const QRectF text = isFlat ? QRectF(left + width - numbers + style.textPx, top, numbers - style.textPx, body)
                                   : QRectF(left + names, top + body, scale, body);
        drawLine(painter, text, numberText(each, rows), smallFont(style), ink.ink);
        top += row;
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
