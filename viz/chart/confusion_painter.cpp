// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/confusion_painter.h"

#include "model/data/key_sharing.h"
#include "viz/axis/text.h"
#include "viz/color/color_map.h"
#include "viz/color/head_palette.h"
#include "viz/heatmap/cell_rects.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace headscope::viz
{
namespace
{

constexpr double kGap = 6;
constexpr double kBesideNumber = 3; ///< free in a cell
constexpr double kAboveNumber = 2;

QString percentText(double share)
{
    const double percent = 100 * share;
    return percent > 0 && percent < 0.5 ? QStringLiteral("<1") : QString::number(std::round(percent), 'f', 0);
}

} // namespace

ConfusionLayout::ConfusionLayout(const ProbeResult& result, const ModelInfo& info, const QRectF& box,
                                 const ConfusionStyle& style)
    : m_result(&result), m_info(info), m_grouped(groupedAt(info, result.stage.value_or(Stage::HeadOutput))),
      m_style(style), m_box(box), m_strip(std::max(3.0, 0.45 * style.chart.textPx))
{
    const QFont small = smallFont();
    const double line = lineHeight(small);
    double groupNames = 0;
    for (std::int64_t i = 0; i < classes(); ++i)
    {
        const GroupIndex group = m_info.heads > 0 ? m_grouped.groupOf(headOf(i)) : GroupIndex(0);
        if (m_blocks.empty() || m_blocks.back().group != group)
            m_blocks.push_back({i, i, group});
        m_blocks.back().end = i + 1;
        groupNames = std::max(groupNames, textWidth(groupName(group, m_grouped.groupSize()), small));
        const auto row = result.confusion.row(i);
        m_rowTotals.push_back(std::accumulate(row.begin(), row.end(), std::int64_t{0}));
    }
    const bool counts = style.values == ConfusionValues::Counts;
    if (!result.confusion.empty())
    {
        const auto& all = result.confusion.values();
        const auto most = counts ? *std::max_element(all.begin(), all.end())
                                 : *std::max_element(m_rowTotals.begin(), m_rowTotals.end());
        m_most = counts ? std::max(1.0, static_cast<double>(most)) : 1;
        m_least = counts ? 1 : 1 / std::max(1.0, static_cast<double>(most));
    }
    const double bar = 2 * kGap + m_strip + 4 +
                       textWidth(counts ? groupedNumber(static_cast<qint64>(m_most)) : QStringLiteral("100%"), small);
    const double below = m_strip + 2 + line + 2 + line;
    const double height = box.height() - below;
    const double names = line + kGap + groupNames + kGap + m_strip + 2; // axis title, group names, colours
    // Head numbers where a line of text fits a cell, and do not say what the group names say.
    const double numbers = textWidth(QString::number(m_info.heads), small) + 2 * kGap;
    const double withNumbers = std::max(0.0, std::min(box.width() - names - numbers - bar, height - line));
    const bool shown =
        m_grouped.groupSize() > 1 && classes() > 0 && withNumbers / static_cast<double>(classes()) >= line;
    m_headNames = shown ? numbers : 0;
    double side = shown ? withNumbers : std::max(0.0, std::min(box.width() - names - bar, height));
    // The first name stands in the middle of its block; where that is lower than a line of text, it rises above it.
    const double half = m_blocks.empty() ? 0.5
                                         : static_cast<double>(m_blocks.front().end) / 2 /
                                               static_cast<double>(std::max<std::int64_t>(1, classes()));
    side = std::min(side, std::max(0.0, (height - line / 2) / (1 - half)));
    const double rise = std::max(0.0, line / 2 - half * side);
    m_plot = QRectF(box.left() + names + m_headNames, box.top() + rise, side, side);
    m_cell = classes() > 0 ? side / static_cast<double>(classes()) : 0;
    m_bottom = m_plot.bottom() + below + (shown ? line : 0);
    m_bar = QRectF(m_plot.right() + 2 * kGap, m_plot.top(), m_strip, std::min(side, 12 * style.chart.textPx));
}

QFont ConfusionLayout::smallFont() const
{
    return textFont(m_style.chart.textPx - 1);
}

std::int64_t ConfusionLayout::classes() const
{
    return m_result == nullptr ? 0 : m_result->confusion.rows();
}

HeadIndex ConfusionLayout::headOf(std::int64_t number) const
{
    const auto index = static_cast<std::size_t>(number);
    return HeadIndex(index < m_result->perHead.size() ? m_result->perHead[index].head : number);
}

std::optional<ConfusionLayout::Cell> ConfusionLayout::cellAt(QPointF place) const
{
    if (classes() == 0 || !m_plot.contains(place))
        return std::nullopt;
    const auto index = [this](double offset) {
        return std::clamp(static_cast<std::int64_t>(offset / m_cell), std::int64_t{0}, classes() - 1);
    };
    return Cell(index(place.y() - m_plot.top()), index(place.x() - m_plot.left()));
}

QRectF ConfusionLayout::cellRect(Cell cell) const
{
    return {m_plot.left() + static_cast<double>(cell.second) * m_cell,
            m_plot.top() + static_cast<double>(cell.first) * m_cell, m_cell, m_cell};
}

double ConfusionLayout::shareOf(Cell cell) const
{
    const std::int64_t rows = m_rowTotals[static_cast<std::size_t>(cell.first)];
    return rows > 0 ? static_cast<double>(m_result->confusion(cell.first, cell.second)) / static_cast<double>(rows) : 0;
}

double ConfusionLayout::shadeOf(double value) const
{
    switch (m_style.scale)
    {
    case ShadeScale::Linear:
        return value / m_most;
    case ShadeScale::Root:
        return std::sqrt(value / m_most);
    case ShadeScale::Log:
        break;
    }
    if (m_least >= m_most || value <= 0)
        return value > 0 ? 1 : 0;
    // The least there can be stands out from nothing by a tenth of the scale.
    return 0.1 + 0.9 * std::log(value / m_least) / std::log(m_most / m_least);
}

double ConfusionLayout::shade(Cell cell) const
{
    return shadeOf(m_style.values == ConfusionValues::Counts
                       ? static_cast<double>(m_result->confusion(cell.first, cell.second))
                       : shareOf(cell));
}

QString ConfusionLayout::cellText(Cell cell) const
{
    const std::int64_t count = m_result->confusion(cell.first, cell.second);
    if (count == 0)
        return {};
    return m_style.values == ConfusionValues::Counts ? groupedNumber(count) : percentText(shareOf(cell));
}

QString ConfusionLayout::widestNumber() const
{
    if (m_style.values == ConfusionValues::Counts)
        return groupedNumber(static_cast<qint64>(std::max(1.0, m_most)));
    double most = 0;
    for (std::int64_t truth = 0; truth < classes(); ++truth)
        for (std::int64_t predicted = 0; predicted < classes(); ++predicted)
            most = std::max(most, shareOf({truth, predicted}));
    return most < 0.995 ? QStringLiteral("00") : QStringLiteral("100");
}

double ConfusionLayout::leastNumber() const
{
    return m_style.leastNumber > 0 ? m_style.leastNumber : m_style.chart.textPx - 1;
}

double ConfusionLayout::widthWithNumbers() const
{
    const QFont font = textFont(leastNumber());
    const double cell = std::max(textWidth(widestNumber(), font) + kBesideNumber, lineHeight(font) + kAboveNumber);
    return m_box.width() - m_plot.width() + cell * static_cast<double>(classes());
}

void ConfusionLayout::paint(QPainter& painter, double dpr) const
{
    if (classes() == 0 || m_plot.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    paintCells(painter, dpr);
    painter.setRenderHint(QPainter::Antialiasing);
    paintNumbers(painter);
    paintRules(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintColors(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paintLabels(painter);
    paintBar(painter);
    painter.restore();
}

void ConfusionLayout::paintCells(QPainter& painter, double dpr) const
{
    const Inks& ink = inks(m_style.chart.theme);
    const ColorMap map = sequentialMap(m_style.chart.theme);
    const auto count = static_cast<int>(classes());
    const auto colorOf = [&](int truth, int predicted) {
        return m_result->confusion(truth, predicted) > 0 ? map.at(shade({truth, predicted})) : ink.background.rgb();
    };
    if (paintsShapes(painter) && fewEnoughCells(count, count))
    {
        QImage small(count, count, QImage::Format_RGB32);
        for (int truth = 0; truth < count; ++truth)
            for (int predicted = 0; predicted < count; ++predicted)
                small.setPixel(predicted, truth, colorOf(truth, predicted));
        return paintCellRects(painter, m_plot, small);
    }
    // Whole device pixels per cell where they fit, so that all cells are equally large.
    const int side = std::max(count, static_cast<int>(m_plot.width() * dpr));
    QImage image(side, side, QImage::Format_RGB32);
    std::vector<QRgb> cells(static_cast<std::size_t>(count) * static_cast<std::size_t>(count));
    for (int truth = 0; truth < count; ++truth)
        for (int predicted = 0; predicted < count; ++predicted)
            cells[static_cast<std::size_t>(truth * count + predicted)] = colorOf(truth, predicted);
    for (int y = 0; y < side; ++y)
    {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < side; ++x)
            line[x] = cells[static_cast<std::size_t>(y * count / side * count + x * count / side)];
    }
    painter.drawImage(m_plot, image);
}

void ConfusionLayout::paintNumbers(QPainter& painter) const
{
    const auto font = fontThatFits(widestNumber(), {m_cell - kBesideNumber, m_cell - kAboveNumber},
                                   m_style.chart.textPx - 1, leastNumber());
    if (!font)
        return;
    const ColorMap map = sequentialMap(m_style.chart.theme);
    for (std::int64_t truth = 0; truth < classes(); ++truth)
        for (std::int64_t predicted = 0; predicted < classes(); ++predicted)
            if (const QString text = cellText({truth, predicted}); !text.isEmpty())
            {
                const bool dark = qGray(map.at(shade({truth, predicted}))) < 140;
                drawLine(painter, cellRect({truth, predicted}), text, *font, dark ? Qt::white : Qt::black,
                         Qt::AlignCenter);
            }
}

void ConfusionLayout::paintRules(QPainter& painter) const
{
    const Inks& ink = inks(m_style.chart.theme);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink.hairline, 0.7));
    for (std::size_t i = 1; i < m_blocks.size(); ++i)
    {
        const double offset = static_cast<double>(m_blocks[i].begin) * m_cell;
        painter.drawLine(QPointF(m_plot.left() + offset, m_plot.top()),
                         QPointF(m_plot.left() + offset, m_plot.bottom()));
        painter.drawLine(QPointF(m_plot.left(), m_plot.top() + offset), QPointF(m_plot.right(), m_plot.top() + offset));
    }
    painter.setPen(QPen(ink.secondary, 0.7));
    painter.drawRect(m_plot);
    painter.setPen(QPen(ink.ink, std::max(0.7, 0.1 * m_style.chart.textPx)));
    for (const Block& block : m_blocks)
        if (block.end - block.begin > 1 && m_blocks.size() > 1)
            painter.drawRect(cellRect({block.begin, block.begin}).united(cellRect({block.end - 1, block.end - 1})));
}

void ConfusionLayout::paintColors(QPainter& painter) const
{
    const HeadPalette palette(m_info, m_style.chart.theme);
    for (std::int64_t i = 0; i < classes(); ++i)
    {
        const double offset = static_cast<double>(i) * m_cell;
        const QColor color = palette.color(headOf(i));
        painter.fillRect(QRectF(m_plot.left() - 2 - m_strip, m_plot.top() + offset, m_strip, m_cell), color);
        painter.fillRect(QRectF(m_plot.left() + offset, m_plot.bottom() + 2, m_cell, m_strip), color);
    }
}

void ConfusionLayout::paintLabels(QPainter& painter) const
{
    const Inks& ink = inks(m_style.chart.theme);
    const QFont small = smallFont();
    const double line = lineHeight(small);
    const double numbersRight = m_plot.left() - 2 - m_strip - kGap;
    double below = m_plot.bottom() + 2 + m_strip + 1;
    if (m_headNames > 0)
    {
        for (std::int64_t i = 0; i < classes(); ++i)
        {
            const QString number = QString::number(shownNumber(headOf(i)));
            const double middle = (static_cast<double>(i) + 0.5) * m_cell;
            drawLine(painter, {numbersRight - m_headNames, m_plot.top() + middle - line / 2, m_headNames, line}, number,
                     small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
            drawLine(painter, {m_plot.left() + middle - m_cell / 2, below, m_cell, line}, number, small, ink.secondary,
                     Qt::AlignHCenter | Qt::AlignVCenter);
        }
        below += line;
    }
    const double namesLeft = m_box.left() + line;
    const double namesWidth = numbersRight - m_headNames - namesLeft;
    double freeBelow = m_plot.top();
    double freeRight = m_plot.left() - kGap;
    for (const Block& block : m_blocks)
    {
        const QString name = groupName(block.group, m_grouped.groupSize());
        const double middle = static_cast<double>(block.begin + block.end) / 2 * m_cell;
        const double top = m_plot.top() + middle - line / 2;
        if (top >= freeBelow - line / 2)
        {
            drawLine(painter, {namesLeft, top, namesWidth, line}, name, small, ink.secondary,
                     Qt::AlignRight | Qt::AlignVCenter);
            freeBelow = top + 1.5 * line;
        }
        const double width = textWidth(name, small) + 4;
        const double left = m_plot.left() + middle - width / 2;
        if (left >= freeRight)
        {
            drawLine(painter, {left, below, width, line}, name, small, ink.secondary,
                     Qt::AlignHCenter | Qt::AlignVCenter);
            freeRight = left + width;
        }
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

std::vector<std::pair<double, QString>> ConfusionLayout::barTicks() const
{
    std::vector<std::pair<double, QString>> ticks;
    if (m_style.values == ConfusionValues::RowShares)
    {
        static const std::vector<double> kPercents[] = {{0, 25, 50, 75, 100}, {0, 5, 25, 100}, {0.1, 1, 10, 100}};
        for (const double percent : kPercents[static_cast<std::size_t>(m_style.scale)])
            if (m_style.scale != ShadeScale::Log || percent / 100 >= m_least)
                ticks.emplace_back(percent / 100, QStringLiteral("%1%").arg(percent));
        return ticks;
    }
    const auto add = [&ticks](double value) { ticks.emplace_back(value, groupedNumber(static_cast<qint64>(value))); };
    if (m_style.scale == ShadeScale::Log)
    {
        for (double value = 1; value < m_most / 2; value *= 10)
            add(value);
    }
    else
    {
        add(0);
        if (m_most >= 4)
            add(std::round(m_most / (m_style.scale == ShadeScale::Root ? 4 : 2)));
    }
    add(m_most);
    return ticks;
}

void ConfusionLayout::paintBar(QPainter& painter) const
{
    const Inks& ink = inks(m_style.chart.theme);
    const QFont small = smallFont();
    const double line = lineHeight(small);
    const ColorMap map = sequentialMap(m_style.chart.theme);
    QImage ramp(1, ColorMap::kSteps, QImage::Format_RGB32);
    for (int i = 0; i < ColorMap::kSteps; ++i)
        ramp.setPixel(0, ColorMap::kSteps - 1 - i, map.step(i));
    painter.drawImage(m_bar, ramp);
    const auto ticks = barTicks();
    for (const auto& [value, text] : ticks)
    {
        const double y = m_bar.bottom() - m_bar.height() * shadeOf(value);
        if (value > ticks.front().first && m_bar.bottom() - y < 1.15 * line)
            continue; // would touch the lowest
        const double top = std::clamp(y - line / 2, m_bar.top() - line / 4, m_bar.bottom() - 0.75 * line);
        drawLine(painter, {m_bar.right() + 4, top, textWidth(text, small) + 1, line}, text, small, ink.secondary);
    }
}

void ConfusionLayout::paintFrame(QPainter& painter, Cell cell) const
{
    if (classes() == 0 || cell.first >= classes() || cell.second >= classes())
        return;
    const Inks& ink = inks(m_style.chart.theme);
    const QRectF own = cellRect(cell);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const QRectF& strip : {QRectF(m_plot.left(), own.top(), m_plot.width(), m_cell),
                                QRectF(own.left(), m_plot.top(), m_cell, m_plot.height())})
    {
        QColor pale = ink.accent;
        pale.setAlphaF(0.35F);
        painter.setPen(QPen(pale, 1));
        painter.drawRect(strip);
    }
    painter.setPen(QPen(ink.background, 4));
    painter.drawRect(own);
    painter.setPen(QPen(ink.accent, 2));
    painter.drawRect(own);
    painter.restore();
}

} // namespace headscope::viz
