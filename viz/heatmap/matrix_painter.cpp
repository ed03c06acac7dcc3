// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/matrix_painter.h"

#include "viz/axis/text.h"
#include "viz/heatmap/cell_rects.h"
#include "viz/heatmap/heatmap_image.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kGap = 6;
/// Names take at most this share of the width.
constexpr double kMaxNames = 0.4;

std::vector<std::int64_t> orderOr(const std::vector<std::int64_t>& order, std::int64_t count)
{
    const auto known = [count](std::int64_t item) { return item >= 0 && item < count; };
    if (!order.empty() && std::all_of(order.begin(), order.end(), known))
        return order;
    std::vector<std::int64_t> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

QString widestNumber(int decimals)
{
    return QStringLiteral("\u22120.") + QString(decimals, u'0');
}

constexpr double kAroundNumber = 4;

double leastNumberOf(const MatrixStyle& style)
{
    return style.leastNumber > 0 ? style.leastNumber : style.textPx - 1;
}

/// Black or white, whichever can be read on a colour.
QColor readableOn(QRgb color)
{
    const double luminance = 0.2126 * qRed(color) + 0.7152 * qGreen(color) + 0.0722 * qBlue(color);
    return luminance > 140 ? QColor(0x1f, 0x23, 0x28) : QColor(Qt::white);
}

} // namespace

MatrixLayout::MatrixLayout(const MatrixD& values, QStringList rowNames, QStringList columnNames, const QRectF& box,
                           MatrixStyle style)
    : m_values(&values), m_rowNames(std::move(rowNames)), m_columnNames(std::move(columnNames)),
      m_style(std::move(style)), m_rows(orderOr(m_style.rows, values.rows())),
      m_columns(orderOr(m_style.columns, values.cols()))
{
    const QFont small = textFont(m_style.textPx - 1);
    const double line = std::ceil(lineHeight(small));
    if (m_style.rowNames)
        for (const QString& name : std::as_const(m_rowNames))
            m_namesWidth = std::max(m_namesWidth, textWidth(name, small));
    m_namesWidth = std::min(m_namesWidth, kMaxNames * box.width());
    m_stripWidth = m_style.rowColors.empty() ? 0 : std::max(4.0, 0.55 * m_style.textPx) + 2;
    const double left = box.left() + m_namesWidth + (m_namesWidth > 0 ? kGap : 0) + m_stripWidth;
    double top = box.top();
    if (!m_style.title.isEmpty())
    {
        m_titleBox =
            QRectF(left, top, std::max(0.0, box.right() - left), std::ceil(lineHeight(textFont(m_style.textPx)) + 4));
        top = m_titleBox.bottom() + 2;
    }
    const double bottom = box.bottom() - (m_columnNames.isEmpty() ? 0 : line + 4);
    m_plot = QRectF(left, top, std::max(0.0, box.right() - left), std::max(0.0, bottom - top));
    if (m_style.square && !m_rows.empty() && !m_columns.empty())
    {
        const double side = std::min(m_plot.width() / static_cast<double>(m_columns.size()),
                                     m_plot.height() / static_cast<double>(m_rows.size()));
        m_plot.setSize(QSizeF(side * static_cast<double>(m_columns.size()), side * static_cast<double>(m_rows.size())));
    }
    m_namesBox = QRectF(left, m_plot.bottom() + 4, m_plot.width(), m_columnNames.isEmpty() ? 0 : line);
}

double MatrixLayout::widthOfNumbers(const MatrixStyle& style)
{
    return textWidth(widestNumber(style.decimals), textFont(leastNumberOf(style))) + kAroundNumber;
}

std::int64_t MatrixLayout::placeOf(const std::vector<std::int64_t>& order, std::int64_t item) const
{
    return std::find(order.begin(), order.end(), item) - order.begin();
}

QRectF MatrixLayout::cellRect(HeatmapCell cell) const
{
    if (m_rows.empty() || m_columns.empty())
        return {};
    const double width = m_plot.width() / static_cast<double>(m_columns.size());
    const double height = m_plot.height() / static_cast<double>(m_rows.size());
    return {m_plot.left() + static_cast<double>(placeOf(m_columns, cell.column)) * width,
            m_plot.top() + static_cast<double>(placeOf(m_rows, cell.row)) * height, width, height};
}

std::optional<HeatmapCell> MatrixLayout::cellAt(QPointF place) const
{
    if (m_rows.empty() || m_columns.empty() || place.x() < m_plot.left() || place.x() >= m_plot.right() ||
        place.y() < m_plot.top() || place.y() >= m_plot.bottom())
        return std::nullopt;
    const auto at = [](double share, const std::vector<std::int64_t>& order) {
        return order[std::min(order.size() - 1, static_cast<std::size_t>(share * static_cast<double>(order.size())))];
    };
    return HeatmapCell{at((place.y() - m_plot.top()) / m_plot.height(), m_rows),
                       at((place.x() - m_plot.left()) / m_plot.width(), m_columns)};
}

std::optional<std::int64_t> MatrixLayout::rowNameAt(QPointF place) const
{
    if (place.x() >= m_plot.left() || place.x() < m_plot.left() - m_stripWidth - m_namesWidth - kGap)
        return std::nullopt;
    const auto cell = cellAt({m_plot.left(), place.y()});
    return cell ? std::optional(cell->row) : std::nullopt;
}

std::optional<std::int64_t> MatrixLayout::columnNameAt(QPointF place) const
{
    if (place.y() < m_plot.bottom() || place.y() > m_namesBox.bottom() + 2)
        return std::nullopt;
    const auto cell = cellAt({place.x(), m_plot.top()});
    return cell ? std::optional(cell->column) : std::nullopt;
}

