// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/probe_painter.h"

#include "viz/axis/text.h"
#include "viz/color/color_map.h"
#include "viz/color/head_palette.h"

#include <QImage>
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

/// Share of a true head's rows that were given each prediction; 0 for a head without rows.
double shareOf(const ProbeResult& result, std::int64_t truth, std::int64_t predicted)
{
    std::int64_t rows = 0;
    for (const std::int64_t count : result.confusion.row(truth))
        rows += count;
    return rows > 0 ? static_cast<double>(result.confusion(truth, predicted)) / static_cast<double>(rows) : 0;
}

/// The part of a bar chart's box that holds the bars.
QRectF barsBox(const QRectF& box, const ChartStyle& style)
{
    const QFont small = textFont(style.textPx - 1);
    const double left = textWidth(QStringLiteral("100 %"), small) + kGap;
    const double line = lineHeight(small);
    return {box.left() + left, box.top() + line / 2, std::max(0.0, box.width() - left),
            std::max(0.0, box.height() - 1.5 * line - kGap)};
}

} // namespace

TextTable probeTable(std::span<const ProbeResult> results)
{
    TextTable table;
    table.header = {QStringLiteral("Stage"),         QStringLiteral("Layer"),
                    QStringLiteral("Accuracy"),      QStringLiteral("95 %"),
                    QStringLiteral("Macro F1"),      QStringLiteral("Errors in group"),
                    QStringLiteral("across groups"), QStringLiteral("Train / test rows")};
    for (const ProbeResult& result : results)
        table.rows.push_back(
            {stageText(result), layerText(result), fixed(result.accuracy),
             fixed(result.ci95Low) + QStringLiteral("\u2013") + fixed(result.ci95High), fixed(result.macroF1),
             fixed(result.withinGroupError), fixed(result.acrossGroupError),
             groupedNumber(result.trainRows) + QStringLiteral(" / ") + groupedNumber(result.testRows)});
    return table;
}

double paintTable(QPainter& painter, const QRectF& box, const TextTable& table, const ChartStyle& style)
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

ConfusionLayout::ConfusionLayout(const ProbeResult& result, const ModelInfo& info, const QRectF& box,
                                 const ChartStyle& style)
    : m_result(&result), m_info(info), m_style(style), m_box(box), m_strip(std::max(3.0, 0.45 * style.textPx))
{
    const QFont small = textFont(style.textPx - 1);
    const double line = lineHeight(small);
    double names = 0;
    for (std::int64_t group = 0; group < std::max<std::int64_t>(1, info.kvHeads); ++group)
        names = std::max(names, textWidth(groupName(GroupIndex(group), m_info.groupSize()), small));
    const double left = line + names + kGap + m_strip + 2; // axis title, group names, colours
    const double bar = 2 * kGap + m_strip + 4 + textWidth(QStringLiteral("100 %"), small);
    const double below = m_strip + 2 + line + 2 + line;
    const double side = std::max(0.0, std::min(box.width() - left - bar, box.height() - below));
    m_plot = QRectF(box.left() + left, box.top(), side, side);
    m_bottom = m_plot.bottom() + below;
    m_bar = QRectF(m_plot.right() + 2 * kGap, m_plot.top(), m_strip, std::min(side, 12 * style.textPx));
}

std::int64_t ConfusionLayout::numHeads() const
{
    return m_result == nullptr ? 0 : m_result->confusion.rows();
}

std::optional<std::pair<std::int64_t, std::int64_t>> ConfusionLayout::cellAt(QPointF place) const
{
    if (numHeads() == 0 || !m_plot.contains(place))
        return std::nullopt;
    const auto index = [this](double share) {
        return std::clamp(static_cast<std::int64_t>(share * static_cast<double>(numHeads())), std::int64_t{0},
                          numHeads() - 1);
    };
    return std::pair(index((place.y() - m_plot.top()) / m_plot.height()),
                     index((place.x() - m_plot.left()) / m_plot.width()));
}

void ConfusionLayout::paint(QPainter& painter, double dpr) const
{
    if (numHeads() == 0 || m_plot.isEmpty())
        return;
    const Inks& ink = inks(m_style.theme);
    const ColorMap map = sequentialMap(m_style.theme);
    const auto count = static_cast<int>(numHeads());
    // Whole device pixels per cell where they fit, so that all cells are equally large.
    const int side = std::max(count, static_cast<int>(m_plot.width() * dpr));
    QImage image(side, side, QImage::Format_RGB32);
    std::vector<QRgb> cells(static_cast<std::size_t>(count) * static_cast<std::size_t>(count));
    for (int truth = 0; truth < count; ++truth)
        for (int predicted = 0; predicted < count; ++predicted)
        {
            const double share = shareOf(*m_result, truth, predicted);
            cells[static_cast<std::size_t>(truth * count + predicted)] =
                share > 0 ? map.at(std::sqrt(share)) : ink.background.rgb();
        }
    for (int y = 0; y < side; ++y)
    {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < side; ++x)
            line[x] = cells[static_cast<std::size_t>(y * count / side * count + x * count / side)];
    }
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(m_plot, image);
    painter.setRenderHint(QPainter::Antialiasing);
    const double cell = m_plot.width() / count;
    const std::int64_t members = std::max<std::int64_t>(1, m_info.groupSize());
    painter.setPen(QPen(ink.hairline, 0.7));
    for (std::int64_t head = members; head < count; head += members)
    {
        const double offset = static_cast<double>(head) * cell;
        painter.drawLine(QPointF(m_plot.left() + offset, m_plot.top()),
                         QPointF(m_plot.left() + offset, m_plot.bottom()));
        painter.drawLine(QPointF(m_plot.left(), m_plot.top() + offset), QPointF(m_plot.right(), m_plot.top() + offset));
    }
    painter.setPen(QPen(ink.secondary, 0.7));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_plot);
    paintLabels(painter);
    paintBar(painter);
    painter.restore();
}

