// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/atlas/head_grid.h"

#include "viz/axis/text.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kGap = 6;
constexpr double kBracket = 5; ///< height of a KV group's bracket
constexpr double kPale = 0.25;

/// Black or white, readable on a colour.
QColor readableOn(QRgb ground)
{
    const double light = 0.299 * qRed(ground) + 0.587 * qGreen(ground) + 0.114 * qBlue(ground);
    constexpr double kMiddle = 140;
    return light > kMiddle ? Qt::black : Qt::white;
}

/// Every how many rows or columns a number is written.
std::int64_t stride(double each, double least)
{
    std::int64_t every = 1;
    for (const std::int64_t next : {1, 2, 4, 5, 8, 10, 20, 50})
    {
        every = next;
        if (each * static_cast<double>(next) >= least)
            break;
    }
    return every;
}

} // namespace

HeadGrid headGrid(const HeadMeasures& measures, std::string_view key, const std::vector<std::int64_t>& ranks,
                  const ModelInfo& info, const HeadPalette& palette)
{
    HeadGrid grid;
    grid.layers = measures.layers;
    grid.heads = measures.heads;
    grid.stage = measures.stage;
    grid.members = info.groupSize();
    grid.palette = palette;
    grid.colors = headColors(measures, key, info, palette);
    if (const HeadMeasure* const measure = measures.find(key))
        grid.values = measure->value;
    if (std::ssize(ranks) != measures.count())
        return grid;
    for (std::int64_t layer = 0; layer < grid.layers; ++layer)
    {
        std::vector<std::int64_t>& row = grid.order.emplace_back(static_cast<std::size_t>(grid.heads));
        std::iota(row.begin(), row.end(), std::int64_t{0});
        std::ranges::stable_sort(row, {}, [&](std::int64_t head) {
            const std::int64_t rank = ranks[static_cast<std::size_t>(layer * grid.heads + head)];
            return rank < 0 ? measures.count() : rank;
        });
    }
    return grid;
}

HeadGridLayout::HeadGridLayout(HeadGrid grid, const QRectF& box, const ChartStyle& style)
    : m_grid(std::move(grid)), m_style(style)
{
    const QFont small = textFont(style.textPx - 1);
    LegendStyle legendStyle;
    legendStyle.theme = style.theme;
    legendStyle.textPx = style.textPx;
    legendStyle.card = false;
    legendStyle.maxWidth = std::max(120.0, box.width() / 3);
    m_corner = box.topLeft();
    const double wanted = static_cast<double>(m_grid.layers) * 2 * style.textPx;
    m_legend = figureLegend(m_grid.colors.legend, legendStyle, box.size(), [wanted](double width) {
        return std::max({160.0, 0.7 * width, wanted});
    });
    const QRectF picture = m_legend.picture.translated(m_corner);
    const double left = textWidth(QStringLiteral("layer"), small) + kGap;
    const double top = 2 * lineHeight(small) + kBracket + kGap;
    m_cells = QRectF(picture.left() + left, picture.top() + top, std::max(0.0, picture.width() - left - kGap),
                     std::max(0.0, picture.height() - top - kGap));
    for (const auto& row : m_grid.order)
    {
        std::vector<std::int64_t>& columns = m_columns.emplace_back(row.size());
        for (std::size_t column = 0; column < row.size(); ++column)
            columns[static_cast<std::size_t>(row[column])] = static_cast<std::int64_t>(column);
    }
}

std::int64_t HeadGridLayout::headOf(std::int64_t layer, std::int64_t column) const
{
    return m_grid.order.empty() ? column
                                : m_grid.order[static_cast<std::size_t>(layer)][static_cast<std::size_t>(column)];
}

std::int64_t HeadGridLayout::columnOf(const HeadPlace& head) const
{
    return m_columns.empty() ? head.head
                             : m_columns[static_cast<std::size_t>(head.layer)][static_cast<std::size_t>(head.head)];
}

QRectF HeadGridLayout::rectOf(const HeadPlace& head) const
{
    const double width = m_cells.width() / static_cast<double>(std::max<std::int64_t>(1, m_grid.heads));
    const double height = m_cells.height() / static_cast<double>(std::max<std::int64_t>(1, m_grid.layers));
    return {m_cells.left() + width * static_cast<double>(columnOf(head)),
            m_cells.top() + height * static_cast<double>(head.layer), width, height};
}

std::optional<HeadPlace> HeadGridLayout::headAt(QPointF place) const
{
    if (!m_cells.contains(place) || m_grid.layers <= 0 || m_grid.heads <= 0)
        return std::nullopt;
    const auto part = [](double at, double from, double extent, std::int64_t count) {
        return std::clamp(static_cast<std::int64_t>((at - from) / extent * static_cast<double>(count)), std::int64_t{0},
                          count - 1);
    };
    const std::int64_t layer = part(place.y(), m_cells.top(), m_cells.height(), m_grid.layers);
    return HeadPlace{layer, headOf(layer, part(place.x(), m_cells.left(), m_cells.width(), m_grid.heads))};
}

HeadPlace HeadGridLayout::headBeside(const HeadPlace& from, int columns, int rows) const
{
    const std::int64_t layer = std::clamp<std::int64_t>(from.layer + rows, 0, m_grid.layers - 1);
    const std::int64_t column = std::clamp<std::int64_t>(columnOf(from) + columns, 0, m_grid.heads - 1);
    return {layer, headOf(layer, column)};
}

