// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_painter.h"

#include "viz/axis/text.h"
#include "viz/color/head_palette.h"
#include "viz/heatmap/heatmap_image.h"
#include "viz/heatmap/heatmap_scale.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

namespace headscope::viz
{
namespace
{

/// A rectangle moved to whole device pixels, so that neighbours share an edge and nothing blurs.
QRect devicePixels(const QRectF& box, double dpr)
{
    const auto at = [dpr](double place) { return static_cast<int>(std::lround(place * dpr)); };
    return {QPoint(at(box.left()), at(box.top())), QPoint(at(box.right()) - 1, at(box.bottom()) - 1)};
}

QRectF fromDevice(const QRect& box, double dpr)
{
    return {box.left() / dpr, box.top() / dpr, box.width() / dpr, box.height() / dpr};
}

/// The brackets of a tree; `at(place, height)` is where a leaf's place and a height lie.
template <class At>
void drawTree(QPainter& painter, const ClusterTree& tree, At at)
{
    const std::size_t leaves = tree.order.size();
    std::vector<double> place(leaves + tree.joins.size());
    std::vector<double> height(place.size(), 0.0);
    for (std::size_t i = 0; i < leaves; ++i)
        place[static_cast<std::size_t>(tree.order[i])] = static_cast<double>(i);
    for (std::size_t i = 0; i < tree.joins.size(); ++i)
    {
        const auto first = static_cast<std::size_t>(tree.joins[i].first);
        const auto second = static_cast<std::size_t>(tree.joins[i].second);
        place[leaves + i] = (place[first] + place[second]) / 2;
        height[leaves + i] = tree.joins[i].height;
        const double top = tree.joins[i].height;
        painter.drawPolyline(QPolygonF{at(place[first], height[first]), at(place[first], top), at(place[second], top),
                                       at(place[second], height[second])});
    }
}

} // namespace

void HeatmapPainter::paintBlock(QPainter& painter, std::size_t topic, const QRectF& area,
                                std::span<const std::int64_t> rows, double rowBegin, double rowEnd, double dpr) const
{
    const QRectF& whole = m_layout.topics()[topic];
    const QRectF shown(QPointF(std::max(whole.left(), m_at.plot.left()), area.top()),
                       QPointF(std::min(whole.right(), m_at.plot.right()), area.bottom()));
    if (shown.width() <= 0)
        return;
    const QRect pixels = devicePixels(shown, dpr);
    HeatmapPart part;
    part.rows = rows;
    part.rowBegin = rowBegin;
    part.rowEnd = rowEnd;
    part.firstColumn = m_layout.heatmap().topicStart[topic];
    part.lastColumn = m_layout.heatmap().topicStart[topic + 1];
    // A whole topic fills its pixels from edge to edge; a cut one begins inside of a column.
    const auto at = [&](double x) {
        return static_cast<double>(part.firstColumn) + (x - whole.left()) / m_layout.columnWidth();
    };
    part.columnBegin = whole.left() >= m_at.plot.left() ? static_cast<double>(part.firstColumn) : at(shown.left());
    part.columnEnd =
        whole.right() <= m_at.plot.right() + 1e-6 ? static_cast<double>(part.lastColumn) : at(shown.right());
    part.width = pixels.width();
    part.height = pixels.height();
    part.pooling = m_layout.style().pooling;
    part.lit = m_lit;
    part.numThreads = m_layout.style().numThreads;
    const HeatmapRaster raster = heatmapPart(*m_cells, part, m_layout.scale(), m_layout.style().theme);
    if (!raster.image.isNull())
        painter.drawImage(fromDevice(pixels, dpr), raster.image);
}

void HeatmapPainter::paintCells(QPainter& painter, double dpr) const
{
    static constexpr std::int64_t kFull[] = {0};
    const double heads = static_cast<double>(m_at.order.size());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    for (std::size_t topic = 0; topic < m_layout.topics().size(); ++topic)
    {
        paintBlock(painter, topic, m_layout.rowRect(0), kFull, 0, 1, dpr);
        paintBlock(painter, topic, m_at.headsArea(), m_at.order, m_layout.window().firstRow,
                   std::min(heads, m_layout.window().firstRow + heads / m_layout.window().rowZoom), dpr);
    }
}

void HeatmapPainter::paintRowNames(QPainter& painter) const
{
    const Inks& ink = inks(m_layout.style().theme);
    const QFont small = textFont(m_layout.style().textPx - 1);
    const double line = lineHeight(small);
    const double stripLeft = m_at.plot.left() - 2 - m_at.stripWidth;
    const QRectF full = m_layout.rowRect(0);
    const double fullRight = stripLeft - (m_at.brackets.empty() ? kHeatmapGap : m_at.numberWidth + 2 * kHeatmapGap);
    drawLine(painter, {m_at.box.left(), full.center().y() - line / 2, fullRight - m_at.box.left(), line},
             QStringLiteral("full"), small, ink.secondary,
             m_at.brackets.empty() ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    const QRectF area = m_at.headsArea();
    const HeadPalette palette(m_layout.info(), m_layout.style().theme);
    painter.save();
    painter.setClipRect(QRectF(m_at.box.left(), area.top() - (m_layout.window().rowZoom > 1 ? 0 : line),
                               m_at.box.width(), area.height() + (m_layout.window().rowZoom > 1 ? 0 : 2 * line)));
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const bool numbers = m_at.numberWidth > 0 && (m_layout.rowHeight() >= 0.72 * line || m_at.brackets.empty());
    const auto every =
        static_cast<std::int64_t>(std::max(1.0, std::ceil(0.85 * line / std::max(0.05, m_layout.rowHeight()))));
    for (std::int64_t i = 0; i < m_layout.headsShown(); ++i)
    {
        const QRectF row = m_layout.rowRect(m_layout.rowAtPlace(i));
        if (row.bottom() < area.top() || row.top() > area.bottom())
            continue;
        painter.fillRect(QRectF(stripLeft, row.top(), m_at.stripWidth, row.height()),
                         palette.color(HeadIndex(m_layout.rowAtPlace(i) - 1)));
        const double top = row.center().y() - line / 2;
        if (numbers && i % every == 0 && (m_layout.window().rowZoom > 1 || top + line <= m_at.plot.bottom() + line / 2))
            drawLine(painter, {stripLeft - m_at.numberWidth, top, m_at.numberWidth - 3, line},
                     QString::number(m_layout.rowAtPlace(i)), small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintBrackets(painter);
    painter.restore();
}

void HeatmapPainter::paintBrackets(QPainter& painter) const
{
    const Inks& ink = inks(m_layout.style().theme);
    const QFont small = textFont(m_layout.style().textPx - 1);
    const double textHeight = lineHeight(small);
    const double right = m_at.plot.left() - 2 - m_at.stripWidth - m_at.numberWidth - 3;
    const double names = right - kHeatmapGap;
    double freeFrom = m_layout.window().rowZoom > 1 ? -1e9 : m_layout.rowRect(0).center().y() + textHeight / 2 - 3;
    const bool grouped = m_layout.grouped().groupSize() > 1;
    for (const HeatmapBracket& bracket : m_at.brackets)
    {
        const double top = m_layout.rowRect(m_layout.rowAtPlace(bracket.begin)).top();
        const double bottom = m_layout.rowRect(m_layout.rowAtPlace(bracket.end - 1)).bottom();
        if (grouped && bottom - top >= 3)
        {
            QColor line = ink.secondary;
            line.setAlpha(150);
            painter.setPen(QPen(line, 1));
            const double x = std::floor(right) + 0.5;
            painter.drawPolyline(QPolygonF{QPointF(x + 2.5, top + 1), QPointF(x, top + 1), QPointF(x, bottom - 1),
                                           QPointF(x + 2.5, bottom - 1)});
        }
        const double middle = (top + bottom) / 2;
        if (middle - textHeight / 2 < freeFrom || middle + textHeight / 2 > m_at.plot.bottom() + textHeight / 2)
            continue;
        if (grouped || m_at.numberWidth <= 0)
            drawLine(painter, {m_at.box.left(), middle - textHeight / 2, names - m_at.box.left(), textHeight},
                     groupName(GroupIndex(bracket.group), m_layout.grouped().groupSize()), small, ink.secondary);
        freeFrom = middle + 0.4 * textHeight;
    }
}

void HeatmapPainter::paintMarks(QPainter& painter) const
{
    if (m_at.marks.height() <= 0 || m_lit.empty())
        return;
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto [first, last] = m_layout.visibleColumns();
    const QColor accent = inks(m_layout.style().theme).accent;
    for (std::int64_t column = first; column < last; ++column)
    {
        if (m_lit[static_cast<std::size_t>(column)] == 0)
            continue;
        const QRectF cell = m_layout.cellRect({0, column});
        const double left = std::max(cell.left(), m_at.plot.left());
        const double width = std::max(1.0, std::min(cell.right(), m_at.plot.right()) - left);
        painter.fillRect(QRectF(left, m_at.marks.top() + 1, width, m_at.marks.height() - 3), accent);
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void HeatmapPainter::paintColumnTrees(QPainter& painter) const
{
    double highest = 0;
    for (const ClusterTree& tree : m_layout.heatmap().columnTrees)
        for (const ClusterTree::Join& join : tree.joins)
            highest = std::max(highest, join.height);
    if (m_at.columnTree.height() <= 0 || !(highest > 0))
        return;
    painter.save();
    painter.setClipRect(m_at.columnTree.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(inks(m_layout.style().theme).secondary, 0.8));
    for (std::size_t topic = 0; topic < m_layout.topics().size() && topic < m_layout.heatmap().columnTrees.size();
         ++topic)
    {
        const ClusterTree& tree = m_layout.heatmap().columnTrees[topic];
        if (!m_layout.topics()[topic].intersects(m_at.plot))
            continue;
        drawTree(painter, tree, [&](double place, double height) {
            return QPointF(m_layout.topics()[topic].left() + (place + 0.5) * m_layout.columnWidth(),
                           m_at.columnTree.bottom() - height / highest * (m_at.columnTree.height() - 1));
        });
    }
    painter.restore();
}

void HeatmapPainter::paintHeadTree(QPainter& painter) const
{
    if (m_layout.style().tree == nullptr || m_at.headTree.width() <= 0 ||
        m_layout.style().tree->order.size() != m_at.order.size())
        return;
    double highest = 0;
    for (const ClusterTree::Join& join : m_layout.style().tree->joins)
        highest = std::max(highest, join.height);
    if (!(highest > 0))
        return;
    const QRectF area = m_at.headsArea();
    painter.save();
    painter.setClipRect(m_at.headTree.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(inks(m_layout.style().theme).secondary, 0.9));
    drawTree(painter, *m_layout.style().tree, [&](double place, double height) {
        return QPointF(m_at.headTree.left() + height / highest * (m_at.headTree.width() - 1),
                       area.top() + (place + 0.5 - m_layout.window().firstRow) * m_layout.rowHeight());
    });
    painter.restore();
}

void HeatmapPainter::paintKey(QPainter& painter) const
{
    const Inks& ink = inks(m_layout.style().theme);
    const QFont bold = textFont(m_layout.style().textPx - 1, QFont::DemiBold);
    const QFont small = textFont(m_layout.style().textPx - 1);
    double offset = 0; // names stand under each other, whatever their letters
    for (std::size_t topic = 0; topic < m_at.keyBoxes.size(); ++topic)
        offset = std::max(offset, textWidth(topicLetter(static_cast<std::int64_t>(topic)), bold) + kHeatmapGap);
    for (std::size_t topic = 0; topic < m_at.keyBoxes.size(); ++topic)
    {
        const QString letter = topicLetter(static_cast<std::int64_t>(topic));
        const double width = textWidth(letter, bold);
        const QRectF box = m_at.keyBoxes[topic];
        drawLine(painter, {box.left(), box.top(), width, box.height()}, letter, bold, ink.ink);
        drawLine(
            painter,
            {box.left() + offset, box.top(), std::max(1.0, box.width() - offset + 2 * kHeatmapGap - 4), box.height()},
            QString::fromStdString(m_layout.heatmap().topicNames[topic]), small, ink.secondary);
    }
}

void HeatmapPainter::paintLetters(QPainter& painter) const
{
    const QFont bold = textFont(m_layout.style().textPx - 1, QFont::DemiBold);
    double freeFrom = m_at.plot.left() - kHeatmapGap;
    for (std::size_t topic = 0; topic < m_layout.topics().size(); ++topic)
    {
        // In the middle of what is to be seen of the topic.
        const double left = std::max(m_layout.topics()[topic].left(), m_at.plot.left());
        const double right = std::min(m_layout.topics()[topic].right(), m_at.plot.right());
        const QString letter = topicLetter(static_cast<std::int64_t>(topic));
        const double width = textWidth(letter, bold);
        const double start = (left + right - width) / 2;
        if (right <= left || start < freeFrom ||
            start + width > m_at.box.right()) // narrow topics: not on top of others
            continue;
        drawLine(painter, {start, m_at.letters.top(), width, m_at.letters.height()}, letter, bold,
                 inks(m_layout.style().theme).ink);
        freeFrom = start + width + 2;
    }
}

void HeatmapPainter::paintColorBar(QPainter& painter) const
{
    const Inks& ink = inks(m_layout.style().theme);
    const QFont small = textFont(m_layout.style().textPx - 1);
    const ScaleLimits limits = m_layout.scale().limits();
    QImage ramp(1, ColorMap::kSteps, QImage::Format_RGB32);
    for (int i = 0; i < ColorMap::kSteps; ++i)
        ramp.setPixel(0, i, m_layout.scale().color(std::lerp(limits.high, limits.low, i / (ColorMap::kSteps - 1.0))));
    painter.drawImage(m_at.bar, ramp);
    const double line = lineHeight(small);
    const QString& title = heatmapScaleTitle();
    drawLine(painter, {m_at.bar.left(), m_at.bar.top() - line - 2, m_at.box.right() - m_at.bar.left(), line}, title,
             small, ink.ink);
    // Both ends, and the number whose colour is white.
    const double extent = limits.high - limits.low;
    for (const double value : {limits.low, scaleMiddle(m_layout.scale()), limits.high})
    {
        const double share = extent > 0 ? (value - limits.low) / extent : 0.5;
        const double y = std::lerp(m_at.bar.bottom(), m_at.bar.top(), share);
        const bool inner = value != limits.low && value != limits.high;
        if (inner && std::min(y - m_at.bar.top(), m_at.bar.bottom() - y) < 1.2 * line)
            continue; // on top of an end's number
        const double top = std::clamp(y - line / 2, m_at.bar.top() - line / 4, m_at.bar.bottom() - 0.75 * line);
        const QRectF place(m_at.bar.right() + 4, top, m_at.box.right() - m_at.bar.right() - 4, line);
        drawLine(painter, place, shortNumber(value), small, ink.secondary);
        // Where white is not 0, blue does not mean opposed.
        if (inner && value != 0 && std::min(y - m_at.bar.top(), m_at.bar.bottom() - y) > 2.2 * line)
            drawLine(painter, place.translated(0, line), scaleMiddleName(), small, ink.secondary);
    }
}

void HeatmapPainter::paintTitle(QPainter& painter, double dpr) const
{
    const Inks& ink = inks(m_layout.style().theme);
    const QFont bold = textFont(m_layout.style().textPx, QFont::DemiBold);
    const QFont small = textFont(m_layout.style().textPx - 1);
    const QString title = heatmapTitle(m_layout.heatmap(), m_layout.info(), m_layout.style().layerInTitle);
    drawLine(painter, m_at.title, title, bold, ink.ink);
    QRectF rest = m_at.title;
    rest.setLeft(m_at.title.left() + textWidth(title, bold) + 2 * kHeatmapGap);
    if (rest.width() > 0)
        drawLine(painter, rest, m_layout.note(dpr), small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
}

void HeatmapPainter::paint(QPainter& painter, double dpr)
{
    if (m_layout.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_layout.style().title)
        paintTitle(painter, dpr);
    if (m_cells == nullptr)
        m_cells = std::make_shared<const HeatmapCells>(m_layout.heatmap().values.view());
    paintCells(painter, dpr);
    paintMarks(painter);
    paintColumnTrees(painter);
    paintHeadTree(painter);
    paintRowNames(painter);
    if (!m_at.letters.isEmpty())
        paintLetters(painter);
    if (m_layout.style().key)
        paintKey(painter);
    if (m_layout.style().colorBar)
        paintColorBar(painter);
    painter.restore();
}

void paintCellFrame(QPainter& painter, InkTheme theme, const QRectF& cell)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(inks(theme).background, 3));
    painter.drawRect(cell.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(inks(theme).ink, 1.4));
    painter.drawRect(cell.adjusted(-1, -1, 1, 1));
    painter.restore();
}

} // namespace headscope::viz
