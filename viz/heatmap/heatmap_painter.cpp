// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_painter.h"

#include "viz/axis/text.h"
#include "viz/color/head_palette.h"
#include "viz/heatmap/heatmap_image.h"

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

QString topicLetter(std::int64_t i)
{
    QString letters;
    for (std::int64_t rest = i; rest >= 0; rest = rest / 26 - 1)
        letters.prepend(QChar(static_cast<char16_t>(u'A' + rest % 26)));
    return letters;
}

HeatmapLayout::HeatmapLayout(const Heatmap& heatmap, const ModelInfo& info, const QRectF& box,
                             const HeatmapStyle& style)
    : m_heatmap(&heatmap), m_info(info), m_style(style),
      m_scale(heatmapScale(style.limits.value_or(heatmapLimits(heatmap)), style.theme)), m_box(box)
{
    const QFont small = textFont(style.textPx - 1);
    const double line = lineHeight(small);
    double names = textWidth(QStringLiteral("full"), small);
    for (std::int64_t group = 0; group < std::max<std::int64_t>(1, info.kvHeads); ++group)
        names = std::max(names, textWidth(groupName(GroupIndex(group), m_info.groupSize()), small));
    m_stripWidth = std::max(4.0, 0.55 * style.textPx);
    const double left = box.left() + names + kGap + m_stripWidth + 2;
    double right = box.right();
    double top = box.top();
    double bottom = box.bottom();
    if (style.colorBar || style.colorBarRoom)
    {
        const ScaleLimits limits = m_scale.limits();
        double labels = 0;
        for (const double value : {limits.low, (limits.low + limits.high) / 2, limits.high})
            labels = std::max(labels, textWidth(shortNumber(value), small));
        right -= labels + 4 + m_stripWidth + 2 * kGap;
    }
    if (style.title)
    {
        m_titleBox = QRectF(left, top, std::max(0.0, right - left), std::ceil(lineHeight(textFont(style.textPx)) + 4));
        top = m_titleBox.bottom() + 2;
    }
    if (style.key)
    {
        placeKey(left, std::max(1.0, right - left));
        double keyHeight = 0;
        for (const QRectF& key : m_keyBoxes)
            keyHeight = std::max(keyHeight, key.bottom() + kGap);
        for (QRectF& key : m_keyBoxes)
            key.translate(0, bottom - keyHeight + kGap);
        bottom -= keyHeight;
        m_letterBox = QRectF(left, bottom - line - 2, right - left, line);
        bottom = m_letterBox.top() - 4;
    }
    m_plot = QRectF(left, top, std::max(0.0, right - left), std::max(0.0, bottom - top));
    if (style.colorBar)
        m_bar = QRectF(right + 2 * kGap, top, m_stripWidth, std::min(m_plot.height(), 14 * style.textPx));
    const double rows = static_cast<double>(std::max<std::int64_t>(1, numHeads()));
    m_fullGap = std::min(3.0, m_plot.height() / (4 * rows));
    m_fullHeight = std::max(0.0, 1.4 * (m_plot.height() - m_fullGap) / (rows + 1.4));
    placeColumns();
}

std::int64_t HeatmapLayout::numHeads() const
{
    return m_heatmap == nullptr ? 0 : std::max<std::int64_t>(0, m_heatmap->values.rows() - 1);
}

void HeatmapLayout::placeColumns()
{
    // Topics share the width by their number of documents, with a gap between two.
    const std::size_t numTopics = m_heatmap->topicStart.empty() ? 0 : m_heatmap->topicStart.size() - 1;
    if (numTopics == 0)
        return;
    const double most = 0.25 * m_plot.width() / static_cast<double>(numTopics);
    const double gap = std::min(2.0, most);
    const auto columns = static_cast<double>(std::max<std::int64_t>(1, m_heatmap->topicStart.back()));
    const double each = std::max(0.0, m_plot.width() - gap * static_cast<double>(numTopics - 1)) / columns;
    for (std::size_t topic = 0; topic < numTopics; ++topic)
    {
        const auto begin = static_cast<double>(m_heatmap->topicStart[topic]);
        const auto end = static_cast<double>(m_heatmap->topicStart[topic + 1]);
        m_topics.emplace_back(m_plot.left() + begin * each + gap * static_cast<double>(topic), m_plot.top(),
                              (end - begin) * each, m_plot.height());
    }
}