void ConfusionLayout::paintLabels(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const double line = lineHeight(small);
    const HeadPalette palette(m_info, m_style.theme);
    const double cell = m_plot.width() / static_cast<double>(numHeads());
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::int64_t head = 0; head < numHeads(); ++head)
    {
        const double offset = static_cast<double>(head) * cell;
        const QColor color = palette.color(HeadIndex(head));
        painter.fillRect(QRectF(m_plot.left() - 2 - m_strip, m_plot.top() + offset, m_strip, cell), color);
        painter.fillRect(QRectF(m_plot.left() + offset, m_plot.bottom() + 2, cell, m_strip), color);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const std::int64_t members = palette.members();
    const double groupSide = cell * static_cast<double>(members);
    const double nameWidth = textWidth(groupName(GroupIndex(palette.groups() - 1), members), small) + 4;
    const auto stepFor = [groupSide](double room) {
        return static_cast<std::int64_t>(std::max(1.0, std::ceil(room / std::max(0.1, groupSide))));
    };
    const double namesLeft = m_box.left() + line;
    const double namesWidth = m_plot.left() - 2 - m_strip - kGap - namesLeft;
    const double below = m_plot.bottom() + 2 + m_strip + 1;
    for (std::int64_t group = 0; group * members < numHeads(); ++group)
    {
        const double middle = (static_cast<double>(group) + 0.5) * groupSide;
        if (group % stepFor(line) == 0)
            drawLine(painter, {namesLeft, m_plot.top() + middle - line / 2, namesWidth, line},
                     groupName(GroupIndex(group), m_info.groupSize()), small, ink.secondary,
                     Qt::AlignRight | Qt::AlignVCenter);
        if (group % stepFor(nameWidth) == 0)
            drawLine(painter, {m_plot.left() + middle - nameWidth / 2, below, nameWidth, line},
                     groupName(GroupIndex(group), m_info.groupSize()), small, ink.secondary,
                     Qt::AlignHCenter | Qt::AlignVCenter);
    }
    drawLine(painter, {m_plot.left(), below + line, m_plot.width(), line}, QStringLiteral("predicted"), small, ink.ink,
             Qt::AlignHCenter | Qt::AlignVCenter);
    painter.save();
    painter.translate(m_box.left(), m_plot.center().y());
    painter.rotate(-90);
    drawLine(painter, {-m_plot.height() / 2, 0, m_plot.height(), line}, QStringLiteral("true"), small, ink.ink,
             Qt::AlignHCenter | Qt::AlignVCenter);
    painter.restore();
}

void ConfusionLayout::paintBar(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const double line = lineHeight(small);
    const ColorMap map = sequentialMap(m_style.theme);
    QImage ramp(1, ColorMap::kSteps, QImage::Format_RGB32);
    for (int i = 0; i < ColorMap::kSteps; ++i)
        ramp.setPixel(0, ColorMap::kSteps - 1 - i, map.step(i));
    painter.drawImage(m_bar, ramp);
    for (const int percent : {0, 5, 25, 100})
    {
        const double y = m_bar.bottom() - m_bar.height() * std::sqrt(percent / 100.0);
        const double top = std::clamp(y - line / 2, m_bar.top() - line / 4, m_bar.bottom() - 0.75 * line);
        drawLine(painter, {m_bar.right() + 4, top, textWidth(QStringLiteral("100 %"), small), line},
                 QStringLiteral("%1 %").arg(percent), small, ink.secondary);
    }
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
                 QStringLiteral("%1 %").arg(percent), small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
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
        const QString number = QString::number(shownNumber(HeadIndex(score.head)));
        const double width = textWidth(number, small);
        const double middle = left + pitch / 2;
        if (middle - width / 2 < freeFrom)
            continue;
        drawLine(painter, {middle - width / 2, bars.bottom() + 3, width, line}, number, small, ink.secondary);
        freeFrom = middle + width / 2 + 3;
    }
    const double mean = bars.bottom() - bars.height() * std::clamp(result.accuracy, 0.0, 1.0);
    painter.setPen(QPen(ink.ink, 0.8, Qt::DashLine));
    painter.drawLine(QPointF(bars.left(), mean), QPointF(bars.right(), mean));
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
