// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of a figure: no text is cut, whatever the width.
#include "viz/axis/text.h"
#include "viz/color/inks.h"
#include "viz/export/figure_text.h"
#include "viz/export/part_figures.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>

namespace headscope::viz
{
namespace
{

constexpr double kColumnGap = 6;
constexpr double kMinGrowing = 60;
constexpr double kPieces = 60; ///< of the longest bar
constexpr double kSqueezeStep = 4;
constexpr double kIndent = 8;
constexpr double kSwatch = 6;
constexpr double kRule = 0.6;

/// A table, or the columns of one that fit beside each other.
class TablePainter
{
public:
    TablePainter(const FigureTable& table, double width) : m_table(table), m_width(width)
    {
        std::vector<double> natural;
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            natural.push_back(naturalWidth(column));
        std::size_t next = 0;
        while (next < table.columns.size())
        {
            Block block;
            if (!m_blocks.empty())
                block.columns.push_back(0);
            double used = 0;
            for (const std::size_t column : block.columns)
                used += leastWidth(column, natural[column]);
            do
            {
                block.columns.push_back(next);
                used += leastWidth(next, natural[next]) + (block.columns.size() > 1 ? kColumnGap : 0);
                ++next;
            } while (next < table.columns.size() &&
                     (block.columns.size() < 2 || used + kColumnGap + leastWidth(next, natural[next]) <= width));
            if (used > width && block.columns.size() == 2)
                squeeze(block, natural);
            else
                share(block, natural, used);
            m_blocks.push_back(std::move(block));
        }
    }

    [[nodiscard]] double height() const
    {
        double all = 0;
        for (const Block& block : m_blocks)
            all += heightOf(block);
        return all + kFigureGap * static_cast<double>(std::max<std::size_t>(1, m_blocks.size()) - 1);
    }

    void paint(QPainter& painter, QPointF corner) const
    {
        double top = corner.y();
        for (const Block& block : m_blocks)
        {
            paintBlock(painter, {corner.x(), top}, block);
            top += heightOf(block) + kFigureGap;
        }
    }

private:
    struct Block
    {
        std::vector<std::size_t> columns;
        std::vector<double> widths;
    };

    [[nodiscard]] static QFont headFont() { return textFont(kFigureTextPt - 1); }
    [[nodiscard]] static QFont fontOf(const FigureCell& cell)
    {
        return textFont(kFigureTextPt, cell.bold ? QFont::DemiBold : QFont::Normal);
    }
    /// What stands before the text of a cell.
    [[nodiscard]] double beforeText(std::size_t column, const FigureCell& cell) const
    {
        return cell.indent * kIndent + (cell.swatch ? kSwatch + 4 : 0) +
               (m_table.columns[column].pieces ? kPieces + 6 : 0);
    }
    [[nodiscard]] double naturalWidth(std::size_t column) const
    {
        double widest = textWidth(m_table.columns[column].title, headFont());
        for (const auto& row : m_table.rows)
            if (column < row.size())
                widest = std::max(widest,
                                  beforeText(column, row[column]) + textWidth(row[column].text, fontOf(row[column])));
        return std::ceil(widest) + 1;
    }
    [[nodiscard]] double leastWidth(std::size_t column, double natural) const
    {
        return std::min(m_width, m_table.columns[column].grows ? std::min(natural, kMinGrowing) : natural);
    }

    /// Widths of a block's columns: growing ones get what is left of the width.
    void share(Block& block, const std::vector<double>& natural, double used) const
    {
        std::size_t growing = 0;
        for (const std::size_t column : block.columns)
            growing += m_table.columns[column].grows ? 1 : 0;
        const double left = std::max(0.0, m_width - used);
        for (const std::size_t column : block.columns)
        {
            double width = leastWidth(column, natural[column]);
            if (m_table.columns[column].grows)
                width = std::min(natural[column], width + left / static_cast<double>(growing));
            block.widths.push_back(width);
        }
    }

    /// A first column and the one beside it are wrapped where they do not fit next to each other: so that the table is
    /// as low as it can be, and the first column as wide as that allows.
    void squeeze(Block& block, const std::vector<double>& natural) const
    {
        const double room = m_width - kColumnGap;
        const auto title = [&](std::size_t i) {
            return std::ceil(textWidth(m_table.columns[block.columns[i]].title, headFont())) + 1;
        };
        const double most = std::max(1.0, std::min(natural[block.columns[0]], room - title(1)));
        std::vector<double> best;
        double least = std::numeric_limits<double>::max();
        for (double first = most; first >= std::min(most, std::max(title(0), kMinGrowing)); first -= kSqueezeStep)
        {
            block.widths = {first, std::max(1.0, std::min(natural[block.columns[1]], room - first))};
            if (const double height = heightOf(block); height < least)
            {
                least = height;
                best = block.widths;
            }
        }
        block.widths = std::move(best);
    }

