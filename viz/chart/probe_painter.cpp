// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/probe_painter.h"

#include "model/data/key_sharing.h"
#include "viz/axis/text.h"
#include "viz/color/head_palette.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::viz
{
namespace
{

constexpr double kGap = 6;

QString fixed(double value, int decimals = 3)
{
    return std::isfinite(value) ? QString::number(value, 'f', decimals) : shortNumber(value);
}

QString stageText(const ProbeResult& result)
{
    return result.stage ? QString::fromUtf8(stageName(*result.stage).data()) : QStringLiteral("\u2013");
}

QString layerText(const ProbeResult& result)
{
    return result.layer ? QString::number(*result.layer) : QStringLiteral("\u2013");
}

/// The part of a bar chart's box that holds the bars.
QRectF barsBox(const QRectF& box, const ChartStyle& style)
{
    const QFont small = textFont(style.textPx - 1);
    const double left = textWidth(QStringLiteral("100%"), small) + kGap;
    const double line = lineHeight(small);
    return {box.left() + left, box.top() + line / 2, std::max(0.0, box.width() - left),
            std::max(0.0, box.height() - 1.5 * line - kGap)};
}

} // namespace

PaintedTable probeTable(std::span<const ProbeResult> results, const ModelInfo& info)
{
    const auto grouped = [&info](const ProbeResult& result) {
        return result.stage && hasKvGroups(info, *result.stage);
    };
    const bool anyGroups = std::any_of(results.begin(), results.end(), grouped);
    PaintedTable table;
    table.header = {QStringLiteral("Stage"), QStringLiteral("Layer"), QStringLiteral("Accuracy"), QStringLiteral("95%"),
                    QStringLiteral("Macro F1")};
    if (anyGroups)
        table.header.insert(table.header.end(),
                            {QStringLiteral("Within-group errors"), QStringLiteral("between groups")});
    const bool ofDocuments = std::any_of(results.begin(), results.end(),
                                         [](const ProbeResult& result) { return !result.testDocuments.empty(); });
    table.header.push_back(ofDocuments ? QStringLiteral("Training / test vectors (documents)")
                                       : QStringLiteral("Training / test vectors"));
    for (const ProbeResult& result : results)
    {
        std::vector<QString> row = {stageText(result), layerText(result), fixed(result.accuracy),
                                    fixed(result.ci95Low) + QStringLiteral("\u2013") + fixed(result.ci95High),
                                    fixed(result.macroF1)};
        const double none = std::nan("");
        if (anyGroups)
            row.insert(row.end(), {fixed(grouped(result) ? result.withinGroupError : none),
                                   fixed(grouped(result) ? result.acrossGroupError : none)});
        row.push_back(groupedNumber(result.trainRows) + QStringLiteral(" / ") + groupedNumber(result.testRows) +
                      (result.testDocuments.empty()
                           ? QString()
                           : QStringLiteral(" (%1)").arg(groupedNumber(numTestDocuments(result)))));
        table.rows.push_back(std::move(row));
    }
    return table;
}

double paintTable(QPainter& painter, const QRectF& box, const PaintedTable& table, const ChartStyle& style)
{
    const Inks& ink = inks(style.theme);
    const QFont head = textFont(style.textPx - 1);
    const QFont body = textFont(style.textPx);
    const std::size_t numColumns = table.header.size();
    std::vector<double> widths;
    double total = 0;
    for (std::size_t column = 0; column < numColumns; ++column)
    {
        double width = textWidth(table.header[column], head);
        for (const auto& row : table.rows)
            width = std::max(width, column < row.size() ? textWidth(row[column], body) : 0);
        widths.push_back(width);
        total += width;
    }
    // Columns spread over the box, and give up width in proportion where there is too little.
    const auto numGaps = static_cast<double>(std::max<std::size_t>(2, numColumns) - 1);
    const double shrink = total > 0 ? std::clamp((box.width() - 2 * kGap * numGaps) / total, 0.0, 1.0) : 1;
    const double gap = std::max(0.0, (box.width() - total * shrink) / numGaps);
    const double row = std::ceil(1.7 * style.textPx);
    double y = box.top();
    const auto rule = [&](double width) { painter.fillRect(QRectF(box.left(), y, box.width(), width), ink.ink); };
    const auto line = [&](const std::vector<QString>& cells, const QFont& font, const QColor& color) {
        double x = box.left();
        for (std::size_t column = 0; column < std::min(numColumns, cells.size()); ++column)
        {
            drawLine(painter, {x, y, widths[column] * shrink, row}, cells[column], font, color,
                     (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            x += widths[column] * shrink + gap;
        }
        y += row;
    };
    painter.save();
    rule(1.0);
    y += 2;
    line(table.header, head, ink.secondary);
    rule(0.6);
    y += 2;
    for (const auto& cells : table.rows)
        line(cells, body, ink.ink);
    rule(1.0);
    y += 1;
    painter.restore();
    return y - box.top();
}

void paintHeadAccuracy(QPainter& painter, const QRectF& box, const ProbeResult& result, const ModelInfo& info,
                       const ChartStyle& style)
{
    const QRectF bars = barsBox(box, style);
    const auto count = static_cast<double>(result.perHead.size());
    if (result.perHead.empty() || bars.isEmpty())
        return;
    const Inks& ink = inks(style.theme);
    const QFont small = textFont(style.textPx - 1);
    const double line = lineHeight(small);
    const HeadPalette palette(info, style.theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const int percent : {0, 50, 100})
    {
        const double y = bars.bottom() - bars.height() * percent / 100;
        painter.fillRect(QRectF(bars.left(), y - 0.25, bars.width(), 0.5), ink.hairline);
        drawLine(painter, {box.left(), y - line / 2, bars.left() - kGap - box.left(), line},
                 QStringLiteral("%1%").arg(percent), small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    }
    const double pitch = bars.width() / count;
    double freeFrom = bars.left() - pitch;
    for (std::size_t i = 0; i < result.perHead.size(); ++i)
    {
        const HeadScore& score = result.perHead[i];
        const double height = bars.height() * std::clamp(std::isfinite(score.recall) ? score.recall : 0.0, 0.0, 1.0);
        const double left = bars.left() + static_cast<double>(i) * pitch;
        painter.fillRect(QRectF(left + 0.1 * pitch, bars.bottom() - height, 0.8 * pitch, height),
                         palette.color(HeadIndex(score.head)));
        if (std::isfinite(score.recallCi95.low)) // the whisker of its interval
            painter.fillRect(QRectF(left + pitch / 2 - 0.4, bars.bottom() - bars.height() * score.recallCi95.high, 0.8,
                                    bars.height() * (score.recallCi95.high - score.recallCi95.low)),
                             ink.ink);
        const QString number = QString::number(shownNumber(HeadIndex(score.head)));
        const double width = textWidth(number, small);
        const double middle = left + pitch / 2;
        if (middle - width / 2 < freeFrom)
            continue;
        drawLine(painter, {middle - width / 2, bars.bottom() + 3, width, line}, number, small, ink.secondary);
        freeFrom = middle + width / 2 + 3;
    }
    const double mean = bars.bottom() - bars.height() * std::clamp(result.accuracy, 0.0, 1.0);
    painter.setPen(QPen(ink.ink, 0.8, Qt::DashLine, Qt::FlatCap)); // a square one reaches beyond the box
    painter.drawLine(QPointF(bars.left(), mean), QPointF(bars.right(), mean));
    const double chance = bars.bottom() - bars.height() / count;
    painter.setPen(QPen(ink.secondary, 0.8, Qt::DotLine, Qt::FlatCap));
    painter.drawLine(QPointF(bars.left(), chance), QPointF(bars.right(), chance));
    painter.restore();
}

std::optional<std::int64_t> headAccuracyAt(const QRectF& box, const ProbeResult& result, const ChartStyle& style,
                                           QPointF place)
{
    const QRectF bars = barsBox(box, style);
    if (result.perHead.empty() || !bars.contains(place))
        return std::nullopt;
    const double share = (place.x() - bars.left()) / bars.width();
    const auto i = static_cast<std::size_t>(share * static_cast<double>(result.perHead.size()));
    return result.perHead[std::min(i, result.perHead.size() - 1)].head;
}

} // namespace headscope::viz
