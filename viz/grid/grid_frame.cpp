// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_frame.h"

#include "viz/axis/text.h"

#include <QPainter>
#include <QPen>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

constexpr double kBetween = 8;

double captionLeft(const GridCell& cell)
{
    return cell.edge ? kGridEdge + 5 : 2;
}

/// What stands over the cells: all of a grid are named alike.
enum class Naming
{
    Column, ///< the head of the column says it
    Short,
    Whole,
};

/// "r 0.93" of "r 0.93 · 41% kept".
QString agreementOf(const GridCell& cell)
{
    return cell.numbers.section(QStringLiteral(" · "), 0, 0);
}

bool wholeNamesFit(const GridContents& contents, const GridLayout& layout, const GridFrameStyle& style)
{
    const QFont bold = textFont(style.textPx, QFont::DemiBold);
    const QFont small = textFont(style.textPx);
    for (std::size_t i = 0; i < contents.cells.size(); ++i)
    {
        const GridCell& cell = contents.cells[i];
        const double room = layout.cell(i).width() - captionLeft(cell);
        const double name = textWidth(cell.title, bold);
        const double numbers = textWidth(agreementOf(cell), small);
        const bool twoLines = layout.metrics().caption >= 2 * lineHeight(small);
        if (twoLines ? std::max(name, numbers) > room : name + kBetween + numbers > room)
            return false;
    }
    return true;
}

void paintCaption(QPainter& painter, const GridCell& cell, const QRectF& box, Naming naming,
                  const GridFrameStyle& style)
{
    const Inks& ink = inks(style.theme);
    const QFont bold = textFont(style.textPx, QFont::DemiBold);
    const QFont small = textFont(style.textPx);
    const double left = captionLeft(cell);
    const double room = box.width() - left;
    const double numbers = textWidth(cell.numbers, small);
    const QString title = naming == Naming::Whole ? cell.title : naming == Naming::Short ? cell.shortTitle : QString();
    const double titleWidth = textWidth(title, bold);
    const double line = lineHeight(small);
    const bool twoLines = box.height() >= 2 * line && !title.isEmpty();
    drawLine(painter, {box.left() + left, box.top(), room, twoLines ? line : box.height()}, title, bold, ink.ink);
    if (twoLines)
    {
        drawLine(painter, {box.left() + left, box.top() + line, room, line},
                 numbers <= room ? cell.numbers : agreementOf(cell), small, ink.secondary);
        return;
    }
    const double before = title.isEmpty() ? 0 : titleWidth + kBetween;
    const QString rest = before + numbers > room ? agreementOf(cell) : cell.numbers;
    if (before + textWidth(rest, small) <= room)
        drawLine(painter, box.adjusted(left, 0, -1, 0), rest, small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
}

void paintBlockHeading(QPainter& painter, const GridBlock& block, const QRectF& box, double caption,
                       const GridFrameStyle& style)
{
    const Inks& ink = inks(style.theme);
    const QFont bold = textFont(style.textPx + 1, QFont::DemiBold);
    const QFont small = textFont(style.textPx);
    const double line = lineHeight(bold) + 2;
    drawLine(painter, QRectF(box.left(), box.top() + caption, box.width(), line), block.title, bold, ink.ink);
    double top = box.top() + caption + line;
    for (const QString& words : wrappedLines(block.detail, small, box.width(), 3))
    {
        drawLine(painter, QRectF(box.left(), top, box.width(), line), words, small, ink.secondary);
        top += lineHeight(small);
    }
}

} // namespace

GridCaptionRoom captionRoom(const GridContents& contents, const GridFrameStyle& style, bool columnHeadings,
                            double cellWidth)
{
    const QFont bold = textFont(style.textPx, QFont::DemiBold);
    const QFont small = textFont(style.textPx);
    const double line = std::ceil(lineHeight(small));
    GridCaptionRoom room{0, line};
    for (const GridCell& cell : contents.cells)
    {
        const double numbers = std::ceil(textWidth(agreementOf(cell), small)) + 2;
        room.least = std::max(room.least, captionLeft(cell) + numbers);
        if (!columnHeadings && cellWidth > 0 &&
            captionLeft(cell) + textWidth(cell.shortTitle, bold) + kBetween + numbers > cellWidth)
            room.height = 2 * line;
    }
    return room;
}

void paintGridFrame(QPainter& painter, const GridContents& contents, const GridLayout& layout,
                    const GridFrameStyle& style)
{
    const Inks& ink = inks(style.theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double caption = layout.metrics().caption;
    for (std::size_t block = 0; block < contents.blocks.size(); ++block)
        paintBlockHeading(painter, contents.blocks[block], layout.blockHeading(static_cast<std::int64_t>(block)),
                          caption, style);
    for (std::size_t column = 0; column < contents.columns.size(); ++column)
        if (const auto box = layout.columnHeading(static_cast<std::int64_t>(column)))
            drawLine(painter, *box, contents.columns[column], textFont(style.textPx, QFont::DemiBold), ink.secondary,
                     Qt::AlignHCenter | Qt::AlignTop);
    const bool columns = !contents.columns.empty() && layout.columnHeading(0).has_value();
    const Naming naming = columns                                  ? Naming::Column
                          : wholeNamesFit(contents, layout, style) ? Naming::Whole
                                                                   : Naming::Short;
    for (std::size_t i = 0; i < contents.cells.size(); ++i)
    {
        const GridCell& cell = contents.cells[i];
        const QRectF box = layout.cell(i);
        paintCaption(painter, cell, QRectF(box.left(), box.top(), box.width(), caption), naming, style);
        const QRectF plot = layout.plot(i);
        painter.setPen(QPen(ink.hairline, 0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(plot.adjusted(0, 0, -1, -1));
        if (cell.edge)
            painter.fillRect(QRectF(box.left(), box.top() + 2, kGridEdge, box.height() - 2), *cell.edge);
    }
    painter.restore();
}

} // namespace headscope::viz
