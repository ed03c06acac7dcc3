// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/token_row.h"

#include "viz/attention/token_names.h"
#include "viz/axis/text.h"
#include "viz/color/oklab.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::viz
{
namespace
{

/// Where the chip of each token goes, from (0, 0).
std::vector<QRectF> chipPlaces(const TokenRow& row, double width, const LessonStyle& style)
{
    const QFont font = bodyFont(style);
    const double pad = style.textPx * 0.6;
    const double height = lineHeight(font) + pad;
    const double step = height + lineHeight(smallFont(style)) + style.textPx * 0.9;
    std::vector<QRectF> places;
    QPointF at(0, 0);
    for (std::size_t i = 0; i < row.tokens.size(); ++i)
    {
        const double number = textWidth(QString::number(i < row.ids.size() ? row.ids[i] : 0), smallFont(style));
        const double chip = std::min(
            width, std::max({textWidth(shownToken(row.tokens[i]), font) + 2 * pad, number, 2.4 * style.textPx}));
        if (at.x() > 0 && at.x() + chip > width)
            at = {0, at.y() + step};
        places.emplace_back(at, QSizeF(chip, height));
        at.rx() += chip + style.textPx * 0.45;
    }
    return places;
}

double linesHeight(const std::vector<QRectF>& places, const LessonStyle& style)
{
    return places.empty() ? 0 : places.back().bottom() + lineHeight(smallFont(style)) + style.textPx * 0.2;
}

/// One of the three rows of HeadCounts.
struct CountRow
{
    QString title;
    QString numbers;
    std::int64_t count = 0;
    bool keys = false;
};

QString numbersText(std::int64_t count, std::int64_t dims)
{
    return dims > 0 ? QStringLiteral("%1 × %2 = %3 dimensions").arg(count).arg(dims).arg(groupedNumber(count * dims))
                    : QString::number(count);
}

std::array<CountRow, 3> countRows(const HeadCounts& counts)
{
    const ModelInfo& model = counts.model;
    const std::int64_t keys = model.kvHeads > 0 ? model.kvHeads : model.heads;
    return {{{QStringLiteral("Queries"), numbersText(model.heads, model.headDim), model.heads, false},
             {QStringLiteral("Keys"), numbersText(keys, model.headDim), keys, true},
             {QStringLiteral("Values"), numbersText(keys, model.headDim), keys, true}}};
}

double countRowHeight(const LessonStyle& style)
{
    return lineHeight(boldFont(style)) + style.textPx * 3.4;
}

void paintCountRow(QPainter& painter, const CountRow& row, const HeadCounts& counts, const QRectF& box,
                   const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const double line = lineHeight(boldFont(style));
    const double title = textWidth(QStringLiteral("Queries"), boldFont(style)) + style.textPx;
    drawLine(painter, {box.left(), box.top(), title, line}, row.title, boldFont(style), ink.ink);
    drawLine(painter, {box.left() + title, box.top(), box.width() - title, line}, row.numbers, bodyFont(style),
             ink.secondary);
    const HeadPalette palette(counts.model, style.theme);
    // All rows in the width that the queries need.
    const double gap = std::min(3.0, style.textPx * 0.2);
    const double cell = std::min(
        style.textPx * 2.6, (box.width() + gap) / static_cast<double>(std::max<std::int64_t>(1, counts.model.heads)));
    for (std::int64_t i = 0; i < row.count; ++i)
    {
        const QRectF place(box.left() + static_cast<double>(i) * cell, box.top() + line + style.textPx * 0.4,
                           cell - gap, style.textPx * 1.9);
        const bool grouped = row.keys && palette.grouped();
        const QColor fill = grouped ? palette.groupColor(GroupIndex(i)) : palette.color(HeadIndex(i));
        paintCell(painter, place, fill, QString::number(i + 1), textColorOn(fill), style.textPx);
    }
}

} // namespace

std::size_t paintTokenRow(QPainter& painter, const TokenRow& row, const QRectF& box, const LessonStyle& given)
{
    const Inks& ink = inks(given.theme);
    // Larger where there is room for all of them.
    LessonStyle style = given;
    for (const double times : {1.5, 1.25})
        if (linesHeight(chipPlaces(row, box.width(), {given.theme, given.textPx * times}),
                        {given.theme, given.textPx * times}) < box.height() * 0.6)
        {
            style.textPx = given.textPx * times;
            break;
        }
    const std::vector<QRectF> places = chipPlaces(row, box.width(), style);
    const double top = box.top() + std::max(0.0, (box.height() - linesHeight(places, style)) / 2);
    std::size_t painted = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        const QRectF chip = places[i].translated(box.left(), top);
        if (chip.bottom() + lineHeight(smallFont(style)) > box.bottom() + 1)
            break;
        const bool shaded = i < row.weights.size();
        const QColor plain = i % 2 == 0 ? ink.card : paled(ink.hairline, ink.background, 0.5);
        const QColor fill =
            shaded ? paled(ink.accent, ink.background, std::sqrt(std::clamp(row.weights[i], 0.0, 1.0))) : plain;
        const bool isQuery = static_cast<std::int64_t>(i) == row.query;
        painter.setPen(isQuery ? QPen(ink.ink, std::max(2.0, style.textPx / 6)) : QPen(ink.hairline, 1));
        painter.setBrush(fill);
        painter.drawRoundedRect(chip, 3, 3);
        drawLine(painter, chip, shownToken(row.tokens[i]), bodyFont(style), shaded ? textColorOn(fill) : ink.ink,
                 Qt::AlignCenter);
        if (i < row.ids.size())
            drawLine(painter, {chip.left(), chip.bottom() + 2, chip.width(), lineHeight(smallFont(style))},
                     QString::number(row.ids[i]), smallFont(style), ink.secondary, Qt::AlignCenter);
        ++painted;
    }
    return painted;
}

