// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_painter.h"

#include "viz/axis/text.h"
#include "viz/color/head_palette.h"
#include "viz/heatmap/heatmap_image.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>

namespace headscope::viz
{
namespace
{

constexpr double kGap = 6;

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

/// What the rows of a stage are, as its title says it.
QString stagePhrase(Stage stage)
{
    switch (stage)
    {
    case Stage::HeadOutput:
        return QStringLiteral("heads before o_proj");
    case Stage::ProjectedSegment:
        return QStringLiteral("segments of o_proj\u2019s output");
    case Stage::OutputSegment:
        return QStringLiteral("segments of the output");
    case Stage::Contribution:
        return QStringLiteral("what each head adds to o_proj\u2019s output");
    }
    return {};
}

} // namespace

ScaleLimits heatmapLimits(const Heatmap& heatmap)
{
    return roundedOutwards(robustLimits(heatmap.values.values()).value_or(ScaleLimits{-1, 1}));
}

ColorScale heatmapScale(ScaleLimits limits, Theme theme)
{
    return {divergingMap(theme), limits, (limits.low + limits.high) / 2};
}

const QString& heatmapScaleTitle()
{
    static const QString title = QStringLiteral("cosine");
    return title;
}

double scaleMiddle(const ColorScale& scale)
{
    return scale.centre().value_or((scale.limits().low + scale.limits().high) / 2);
}

QString topicLetter(std::int64_t i)
{
    QString letters;
    for (std::int64_t rest = i; rest >= 0; rest = rest / 26 - 1)
        letters.prepend(QChar(static_cast<char16_t>(u'A' + rest % 26)));
    return letters;
}

QString HeatmapLayout::note(double dpr) const
{
    constexpr double kMoreThanOne = 1.005;
    QStringList parts;
    if (const double columns = columnsPerPixel(dpr); columns > kMoreThanOne)
        parts << (m_style.pooling == CellPooling::Mean
                      ? QStringLiteral("each pixel is the mean of %1 documents").arg(QString::number(columns, 'f', 1))
                      : QStringLiteral("each pixel is the largest of %1 documents")
                            .arg(QString::number(columns, 'f', 1)));
    if (const double rows = m_rowHeight > 0 ? 1 / (m_rowHeight * dpr) : 0; rows > kMoreThanOne)
        parts << QStringLiteral("%1 rows in a pixel").arg(QString::number(rows, 'f', 1));
    return parts.join(QStringLiteral(", "));
}

void HeatmapLayout::paintBlock(QPainter& painter, std::size_t topic, const QRectF& area,
                               std::span<const std::int64_t> rows, double rowBegin, double rowEnd, double dpr) const
{
    const QRectF& whole = m_topics[topic];
    const QRectF shown(QPointF(std::max(whole.left(), m_plot.left()), area.top()),
                       QPointF(std::min(whole.right(), m_plot.right()), area.bottom()));
    if (shown.width() <= 0)
        return;
    const QRect pixels = devicePixels(shown, dpr);
    HeatmapPart part;
    part.rows = rows;
    part.rowBegin = rowBegin;
    part.rowEnd = rowEnd;
    part.firstColumn = m_heatmap->topicStart[topic];
    part.lastColumn = m_heatmap->topicStart[topic + 1];
    // A whole topic fills its pixels from edge to edge; a cut one begins inside of a column.
    const auto at = [&](double x) {
        return static_cast<double>(part.firstColumn) + (x - whole.left()) / m_columnWidth;
    };
    part.columnBegin = whole.left() >= m_plot.left() ? static_cast<double>(part.firstColumn) : at(shown.left());
    part.columnEnd = whole.right() <= m_plot.right() + 1e-6 ? static_cast<double>(part.lastColumn) : at(shown.right());
    part.width = pixels.width();
    part.height = pixels.height();
    part.pooling = m_style.pooling;
    part.lit = m_lit;
    part.numThreads = m_style.numThreads;
    const HeatmapRaster raster = heatmapPart(*m_cells, part, m_scale, m_style.theme);
    if (!raster.image.isNull())
        painter.drawImage(fromDevice(pixels, dpr), raster.image);
}

void HeatmapLayout::paintCells(QPainter& painter, double dpr) const
{
    static constexpr std::int64_t kFull[] = {0};
    const double heads = static_cast<double>(m_order.size());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    for (std::size_t topic = 0; topic < m_topics.size(); ++topic)
    {
        paintBlock(painter, topic, rowRect(0), kFull, 0, 1, dpr);
        paintBlock(painter, topic, headsArea(), m_order, m_window.firstRow,
                   std::min(heads, m_window.firstRow + heads / m_window.rowZoom), dpr);
    }
}

void HeatmapLayout::paintRowNames(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const double line = lineHeight(small);
    const double stripLeft = m_plot.left() - 2 - m_stripWidth;
    const QRectF full = rowRect(0);
    const double fullRight = stripLeft - (m_brackets.empty() ? kGap : m_numberWidth + 2 * kGap);
    drawLine(painter, {m_box.left(), full.center().y() - line / 2, fullRight - m_box.left(), line},
             QStringLiteral("full"), small, ink.secondary,
             m_brackets.empty() ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    const QRectF area = headsArea();
    const HeadPalette palette(m_info, m_style.theme);
    painter.save();
    painter.setClipRect(QRectF(m_box.left(), area.top() - (m_window.rowZoom > 1 ? 0 : line), m_box.width(),
                               area.height() + (m_window.rowZoom > 1 ? 0 : 2 * line)));
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const bool numbers = m_numberWidth > 0 && (m_rowHeight >= 0.72 * line || m_brackets.empty());
    const auto every = static_cast<std::int64_t>(std::max(1.0, std::ceil(0.85 * line / std::max(0.05, m_rowHeight))));
    for (std::int64_t i = 0; i < headsShown(); ++i)
    {
        const QRectF row = rowRect(rowAtPlace(i));
        if (row.bottom() < area.top() || row.top() > area.bottom())
            continue;
        painter.fillRect(QRectF(stripLeft, row.top(), m_stripWidth, row.height()),
                         palette.color(HeadIndex(rowAtPlace(i) - 1)));
        const double top = row.center().y() - line / 2;
        if (numbers && i % every == 0 && (m_window.rowZoom > 1 || top + line <= m_plot.bottom() + line / 2))
            drawLine(painter, {stripLeft - m_numberWidth, top, m_numberWidth - 3, line}, QString::number(rowAtPlace(i)),
                     small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintBrackets(painter);
    painter.restore();
}

void HeatmapLayout::paintBrackets(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const double textHeight = lineHeight(small);
    const double right = m_plot.left() - 2 - m_stripWidth - m_numberWidth - 3;
    const double names = right - kGap;
    double freeFrom = m_window.rowZoom > 1 ? -1e9 : rowRect(0).center().y() + textHeight / 2 - 3;
    const bool grouped = m_grouped.groupSize() > 1;
    for (const Bracket& bracket : m_brackets)
    {
        const double top = rowRect(rowAtPlace(bracket.begin)).top();
        const double bottom = rowRect(rowAtPlace(bracket.end - 1)).bottom();
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
        if (middle - textHeight / 2 < freeFrom || middle + textHeight / 2 > m_plot.bottom() + textHeight / 2)
            continue;
        if (grouped || m_numberWidth <= 0)
            drawLine(painter, {m_box.left(), middle - textHeight / 2, names - m_box.left(), textHeight},
                     groupName(GroupIndex(bracket.group), m_grouped.groupSize()), small, ink.secondary);
        freeFrom = middle + 0.4 * textHeight;
    }
}

void HeatmapLayout::paintMarks(QPainter& painter) const
{
    if (m_marks.height() <= 0 || m_lit.empty())
        return;
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto [first, last] = visibleColumns();
    const QColor accent = inks(m_style.theme).accent;
    for (std::int64_t column = first; column < last; ++column)
    {
        if (m_lit[static_cast<std::size_t>(column)] == 0)
            continue;
        const QRectF cell = cellRect({0, column});
        const double left = std::max(cell.left(), m_plot.left());
        const double width = std::max(1.0, std::min(cell.right(), m_plot.right()) - left);
        painter.fillRect(QRectF(left, m_marks.top() + 1, width, m_marks.height() - 3), accent);
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void HeatmapLayout::paintColumnTrees(QPainter& painter) const
{
    double highest = 0;
    for (const ClusterTree& tree : m_heatmap->columnTrees)
        for (const ClusterTree::Join& join : tree.joins)
            highest = std::max(highest, join.height);
    if (m_columnTree.height() <= 0 || !(highest > 0))
        return;
    painter.save();
    painter.setClipRect(m_columnTree.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(inks(m_style.theme).secondary, 0.8));
    for (std::size_t topic = 0; topic < m_topics.size() && topic < m_heatmap->columnTrees.size(); ++topic)
    {
        const ClusterTree& tree = m_heatmap->columnTrees[topic];
        if (!m_topics[topic].intersects(m_plot))
            continue;
        drawTree(painter, tree, [&](double place, double height) {
            return QPointF(m_topics[topic].left() + (place + 0.5) * m_columnWidth,
                           m_columnTree.bottom() - height / highest * (m_columnTree.height() - 1));
        });
    }
    painter.restore();
}

void HeatmapLayout::paintHeadTree(QPainter& painter) const
{
    if (m_style.tree == nullptr || m_headTree.width() <= 0 || m_style.tree->order.size() != m_order.size())
        return;
    double highest = 0;
    for (const ClusterTree::Join& join : m_style.tree->joins)
        highest = std::max(highest, join.height);
    if (!(highest > 0))
        return;
    const QRectF area = headsArea();
    painter.save();
    painter.setClipRect(m_headTree.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(inks(m_style.theme).secondary, 0.9));
    drawTree(painter, *m_style.tree, [&](double place, double height) {
        return QPointF(m_headTree.left() + height / highest * (m_headTree.width() - 1),
                       area.top() + (place + 0.5 - m_window.firstRow) * m_rowHeight);
    });
    painter.restore();
}

void HeatmapLayout::paintKey(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont bold = textFont(m_style.textPx - 1, QFont::DemiBold);
    const QFont small = textFont(m_style.textPx - 1);
    double offset = 0; // names stand under each other, whatever their letters
    for (std::size_t topic = 0; topic < m_keyBoxes.size(); ++topic)
        offset = std::max(offset, textWidth(topicLetter(static_cast<std::int64_t>(topic)), bold) + kGap);
    for (std::size_t topic = 0; topic < m_keyBoxes.size(); ++topic)
    {
        const QString letter = topicLetter(static_cast<std::int64_t>(topic));
        const double width = textWidth(letter, bold);
        const QRectF box = m_keyBoxes[topic];
        drawLine(painter, {box.left(), box.top(), width, box.height()}, letter, bold, ink.ink);
        drawLine(painter,
                 {box.left() + offset, box.top(), std::max(1.0, box.width() - offset + 2 * kGap - 4), box.height()},
                 QString::fromStdString(m_heatmap->topicNames[topic]), small, ink.secondary);
    }
}

void HeatmapLayout::paintLetters(QPainter& painter) const
{
    const QFont bold = textFont(m_style.textPx - 1, QFont::DemiBold);
    double freeFrom = m_plot.left() - kGap;
    for (std::size_t topic = 0; topic < m_topics.size(); ++topic)
    {
        // In the middle of what is to be seen of the topic.
        const double left = std::max(m_topics[topic].left(), m_plot.left());
        const double right = std::min(m_topics[topic].right(), m_plot.right());
        const QString letter = topicLetter(static_cast<std::int64_t>(topic));
        const double width = textWidth(letter, bold);
        const double start = (left + right - width) / 2;
        if (right <= left || start < freeFrom || start + width > m_box.right()) // narrow topics: not on top of others
            continue;
        drawLine(painter, {start, m_letterBox.top(), width, m_letterBox.height()}, letter, bold,
                 inks(m_style.theme).ink);
        freeFrom = start + width + 2;
    }
}

void HeatmapLayout::paintColorBar(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const ScaleLimits limits = m_scale.limits();
    QImage ramp(1, ColorMap::kSteps, QImage::Format_RGB32);
    for (int i = 0; i < ColorMap::kSteps; ++i)
        ramp.setPixel(0, i, m_scale.color(std::lerp(limits.high, limits.low, i / (ColorMap::kSteps - 1.0))));
    painter.drawImage(m_bar, ramp);
    const double line = lineHeight(small);
    const QString& title = heatmapScaleTitle();
    drawLine(painter, {m_bar.left(), m_bar.top() - line - 2, m_box.right() - m_bar.left(), line}, title, small,
             ink.ink);
    // Both ends, and the number whose colour is white.
    const double extent = limits.high - limits.low;
    for (const double value : {limits.low, scaleMiddle(m_scale), limits.high})
    {
        const double share = extent > 0 ? (value - limits.low) / extent : 0.5;
        const double y = std::lerp(m_bar.bottom(), m_bar.top(), share);
        const bool inner = value != limits.low && value != limits.high;
        if (inner && std::min(y - m_bar.top(), m_bar.bottom() - y) < 1.2 * line)
            continue; // on top of an end's number
        const double top = std::clamp(y - line / 2, m_bar.top() - line / 4, m_bar.bottom() - 0.75 * line);
        drawLine(painter, {m_bar.right() + 4, top, m_box.right() - m_bar.right() - 4, line}, shortNumber(value), small,
                 ink.secondary);
    }
}

QString HeatmapLayout::titleText() const
{
    return QStringLiteral("Stage %1, %2")
        .arg(QString::fromUtf8(stageName(m_heatmap->stage).data()), stagePhrase(m_heatmap->stage));
}

void HeatmapLayout::paintTitle(QPainter& painter, double dpr) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont bold = textFont(m_style.textPx, QFont::DemiBold);
    const QFont small = textFont(m_style.textPx - 1);
    const QString title = titleText();
    drawLine(painter, m_titleBox, title, bold, ink.ink);
    QRectF rest = m_titleBox;
    rest.setLeft(m_titleBox.left() + textWidth(title, bold) + 2 * kGap);
    if (rest.width() > 0)
        drawLine(painter, rest, note(dpr), small, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
}

void HeatmapLayout::paint(QPainter& painter, double dpr) const
{
    if (m_heatmap == nullptr || m_plot.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_style.title)
        paintTitle(painter, dpr);
    if (m_cells == nullptr)
        m_cells = std::make_shared<const HeatmapCells>(m_heatmap->values.view());
    paintCells(painter, dpr);
    paintMarks(painter);
    paintColumnTrees(painter);
    paintHeadTree(painter);
    paintRowNames(painter);
    if (!m_letterBox.isEmpty())
        paintLetters(painter);
    if (m_style.key)
        paintKey(painter);
    if (m_style.colorBar)
        paintColorBar(painter);
    painter.restore();
}

void HeatmapLayout::paintFrame(QPainter& painter, const QRectF& cell) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(inks(m_style.theme).background, 3));
    painter.drawRect(cell.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(inks(m_style.theme).ink, 1.4));
    painter.drawRect(cell.adjusted(-1, -1, 1, 1));
    painter.restore();
}

} // namespace headscope::viz
