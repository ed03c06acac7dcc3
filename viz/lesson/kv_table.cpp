// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/kv_table.h"

#include "viz/axis/text.h"

#include <QPainter>

#include <algorithm>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr double kBytesPerKb = 1e3;
constexpr double kBytesPerGb = 1e9;

QStringList titles(const KvTable& table)
{
    return {QStringLiteral("Model"),
            QStringLiteral("Query heads"),
            QStringLiteral("KV heads"),
            QStringLiteral("Head dimension"),
            QStringLiteral("KB per token"),
            QStringLiteral("GB at %1 tokens").arg(groupedNumber(table.tokens)),
            QStringLiteral("Users per %1 GB").arg(static_cast<double>(table.memory) / kBytesPerGb)};
}

/// Three digits that count, without powers of ten.
QString threeDigits(double value)
{
    return QString::number(value, 'f', value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

/// How wide the column of names and each column of numbers are.
std::pair<double, double> columnWidths(const KvTable& table, double width, const LessonStyle& style)
{
    double names = textWidth(titles(table).front(), boldFont(style));
    for (const KvShape& shape : table.shapes)
        names = std::max(names, textWidth(QString::fromStdString(shape.name), boldFont(style)));
    names = std::min(names + style.textPx, width * 0.36);
    return {names, (width - names) / static_cast<double>(titles(table).size() - 1)};
}

double headHeight(const KvTable& table, double column, const LessonStyle& style)
{
    double most = 0;
    for (const QString& title : titles(table))
        most = std::max(most, blockHeight(title, smallFont(style), column - style.textPx * 0.6));
    return most + style.textPx * 0.6;
}

double rowHeight(const LessonStyle& style)
{
    return lineHeight(bodyFont(style)) + style.textPx;
}

double usedWidth(double width, const LessonStyle& style)
{
    return std::min(width, style.textPx * 64);
}

} // namespace

QStringList kvTableCells(const KvTable& table, const KvShape& shape)
{
    const auto bytes = [&](std::int64_t tokens) {
        return static_cast<double>(kvCacheBytes(shape, shape.kvHeads, tokens, table.bytesPerValue));
    };
    return {QString::fromStdString(shape.name),
            QString::number(shape.heads),
            QString::number(shape.kvHeads),
            QString::number(shape.headDim),
            threeDigits(bytes(1) / kBytesPerKb),
            threeDigits(bytes(table.tokens) / kBytesPerGb),
            groupedNumber(cachesThatFit(shape, table.tokens, table.bytesPerValue, table.memory))};
}

void paintKvTable(QPainter& painter, const KvTable& table, const QRectF& box, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const double width = usedWidth(box.width(), style);
    const auto [names, column] = columnWidths(table, width, style);
    const double left = box.center().x() - width / 2;
    double top = box.top() + std::max(0.0, (box.height() - kvTableHeight(table, box.width(), style)) / 3);
    const QStringList heads = titles(table);
    for (qsizetype i = 1; i < heads.size(); ++i)
    {
        const double at = left + names + static_cast<double>(i - 1) * column + style.textPx * 0.6;
        paintBlock(painter, {at, top}, column - style.textPx * 0.6, heads[i], smallFont(style), ink.secondary);
    }
    top += headHeight(table, column, style);
    for (std::size_t i = 0; i < table.shapes.size(); ++i)
    {
        const QRectF row(left, top, width, rowHeight(style));
        const bool own = static_cast<std::int64_t>(i) == table.own;
        if (own)
            painter.fillRect(row, paled(ink.accent, ink.background, 0.15));
        painter.setPen(QPen(ink.hairline, 1));
        painter.drawLine(row.topLeft(), row.topRight());
        const QStringList cells = kvTableCells(table, table.shapes[i]);
        drawLine(painter, {left + style.textPx * 0.3, top, names - style.textPx * 0.3, row.height()}, cells.front(),
                 boldFont(style), ink.ink, Qt::AlignLeft | Qt::AlignVCenter);
        for (qsizetype cell = 1; cell < cells.size(); ++cell)
            drawLine(painter,
                     {left + names + static_cast<double>(cell - 1) * column + style.textPx * 0.6, top,
                      column - style.textPx * 0.6, row.height()},
                     cells[cell], own ? boldFont(style) : bodyFont(style), ink.ink, Qt::AlignLeft | Qt::AlignVCenter);
        top += row.height();
    }
}

double kvTableHeight(const KvTable& table, double width, const LessonStyle& style)
{
    const double column = columnWidths(table, usedWidth(width, style), style).second;
    return headHeight(table, column, style) + static_cast<double>(table.shapes.size()) * rowHeight(style);
}

QString kvTableWords(const KvTable& table)
{
    const QStringList heads = titles(table);
    QStringList rows;
    for (const KvShape& shape : table.shapes)
    {
        const QStringList cells = kvTableCells(table, shape);
        QStringList parts;
        for (qsizetype i = 1; i < cells.size(); ++i)
            parts << heads[i] % u' ' % cells[i];
        rows << cells.front() % QStringLiteral(": ") % parts.join(QStringLiteral(", "));
    }
    return rows.join(QStringLiteral("; ")) % u'.';
}

} // namespace headscope::viz