void HeatmapLayout::placeKey(double left, double width)
{
    const QFont small = textFont(m_style.textPx - 1);
    const double line = std::ceil(lineHeight(small)) + 2;
    const auto numTopics = static_cast<std::int64_t>(m_heatmap->topicNames.size());
    double widest = 1;
    for (std::int64_t topic = 0; topic < numTopics; ++topic)
        widest = std::max(widest,
                          textWidth(topicLetter(topic) + QStringLiteral("  ") +
                                        QString::fromStdString(m_heatmap->topicNames[static_cast<std::size_t>(topic)]),
                                    small));
    const double pitch = std::min(width, widest + 2 * kGap);
    const auto perLine = std::max<std::int64_t>(1, static_cast<std::int64_t>(width / pitch));
    const std::int64_t lines = (numTopics + perLine - 1) / perLine;
    // Down the columns, as an index is read. Places are relative to the key's top; the caller moves them.
    for (std::int64_t topic = 0; topic < numTopics; ++topic)
        m_keyBoxes.emplace_back(left + static_cast<double>(topic / lines) * pitch,
                                static_cast<double>(topic % lines) * line, pitch - 2 * kGap, line);
}

QRectF HeatmapLayout::topicRect(std::int64_t topic) const
{
    return topic >= 0 && topic < static_cast<std::int64_t>(m_topics.size()) ? m_topics[static_cast<std::size_t>(topic)]
                                                                            : QRectF();
}

QRectF HeatmapLayout::rowRect(std::int64_t row) const
{
    if (row == 0)
        return {m_plot.left(), m_plot.top(), m_plot.width(), m_fullHeight};
    const double top = m_plot.top() + m_fullHeight + m_fullGap;
    const double height = (m_plot.bottom() - top) / static_cast<double>(std::max<std::int64_t>(1, numHeads()));
    return {m_plot.left(), top + static_cast<double>(row - 1) * height, m_plot.width(), height};
}

QRectF HeatmapLayout::cellRect(HeatmapCell cell) const
{
    if (m_heatmap == nullptr || cell.column < 0 || cell.column >= m_heatmap->values.cols())
        return {};
    const auto next = std::upper_bound(m_heatmap->topicStart.begin(), m_heatmap->topicStart.end(), cell.column);
    const auto topic = static_cast<std::size_t>(next - m_heatmap->topicStart.begin()) - 1;
    if (topic >= m_topics.size())
        return {};
    const std::int64_t begin = m_heatmap->topicStart[topic];
    const double width = m_topics[topic].width() / static_cast<double>(m_heatmap->topicStart[topic + 1] - begin);
    const QRectF row = rowRect(cell.row);
    return {m_topics[topic].left() + static_cast<double>(cell.column - begin) * width, row.top(), width, row.height()};
}

std::optional<HeatmapCell> HeatmapLayout::cellAt(QPointF place) const
{
    if (m_heatmap == nullptr || !m_plot.contains(place))
        return std::nullopt;
    HeatmapCell cell;
    const QRectF first = rowRect(1);
    if (place.y() < rowRect(0).bottom())
        cell.row = 0;
    else if (place.y() < first.top() || numHeads() == 0)
        return std::nullopt;
    else
        cell.row = std::min(numHeads(), 1 + static_cast<std::int64_t>((place.y() - first.top()) / first.height()));
    for (std::size_t topic = 0; topic < m_topics.size(); ++topic)
    {
        const QRectF& box = m_topics[topic];
        if (place.x() < box.left() || place.x() >= box.right())
            continue;
        const std::int64_t begin = m_heatmap->topicStart[topic];
        const std::int64_t count = m_heatmap->topicStart[topic + 1] - begin;
        const auto offset =
            static_cast<std::int64_t>((place.x() - box.left()) / box.width() * static_cast<double>(count));
        cell.column = begin + std::min(count - 1, offset);
        return cell;
    }
    return std::nullopt;
}

double HeatmapLayout::columnsPerPixel(double dpr) const
{
    double most = 0;
    for (std::size_t topic = 0; topic < m_topics.size(); ++topic)
    {
        const auto count = static_cast<double>(m_heatmap->topicStart[topic + 1] - m_heatmap->topicStart[topic]);
        most = std::max(most, count / std::max(1.0, std::round(m_topics[topic].width() * dpr)));
    }
    return most;
}

QString HeatmapLayout::note(double dpr) const
{
    const double columns = columnsPerPixel(dpr);
    return columns > 1 ? QStringLiteral("each pixel is the mean of %1 documents").arg(QString::number(columns, 'f', 1))
                       : QString();
}