double tokenRowHeight(const TokenRow& row, double width, const LessonStyle& style)
{
    return linesHeight(chipPlaces(row, width, style), style);
}

QString tokenRowWords(const TokenRow& row)
{
    QStringList tokens;
    for (const QString& token : row.tokens)
        tokens << shownToken(token);
    QString words = QStringLiteral("%1 tokens: %2.").arg(row.tokens.size()).arg(tokens.join(QStringLiteral(" | ")));
    if (const auto most = std::max_element(row.weights.begin(), row.weights.end()); most != row.weights.end())
        words += QStringLiteral(" The head puts its largest weight, %1, on “%2”.")
                     .arg(*most, 0, 'f', 2)
                     .arg(tokens.value(most - row.weights.begin()));
    return words;
}

void paintHeadCounts(QPainter& painter, const HeadCounts& counts, const QRectF& box, const LessonStyle& style)
{
    const double needed = headCountsHeight(counts, box.width(), style);
    const double gap = std::max(0.0, (box.height() - needed) / 4);
    const double cell = style.textPx * 2.6;
    const double width =
        std::min(box.width(), std::max(cell * static_cast<double>(counts.model.heads), style.textPx * 24));
    QRectF row(box.center().x() - width / 2, box.top() + std::min(gap, style.textPx * 2), width, countRowHeight(style));
    for (const CountRow& each : countRows(counts))
    {
        paintCountRow(painter, each, counts, row, style);
        row.translate(0, countRowHeight(style) + std::min(gap, style.textPx));
    }
}

double headCountsHeight(const HeadCounts& /*counts*/, double /*width*/, const LessonStyle& style)
{
    return 3 * countRowHeight(style);
}

QString headCountsWords(const HeadCounts& counts)
{
    QStringList parts;
    for (const CountRow& row : countRows(counts))
        parts << row.title % QStringLiteral(": ") % row.numbers;
    return QStringLiteral("For every token, in every layer. ") % parts.join(QStringLiteral("; ")) % QStringLiteral(".");
}

} // namespace headscope::viz