    [[nodiscard]] QStringList linesOf(std::size_t column, const FigureCell& cell, double width) const
    {
        const double room = std::max(1.0, width - beforeText(column, cell));
        return textWidth(cell.text, fontOf(cell)) <= room + 0.5 ? QStringList(cell.text)
                                                                : wrappedLines(cell.text, fontOf(cell), room);
    }
    [[nodiscard]] static double lineStep() { return std::ceil(1.5 * kFigureTextPt); }
    [[nodiscard]] double rowHeight(const Block& block, const std::vector<FigureCell>& row) const
    {
        qsizetype most = 1;
        for (std::size_t i = 0; i < block.columns.size(); ++i)
            if (block.columns[i] < row.size())
                most = std::max(most, linesOf(block.columns[i], row[block.columns[i]], block.widths[i]).size());
        return lineStep() + static_cast<double>(most - 1) * lineHeight(textFont(kFigureTextPt));
    }
    [[nodiscard]] double heightOf(const Block& block) const
    {
        double all = lineStep() + 6;
        for (const auto& row : m_table.rows)
            all += rowHeight(block, row);
        return all;
    }

    void paintBlock(QPainter& painter, QPointF corner, const Block& block) const
    {
        const Inks& ink = inks(InkTheme::Light);
        double total = kColumnGap * static_cast<double>(block.columns.size() - 1);
        for (const double width : block.widths)
            total += width;
        double top = corner.y();
        const auto rule = [&](double width) { painter.fillRect(QRectF(corner.x(), top, total, width), ink.ink); };
        rule(1);
        top += 2;
        double left = corner.x();
        for (std::size_t i = 0; i < block.columns.size(); ++i)
        {
            const FigureColumn& column = m_table.columns[block.columns[i]];
            drawLine(painter, {left, top, block.widths[i], lineStep()}, column.title, headFont(), ink.secondary,
                     (column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            left += block.widths[i] + kColumnGap;
        }
        top += lineStep();
        rule(kRule);
        top += 2;
        for (const auto& row : m_table.rows)
        {
            const double height = rowHeight(block, row);
            left = corner.x();
            for (std::size_t i = 0; i < block.columns.size(); ++i)
            {
                if (block.columns[i] < row.size())
                    paintCell(painter, {left, top, block.widths[i], height}, block.columns[i], row[block.columns[i]]);
                left += block.widths[i] + kColumnGap;
            }
            top += height;
        }
        rule(1);
    }

    void paintCell(QPainter& painter, const QRectF& box, std::size_t column, const FigureCell& cell) const
    {
        const Inks& ink = inks(InkTheme::Light);
        double left = box.left() + cell.indent * kIndent;
        const double middle = box.top() + lineStep() / 2;
        if (cell.bar)
        {
            const auto [from, to] = *cell.bar;
            QColor pale = ink.accent;
            pale.setAlphaF(0.16F);
            painter.fillRect(
                QRectF(box.left() + from * box.width(), box.top() + 1.5, (to - from) * box.width(), lineStep() - 3),
                pale);
        }
        if (cell.whisker)
        {
            const auto [low, high] = *cell.whisker;
            const double y = box.top() + lineStep() - 1.5;
            painter.fillRect(QRectF(box.left() + low * box.width(), y - kRule / 2, (high - low) * box.width(), kRule),
                             ink.accent);
            for (const double at : {low, high})
                painter.fillRect(QRectF(box.left() + at * box.width() - kRule / 2, y - 1.5, kRule, 3), ink.accent);
        }
        if (cell.swatch)
        {
            painter.fillRect(QRectF(left, middle - kSwatch / 2, kSwatch, kSwatch), *cell.swatch);
            left += kSwatch + 4;
        }
        if (m_table.columns[column].pieces)
        {
            double x = left;
            for (const auto& [share, color] : cell.pieces)
            {
                const double width = share * kPieces;
                painter.fillRect(QRectF(x, middle - 3, std::max(0.0, width - (width > 2 ? 0.4 : 0.0)), 6),
                                 QColor(color));
                x += width;
            }
            left += kPieces + 6;
        }
        double top = box.top() + (lineStep() - lineHeight(fontOf(cell))) / 2;
        for (const QString& line : linesOf(column, cell, box.width()))
        {
            drawLine(painter, {left, top, box.right() - left + 0.5, lineHeight(fontOf(cell))}, line, fontOf(cell),
                     ink.ink, (m_table.columns[column].number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            top += lineHeight(fontOf(cell));
        }
    }

    const FigureTable& m_table;
    double m_width;
    std::vector<Block> m_blocks;
};

} // namespace

FigurePart tablePart(const QString& title, FigureTable table, double least)
{
    const auto kept = std::make_shared<const FigureTable>(std::move(table));
    FigurePart part;
    part.title = title;
    part.least = least;
    part.height = [kept](double width) { return TablePainter(*kept, width).height(); };
    part.paint = [kept](QPainter& painter, const QRectF& box, double) {
        TablePainter(*kept, box.width()).paint(painter, box.topLeft());
    };
    return part;
}

} // namespace headscope::viz
