// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/lesson_parts.h"

#include "viz/axis/figure_texts.h"
#include "viz/axis/text.h"

#include <QPainter>
#include <QPen>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::viz
{
namespace
{

const QString kMark = QStringLiteral("**"); ///< around a term

/// Letters in one weight; a word is one of them, or several without a space between.
struct Piece
{
    QString text;
    bool bold = false;
    bool space = false; ///< before it
};

QFont fontOf(const Piece& piece, const QFont& font)
{
    QFont own = font;
    if (piece.bold)
        own.setWeight(QFont::DemiBold);
    return own;
}

std::vector<Piece> piecesOf(const QString& text)
{
    std::vector<Piece> pieces;
    bool bold = false;
    for (const QString& part : text.split(kMark))
    {
        const QStringList words = part.split(u' ');
        for (qsizetype i = 0; i < words.size(); ++i)
            if (!words[i].isEmpty())
                pieces.push_back({words[i], bold, i > 0});
        if (part.endsWith(u' '))
            pieces.push_back({{}, bold, true}); // the space before the next part
        bold = !bold;
    }
    return pieces;
}

double pieceWidth(const Piece& piece, const QFont& font)
{
    return textWidth(piece.text, fontOf(piece, font)) + (piece.space ? textWidth(QStringLiteral(" "), font) : 0);
}

/// Lines of a paragraph of at most `width`, broken at spaces, behind those that are there.
void addMarkedLines(std::vector<std::vector<Piece>>& lines, const QString& paragraph, const QFont& font, double width)
{
    lines.emplace_back();
    double used = 0;
    const std::vector<Piece> pieces = piecesOf(paragraph);
    for (std::size_t i = 0; i < pieces.size(); ++i)
    {
        // A word with all that is joined to it.
        double word = pieceWidth(pieces[i], font);
        for (std::size_t next = i + 1; next < pieces.size() && !pieces[next].space; ++next)
            word += pieceWidth(pieces[next], font);
        if (pieces[i].space && used + word > width && used > 0)
        {
            lines.emplace_back();
            used = 0;
        }
        used += pieceWidth(pieces[i], font);
        lines.back().push_back(pieces[i]);
    }
}

std::vector<std::vector<Piece>> markedLines(const QString& text, const QFont& font, double width)
{
    std::vector<std::vector<Piece>> lines;
    for (const QString& paragraph : text.split(u'\n'))
        addMarkedLines(lines, paragraph, font, width);
    return lines;
}

void paintPieces(QPainter& painter, const std::vector<Piece>& pieces, QPointF corner, const QFont& font,
                 const QColor& color)
{
    for (std::size_t i = 0; i < pieces.size(); ++i)
    {
        if (i > 0 && pieces[i].space)
            corner.rx() += textWidth(QStringLiteral(" "), font);
        const double wide = textWidth(pieces[i].text, fontOf(pieces[i], font));
        drawLine(painter, {corner.x(), corner.y(), wide + 1, lineHeight(font)}, pieces[i].text, fontOf(pieces[i], font),
                 color);
        corner.rx() += wide;
    }
}

} // namespace

QFont bodyFont(const LessonStyle& style)
{
    return textFont(style.textPx);
}

QFont boldFont(const LessonStyle& style)
{
    return textFont(style.textPx, QFont::DemiBold);
}

QFont smallFont(const LessonStyle& style)
{
    return textFont(std::max(6.0, style.textPx * kSmallTimes));
}

LessonStyle captionStyle(const LessonStyle& style)
{
    return {style.theme, style.captionPx > 0 ? style.captionPx : style.textPx};
}

double blockHeight(const QString& text, const QFont& font, double width)
{
    if (text.contains(kMark))
        return lineHeight(font) * static_cast<double>(markedLines(text, font, width).size());
    return text.isEmpty() ? 0 : lineHeight(font) * static_cast<double>(wrappedLines(text, font, width).size());
}

double paintBlock(QPainter& painter, QPointF corner, double width, const QString& text, const QFont& font,
                  const QColor& color)
{
    if (text.isEmpty())
        return 0;
    const double line = lineHeight(font);
    double top = corner.y();
    if (text.contains(kMark))
    {
        for (const std::vector<Piece>& pieces : markedLines(text, font, width))
        {
            paintPieces(painter, pieces, {corner.x(), top}, font, color);
            top += line;
        }
        return top - corner.y();
    }
    if (FigureTexts* const texts = figureTexts(painter); texts != nullptr && texts->cut.isEmpty())
        for (const QString& word : text.split(u' '))
            if (textWidth(word, font) > width)
                texts->cut = word; // it is broken in its middle
    for (const QString& each : wrappedLines(text, font, width))
    {
        drawLine(painter, {corner.x(), top, width, line}, each, font, color);
        top += line;
    }
    return top - corner.y();
}

void paintCell(QPainter& painter, const QRectF& cell, const QColor& fill, const QString& text, const QColor& ink,
               double textPx)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    const double radius = std::min({3.0, cell.width() / 4, cell.height() / 4});
    painter.drawRoundedRect(cell, radius, radius);
    if (const auto font = fontThatFits(text, cell.size() - QSizeF(2, 0), textPx, std::max(6.0, textPx * 0.6)))
        drawLine(painter, cell, text, *font, ink, Qt::AlignCenter);
}

QRectF CellRow::cell(std::int64_t index) const
{
    const double step = (box.width() + gap) / static_cast<double>(std::max<std::int64_t>(1, count));
    return {box.left() + static_cast<double>(index) * step, box.top(), step - gap, box.height()};
}

CellRow centredCells(const QRectF& box, std::int64_t count, double widest, double gap)
{
    const auto n = static_cast<double>(std::max<std::int64_t>(1, count));
    const double between = std::min(gap, box.width() / n / 4);
    const double width = std::min(box.width(), n * widest + (n - 1) * between);
    return {QRectF(box.center().x() - width / 2, box.top(), width, box.height()), count, between};
}

void paintArrow(QPainter& painter, QPointF from, QPointF to, const QColor& color, double textPx)
{
    const QPointF along = to - from;
    const double length = std::hypot(along.x(), along.y());
    if (length <= 0)
        return;
    const QPointF unit = along / length;
    const QPointF across(-unit.y(), unit.x());
    const double head = textPx * 0.3;
    painter.setPen(QPen(color, std::max(1.0, textPx / 12)));
    painter.drawLine(from, to);
    painter.drawLine(to, to - head * 1.4 * unit + head * across);
    painter.drawLine(to, to - head * 1.4 * unit - head * across);
}

QColor paled(const QColor& color, const QColor& background, double share)
{
    const auto part = [share](int of, int ground) {
        return static_cast<int>(std::lround(share * of + (1 - share) * ground));
    };
    return {part(color.red(), background.red()), part(color.green(), background.green()),
            part(color.blue(), background.blue())};
}

QString shownBytes(double bytes)
{
    static const std::array<const char*, 6> kUnits = {"bytes", "KB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < kUnits.size())
    {
        bytes /= 1000;
        ++unit;
    }
    const int digits = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
    return QStringLiteral("%1 %2").arg(QString::number(bytes, 'f', digits), QLatin1StringView(kUnits[unit]));
}

} // namespace headscope::viz