void HeatmapLayout::paintCells(QPainter& painter, double dpr) const
{
    std::vector<std::int64_t> heads(static_cast<std::size_t>(numHeads()));
    std::iota(heads.begin(), heads.end(), 1);
    const std::vector<std::int64_t> full = {0};
    const QRectF headRows(m_plot.left(), rowRect(1).top(), m_plot.width(), m_plot.bottom() - rowRect(1).top());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    for (std::size_t topic = 0; topic < m_topics.size(); ++topic)
    {
        const auto block = [&](const QRectF& rows, const std::vector<std::int64_t>& which) {
            const QRect pixels =
                devicePixels({m_topics[topic].left(), rows.top(), m_topics[topic].width(), rows.height()}, dpr);
            const HeatmapRaster raster =
                heatmapImage(m_heatmap->values.view(), which, m_heatmap->topicStart[topic],
                             m_heatmap->topicStart[topic + 1], m_scale, m_style.theme, pixels.width(), pixels.height());
            if (!raster.image.isNull())
                painter.drawImage(fromDevice(pixels, dpr), raster.image);
        };
        block(rowRect(0), full);
        block(headRows, heads);
    }
}

void HeatmapLayout::paintRowNames(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const double line = lineHeight(small);
    const double right = m_plot.left() - 2 - m_stripWidth - kGap;
    const auto name = [&](double middle, const QString& text) {
        drawLine(painter, {m_box.left(), middle - line / 2, right - m_box.left(), line}, text, small, ink.secondary);
    };
    const double fullMiddle = rowRect(0).center().y();
    name(fullMiddle, QStringLiteral("full"));

    const HeadPalette palette(m_info, m_style.theme);
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::int64_t head = 0; head < numHeads(); ++head)
    {
        const QRectF row = rowRect(1 + head);
        painter.fillRect(QRectF(m_plot.left() - 2 - m_stripWidth, row.top(), m_stripWidth, row.height()),
                         palette.color(HeadIndex(head)));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const std::int64_t members = palette.members();
    const double groupHeight = rowRect(1).height() * static_cast<double>(members);
    const auto every = static_cast<std::int64_t>(std::max(1.0, std::ceil(line / std::max(0.1, groupHeight))));
    for (std::int64_t group = 0; group * members < numHeads(); group += every)
    {
        const double middle = rowRect(1 + group * members).top() + std::max(line, groupHeight) / 2;
        if (middle - line / 2 >= fullMiddle + line / 2 - 3 && middle + line / 2 <= m_plot.bottom() + line / 2)
            name(middle, groupName(GroupIndex(group), m_info.groupSize()));
    }
}

void HeatmapLayout::paintKey(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont bold = textFont(m_style.textPx - 1, QFont::DemiBold);
    const QFont small = textFont(m_style.textPx - 1);
    double freeFrom = m_box.left();
    double offset = 0; // names stand under each other, whatever their letters
    for (std::size_t topic = 0; topic < m_keyBoxes.size(); ++topic)
        offset = std::max(offset, textWidth(topicLetter(static_cast<std::int64_t>(topic)), bold) + kGap);
    for (std::size_t topic = 0; topic < m_keyBoxes.size(); ++topic)
    {
        const QString letter = topicLetter(static_cast<std::int64_t>(topic));
        const double width = textWidth(letter, bold);
        const double middle = topic < m_topics.size() ? m_topics[topic].center().x() : 0;
        if (topic < m_topics.size() && middle - width / 2 >= freeFrom) // narrow topics: not on top of each other
        {
            drawLine(painter, {middle - width / 2, m_letterBox.top(), width, m_letterBox.height()}, letter, bold,
                     ink.ink);
            freeFrom = middle + width / 2 + 2;
        }
        const QRectF box = m_keyBoxes[topic];
        drawLine(painter, {box.left(), box.top(), width, box.height()}, letter, bold, ink.ink);
        drawLine(painter,
                 {box.left() + offset, box.top(), std::max(1.0, box.width() - offset + 2 * kGap - 4), box.height()},
                 QString::fromStdString(m_heatmap->topicNames[topic]), small, ink.secondary);
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
    for (const double share : {0.0, 0.5, 1.0})
    {
        const double y = std::lerp(m_bar.bottom(), m_bar.top(), share);
        const double top = std::clamp(y - line / 2, m_bar.top() - line / 4, m_bar.bottom() - 0.75 * line);
        drawLine(painter, {m_bar.right() + 4, top, m_box.right() - m_bar.right() - 4, line},
                 shortNumber(std::lerp(limits.low, limits.high, share)), small, ink.secondary);
    }
}

void HeatmapLayout::paintTitle(QPainter& painter, double dpr) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont bold = textFont(m_style.textPx, QFont::DemiBold);
    const QFont small = textFont(m_style.textPx - 1);
    const QString title =
        QStringLiteral("Stage %1, %2")
            .arg(QString::fromUtf8(stageName(m_heatmap->stage).data()), stagePhrase(m_heatmap->stage));
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
    paintCells(painter, dpr);
    paintRowNames(painter);
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