void MatrixLayout::paintCells(QPainter& painter, double dpr) const
{
    MatrixF ordered(static_cast<std::int64_t>(m_rows.size()), static_cast<std::int64_t>(m_columns.size()));
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        for (std::size_t column = 0; column < m_columns.size(); ++column)
            ordered(static_cast<std::int64_t>(row), static_cast<std::int64_t>(column)) =
                static_cast<float>((*m_values)(m_rows[row], m_columns[column]));
    std::vector<std::int64_t> rows(m_rows.size());
    std::iota(rows.begin(), rows.end(), 0);
    const auto columnCount = static_cast<int>(ordered.cols());
    const auto rowCount = static_cast<int>(ordered.rows());
    if (paintsShapes(painter) && fewEnoughCells(columnCount, rowCount))
    {
        const HeatmapRaster cells =
            heatmapImage(ordered.view(), rows, 0, ordered.cols(), m_style.scale, m_style.theme, columnCount, rowCount);
        return paintCellRects(painter, m_plot, cells.image);
    }
    const auto at = [dpr](double place) { return static_cast<int>(std::lround(place * dpr)); };
    const QRect pixels(QPoint(at(m_plot.left()), at(m_plot.top())),
                       QPoint(at(m_plot.right()) - 1, at(m_plot.bottom()) - 1));
    const HeatmapRaster raster = heatmapImage(ordered.view(), rows, 0, ordered.cols(), m_style.scale, m_style.theme,
                                              pixels.width(), pixels.height());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    if (!raster.image.isNull())
        painter.drawImage(QRectF(pixels.left() / dpr, pixels.top() / dpr, pixels.width() / dpr, pixels.height() / dpr),
                          raster.image);
}

void MatrixLayout::paintNumbers(QPainter& painter) const
{
    const QSizeF room(m_plot.width() / static_cast<double>(m_columns.size()) - kAroundNumber,
                      m_plot.height() / static_cast<double>(m_rows.size()));
    const auto font = fontThatFits(widestNumber(m_style.decimals), room, m_style.textPx - 1, leastNumberOf(m_style));
    if (!m_style.numbers || !font)
        return;
    for (const std::int64_t row : m_rows)
        for (const std::int64_t column : m_columns)
        {
            const double value = (*m_values)(row, column);
            if (!std::isfinite(value))
                continue;
            drawLine(painter, cellRect({row, column}), fixedNumber(value, m_style.decimals), *font,
                     readableOn(m_style.scale.color(value)), Qt::AlignCenter);
        }
}

void MatrixLayout::paintNames(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const QFont bold = textFont(m_style.textPx - 1, QFont::DemiBold);
    const double line = lineHeight(small);
    double freeFrom = -1e9;
    for (const std::int64_t row : m_rows)
    {
        const QRectF cell = cellRect({row, m_columns.front()});
        if (static_cast<std::size_t>(row) < m_style.rowColors.size())
        {
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.fillRect(QRectF(m_plot.left() - m_stripWidth, cell.top(), m_stripWidth - 2, cell.height()),
                             m_style.rowColors[static_cast<std::size_t>(row)]);
            painter.setRenderHint(QPainter::Antialiasing);
        }
        const double top = cell.center().y() - line / 2;
        if (!m_style.rowNames || row >= m_rowNames.size() || top < freeFrom)
            continue;
        drawLine(painter, {m_plot.left() - m_stripWidth - kGap - m_namesWidth, top, m_namesWidth, line},
                 m_rowNames[static_cast<qsizetype>(row)], small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
        freeFrom = top + 0.85 * line;
    }
    freeFrom = m_plot.left() - kGap;
    for (const std::int64_t column : m_columns)
    {
        if (column >= m_columnNames.size())
            continue;
        const QString& name = m_columnNames[static_cast<qsizetype>(column)];
        const double width = textWidth(name, bold);
        const double start = cellRect({m_rows.front(), column}).center().x() - width / 2;
        if (start < freeFrom || start + width > m_plot.right() + kGap)
            continue;
        drawLine(painter, {start, m_namesBox.top(), width, m_namesBox.height()}, name, bold, ink.ink);
        freeFrom = start + width + 2;
    }
}

void MatrixLayout::paintBlocks(QPainter& painter) const
{
    painter.setBrush(Qt::NoBrush);
    const double width = m_plot.width() / static_cast<double>(m_columns.size());
    const double height = m_plot.height() / static_cast<double>(m_rows.size());
    for (const auto& [begin, end] : m_style.blocks)
    {
        const auto first = static_cast<double>(begin);
        const auto count = static_cast<double>(end - begin);
        const QRectF block(m_plot.left() + first * width, m_plot.top() + first * height, count * width, count * height);
        painter.setPen(QPen(inks(m_style.theme).background, 3.4));
        painter.drawRect(block);
        painter.setPen(QPen(inks(m_style.theme).ink, 1.6));
        painter.drawRect(block);
    }
}

void MatrixLayout::paint(QPainter& painter, double dpr) const
{
    if (m_values == nullptr || m_rows.empty() || m_columns.empty() || m_plot.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_titleBox.isEmpty())
        drawLine(painter, m_titleBox, m_style.title, textFont(m_style.textPx, QFont::DemiBold),
                 inks(m_style.theme).ink);
    paintCells(painter, dpr);
    paintNumbers(painter);
    paintNames(painter);
    paintBlocks(painter);
    painter.restore();
}

void MatrixLayout::paintFrame(QPainter& painter, const QRectF& cell) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(inks(m_style.theme).background, 3));
    painter.drawRect(cell);
    painter.setPen(QPen(inks(m_style.theme).ink, 1.4));
    painter.drawRect(cell);
    painter.restore();
}

} // namespace headscope::viz