std::vector<HeadPlace> HeadGridLayout::headsIn(const QPolygonF& outline) const
{
    std::vector<HeadPlace> inside;
    for (std::int64_t layer = 0; layer < m_grid.layers; ++layer)
        for (std::int64_t head = 0; head < m_grid.heads; ++head)
            if (outline.containsPoint(rectOf({layer, head}).center(), Qt::OddEvenFill))
                inside.push_back({layer, head});
    return inside;
}

/// Numbers of layers at the left, of heads above.
void HeadGridLayout::paintNumbers(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const double line = lineHeight(small);
    const QRectF first = rectOf({0, headOf(0, 0)});
    const double left = m_cells.left() - kGap - 60;
    const std::int64_t everyRow = stride(first.height(), line);
    for (std::int64_t layer = 0; layer < m_grid.layers; layer += everyRow)
    {
        const QRectF cell = rectOf({layer, headOf(layer, 0)});
        drawLine(painter, {left, cell.center().y() - line / 2, 60, line}, QString::number(layer), small, ink.secondary,
                 Qt::AlignRight | Qt::AlignVCenter);
    }
    const double top = m_cells.top() - kBracket - kGap / 2 - line;
    const bool segments = m_grid.stage != Stage::HeadOutput;
    const QString what = !m_grid.order.empty()
                             ? (segments ? QStringLiteral("segments of each layer, similar patterns next to each other")
                                         : QStringLiteral("heads of each layer, similar patterns next to each other"))
                         : segments ? QStringLiteral("segment")
                                    : QStringLiteral("head");
    drawLine(painter, {m_cells.left(), top - line, m_cells.width(), line}, what, small, ink.secondary);
    drawLine(painter, {left, top - line, 60, line}, QStringLiteral("layer"), small, ink.secondary,
             Qt::AlignRight | Qt::AlignVCenter);
    if (!m_grid.order.empty())
        return;
    const std::int64_t everyColumn = stride(first.width(), textWidth(QString::number(m_grid.heads), small) + kGap);
    for (std::int64_t head = 0; head < m_grid.heads; head += everyColumn)
    {
        const QRectF cell = rectOf({0, head});
        drawLine(painter, {cell.center().x() - 20, top, 40, line}, QString::number(head + 1), small, ink.secondary,
                 Qt::AlignHCenter | Qt::AlignVCenter);
    }
}

void HeadGridLayout::paintBrackets(QPainter& painter) const
{
    if (!m_grid.order.empty() || m_grid.members <= 1 || m_grid.members >= m_grid.heads)
        return;
    for (std::int64_t first = 0; first < m_grid.heads; first += m_grid.members)
    {
        const QRectF from = rectOf({0, first});
        const QRectF to = rectOf({0, std::min(m_grid.heads, first + m_grid.members) - 1});
        painter.fillRect(
            QRectF(from.left() + 1, m_cells.top() - kBracket - 1, to.right() - from.left() - 2, kBracket - 2),
            m_grid.palette.groupColor(GroupIndex(first / m_grid.members)));
    }
}

void HeadGridLayout::paintCell(QPainter& painter, const HeadPlace& head, bool pale) const
{
    const std::size_t at = m_grid.colors.indexOf(head);
    const QRectF cell = rectOf(head);
    const double gap = std::min(1.0, 0.1 * cell.width());
    painter.setOpacity(pale ? kPale : 1.0);
    painter.fillRect(cell.adjusted(gap / 2, gap / 2, -gap / 2, -gap / 2), QColor::fromRgb(m_grid.colors.colors[at]));
    painter.setOpacity(1.0);
    QString text;
    if (!m_grid.order.empty())
        text = QString::number(head.head + 1);
    else if (!m_grid.values.empty() && m_grid.colors.known[at])
        text = shortNumber(m_grid.values(head.layer, head.head));
    if (text.isEmpty() || pale)
        return;
    constexpr double kLeast = 7;
    if (const auto font = fontThatFits(text, cell.size() - QSizeF(4, 2), m_style.textPx - 2, kLeast))
        drawLine(painter, cell, text, *font, readableOn(m_grid.colors.colors[at]), Qt::AlignHCenter | Qt::AlignVCenter);
}

void HeadGridLayout::paint(QPainter& painter, const HeadMarks& marks) const
{
    if (m_cells.width() <= 0 || m_cells.height() <= 0 || m_grid.layers <= 0 || m_grid.heads <= 0)
        return;
    painter.save();
    const Inks& ink = inks(m_style.theme);
    paintNumbers(painter);
    paintBrackets(painter);
    for (std::int64_t layer = 0; layer < m_grid.layers; ++layer)
        for (std::int64_t head = 0; head < m_grid.heads; ++head)
            paintCell(painter, {layer, head}, !marks.marked.empty() && !marks.isMarked({layer, head}));
    painter.setBrush(Qt::NoBrush);
    if (marks.layer && *marks.layer < m_grid.layers)
    {
        const QRectF first = rectOf({*marks.layer, headOf(*marks.layer, 0)});
        painter.setPen(QPen(ink.accent, 1));
        painter.drawRect(QRectF(m_cells.left(), first.top(), m_cells.width(), first.height()));
    }
    const auto frame = [&](const HeadPlace& head, const QColor& color) {
        if (head.layer >= m_grid.layers || head.head >= m_grid.heads)
            return;
        painter.setPen(QPen(color, 2));
        painter.drawRect(rectOf(head).adjusted(1, 1, -1, -1));
    };
    for (const HeadPlace& head : marks.chosen)
        frame(head, ink.accent);
    if (marks.hovered)
        frame(*marks.hovered, ink.ink);
    m_legend.paint(painter, m_corner);
    painter.restore();
}

} // namespace headscope::viz
