// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_layout.h"

#include "model/data/key_sharing.h"
#include "viz/heatmap/heatmap_scale.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::viz
{
namespace
{

/// A column is never wider, however far one zooms.
constexpr double kWidestColumn = 160;
constexpr double kTallestRow = 48;

} // namespace

HeatmapLayout::HeatmapLayout(const Heatmap& heatmap, const ModelInfo& info, const QRectF& box,
                             const HeatmapStyle& style)
    : m_heatmap(&heatmap), m_info(info), m_grouped(groupedAt(info, heatmap.stage)), m_style(style),
      m_scale(style.scale ? *style.scale : heatmapScale(style.limits.value_or(heatmapLimits(heatmap)), style.theme)),
      m_at(measureHeatmap(heatmap, m_info, m_grouped, box, m_style, m_scale))
{
    static_cast<void>(setWindow({}));
}

double HeatmapLayout::baseColumnWidth() const
{
    const auto columns = static_cast<double>(std::max<std::int64_t>(1, m_heatmap->topicStart.back()));
    const auto gaps = static_cast<double>(m_heatmap->topicStart.size() - 2);
    return std::max(0.0, m_at.plot.width() - m_gap * gaps) / columns;
}

double HeatmapLayout::columnX(double column, std::size_t topic) const
{
    return m_at.plot.left() + column * m_columnWidth + m_gap * static_cast<double>(topic) - m_offset;
}

HeatmapWindow HeatmapLayout::setWindow(const HeatmapWindow& window)
{
    m_window = window;
    const auto heads = static_cast<double>(std::max<std::int64_t>(1, headsShown()));
    const double baseRow = m_at.headsArea().height() / heads;
    m_window.rowZoom = std::clamp(window.rowZoom, 1.0, std::max(1.0, kTallestRow / std::max(1e-9, baseRow)));
    m_rowHeight = baseRow * m_window.rowZoom;
    m_window.firstRow = std::clamp(window.firstRow, 0.0, std::max(0.0, heads - heads / m_window.rowZoom));
    placeColumns();
    return m_window;
}

void HeatmapLayout::placeColumns()
{
    // Topics share the width by their number of documents, with a gap between two that no zoom widens.
    m_topics.clear();
    const std::size_t numTopics = m_heatmap->topicStart.empty() ? 0 : m_heatmap->topicStart.size() - 1;
    if (numTopics == 0)
        return;
    m_gap = std::min(2.0, 0.25 * m_at.plot.width() / static_cast<double>(numTopics));
    const double base = baseColumnWidth();
    m_window.zoom = std::clamp(m_window.zoom, 1.0, std::max(1.0, kWidestColumn / std::max(1e-9, base)));
    m_columnWidth = base * m_window.zoom;
    const auto columns = static_cast<double>(m_heatmap->topicStart.back());
    const double whole = columns * m_columnWidth + m_gap * static_cast<double>(numTopics - 1);
    const auto gapsBefore = [&](double column) {
        const auto next = std::upper_bound(m_heatmap->topicStart.begin(), m_heatmap->topicStart.end() - 1,
                                           static_cast<std::int64_t>(std::floor(column)));
        return m_gap * static_cast<double>(std::max<std::ptrdiff_t>(0, next - m_heatmap->topicStart.begin() - 1));
    };
    const double wanted = std::clamp(m_window.firstColumn, 0.0, columns);
    m_offset = std::clamp(wanted * m_columnWidth + gapsBefore(wanted), 0.0, std::max(0.0, whole - m_at.plot.width()));
    for (std::size_t topic = 0; topic < numTopics; ++topic)
    {
        const auto begin = static_cast<double>(m_heatmap->topicStart[topic]);
        const auto end = static_cast<double>(m_heatmap->topicStart[topic + 1]);
        m_topics.emplace_back(columnX(begin, topic), m_at.plot.top(), (end - begin) * m_columnWidth,
                              m_at.plot.height());
    }
    // The column that came to stand at the left edge: the first one that ends behind it.
    for (std::size_t topic = 0; topic < numTopics; ++topic)
        if (m_topics[topic].right() > m_at.plot.left() || topic + 1 == numTopics)
        {
            const double inside = std::max(0.0, m_at.plot.left() - m_topics[topic].left());
            m_window.firstColumn =
                static_cast<double>(m_heatmap->topicStart[topic]) + (m_columnWidth > 0 ? inside / m_columnWidth : 0.0);
            break;
        }
}

HeatmapWindow HeatmapLayout::zoomedAt(double x, double factor) const
{
    HeatmapWindow window = m_window;
    if (m_topics.empty() || m_columnWidth <= 0)
        return window;
    const double most = std::max(1.0, kWidestColumn / std::max(1e-9, baseColumnWidth()));
    window.zoom = std::clamp(m_window.zoom * factor, 1.0, most);
    // Column under the pointer: gaps take no part in zooming.
    const double inside = std::clamp(x, m_at.plot.left(), m_at.plot.right());
    std::size_t topic = 0;
    while (topic + 1 < m_topics.size() && m_topics[topic + 1].left() <= inside)
        ++topic;
    const double column =
        static_cast<double>(m_heatmap->topicStart[topic]) +
        std::clamp((inside - m_topics[topic].left()) / m_columnWidth, 0.0, m_topics[topic].width() / m_columnWidth);
    const double width = baseColumnWidth() * window.zoom;
    double first = column - (inside - m_at.plot.left()) / width;
    // What gaps lie between the left edge and the pointer shifts the edge by their width.
    const auto gaps =
        std::count_if(m_heatmap->topicStart.begin() + 1, m_heatmap->topicStart.end() - 1, [&](std::int64_t start) {
            return static_cast<double>(start) > first && static_cast<double>(start) <= column;
        });
    first += static_cast<double>(gaps) * m_gap / width;
    window.firstColumn = std::max(0.0, first);
    return window;
}

HeatmapWindow HeatmapLayout::rowsZoomedAt(double y, double factor) const
{
    HeatmapWindow window = m_window;
    const QRectF area = m_at.headsArea();
    if (m_rowHeight <= 0 || area.isEmpty())
        return window;
    const double baseRow = m_rowHeight / m_window.rowZoom;
    window.rowZoom = std::clamp(m_window.rowZoom * factor, 1.0, std::max(1.0, kTallestRow / baseRow));
    const double inside = std::clamp(y, area.top(), area.bottom()) - area.top();
    window.firstRow = std::max(0.0, m_window.firstRow + inside / m_rowHeight - inside / (baseRow * window.rowZoom));
    return window;
}

HeatmapWindow HeatmapLayout::movedBy(double dx, double dy) const
{
    HeatmapWindow window = m_window;
    if (m_columnWidth > 0)
        window.firstColumn = std::max(0.0, window.firstColumn - dx / m_columnWidth);
    if (m_rowHeight > 0)
        window.firstRow = std::max(0.0, window.firstRow - dy / m_rowHeight);
    return window;
}

std::pair<std::int64_t, std::int64_t> HeatmapLayout::visibleColumns() const
{
    std::int64_t first = -1;
    std::int64_t last = 0;
    for (std::size_t topic = 0; topic < m_topics.size(); ++topic)
    {
        const QRectF shown = m_topics[topic].intersected(m_at.plot);
        if (shown.width() <= 0)
            continue;
        const std::int64_t start = m_heatmap->topicStart[topic];
        const std::int64_t end = m_heatmap->topicStart[topic + 1];
        const auto at = [&](double x) { return (x - m_topics[topic].left()) / m_columnWidth; };
        if (first < 0)
            first = std::min(end, start + static_cast<std::int64_t>(at(shown.left()) + 1e-6));
        last = std::min(end, start + static_cast<std::int64_t>(std::ceil(at(shown.right()) - 1e-6)));
    }
    return {std::max<std::int64_t>(0, first), last};
}

std::pair<double, double> HeatmapLayout::visibleShare() const
{
    if (m_topics.empty() || m_at.plot.width() <= 0)
        return {0, 1};
    const double whole = m_topics.back().right() - m_topics.front().left();
    if (whole <= m_at.plot.width())
        return {0, 1};
    return {m_offset / whole, m_at.plot.width() / whole};
}

QRectF HeatmapLayout::topicRect(std::int64_t topic) const
{
    return topic >= 0 && topic < static_cast<std::int64_t>(m_topics.size()) ? m_topics[static_cast<std::size_t>(topic)]
                                                                            : QRectF();
}

QRectF HeatmapLayout::rowRect(std::int64_t row) const
{
    if (row <= 0 || row >= static_cast<std::int64_t>(m_at.place.size()))
        return {m_at.plot.left(), m_at.plot.top(), m_at.plot.width(), m_at.fullHeight};
    if (placeOfRow(row) < 0)
        return {};
    return {m_at.plot.left(),
            m_at.headsArea().top() + (static_cast<double>(placeOfRow(row)) - m_window.firstRow) * m_rowHeight,
            m_at.plot.width(), m_rowHeight};
}

std::int64_t HeatmapLayout::topicOf(std::int64_t column) const
{
    const auto next = std::upper_bound(m_heatmap->topicStart.begin(), m_heatmap->topicStart.end(), column);
    return next - m_heatmap->topicStart.begin() - 1;
}

QRectF HeatmapLayout::cellRect(HeatmapCell cell) const
{
    if (m_heatmap == nullptr || cell.column < 0 || cell.column >= m_heatmap->values.cols())
        return {};
    const auto topic = static_cast<std::size_t>(topicOf(cell.column));
    if (topic >= m_topics.size())
        return {};
    const QRectF row = rowRect(cell.row);
    if (row.isEmpty())
        return {};
    return {columnX(static_cast<double>(cell.column), topic), row.top(), m_columnWidth, row.height()};
}

std::optional<HeatmapCell> HeatmapLayout::cellAt(QPointF place) const
{
    if (m_heatmap == nullptr || !m_at.plot.contains(place))
        return std::nullopt;
    HeatmapCell cell;
    const QRectF area = m_at.headsArea();
    if (place.y() < rowRect(0).bottom())
        cell.row = 0;
    else if (place.y() < area.top() || headsShown() == 0)
        return std::nullopt;
    else
    {
        const auto at = static_cast<std::int64_t>((place.y() - area.top()) / m_rowHeight + m_window.firstRow);
        cell.row = rowAtPlace(std::clamp<std::int64_t>(at, 0, headsShown() - 1));
    }
    for (std::size_t topic = 0; topic < m_topics.size(); ++topic)
    {
        const QRectF& box = m_topics[topic];
        if (place.x() < box.left() || place.x() >= box.right())
            continue;
        const std::int64_t begin = m_heatmap->topicStart[topic];
        const std::int64_t count = m_heatmap->topicStart[topic + 1] - begin;
        const auto offset = static_cast<std::int64_t>((place.x() - box.left()) / m_columnWidth);
        cell.column = begin + std::min(count - 1, offset);
        return cell;
    }
    return std::nullopt;
}

std::optional<std::int64_t> HeatmapLayout::rowNameAt(QPointF place) const
{
    const double left = m_at.plot.left() - 2 - m_at.stripWidth - m_at.numberWidth;
    const bool beside = (place.x() >= left && place.x() < m_at.plot.left()) ||
                        (m_at.headTree.width() > 0 && m_at.headTree.contains(place));
    if (m_heatmap == nullptr || !beside || place.y() < m_at.plot.top() || place.y() >= m_at.plot.bottom())
        return std::nullopt;
    if (place.y() < rowRect(0).bottom())
        return 0;
    const QRectF area = m_at.headsArea();
    if (place.y() < area.top() || headsShown() == 0)
        return std::nullopt;
    const auto at = static_cast<std::int64_t>((place.y() - area.top()) / m_rowHeight + m_window.firstRow);
    return rowAtPlace(std::clamp<std::int64_t>(at, 0, headsShown() - 1));
}

std::vector<std::int64_t> HeatmapLayout::groupNameAt(QPointF place) const
{
    const QRectF area = m_at.headsArea();
    if (m_heatmap == nullptr || m_at.brackets.empty() || place.x() < m_at.box.left() ||
        place.x() >= m_at.plot.left() - 2 - m_at.stripWidth - m_at.numberWidth || place.y() < area.top() ||
        place.y() >= area.bottom())
        return {};
    const auto at = static_cast<std::int64_t>((place.y() - area.top()) / m_rowHeight + m_window.firstRow);
    for (const HeatmapBracket& bracket : m_at.brackets)
        if (at >= bracket.begin && at < bracket.end)
        {
            std::vector<std::int64_t> heads;
            for (std::int64_t i = bracket.begin; i < bracket.end; ++i)
                heads.push_back(rowAtPlace(i) - 1);
            return heads;
        }
    return {};
}

std::optional<std::int64_t> HeatmapLayout::letterAt(QPointF place) const
{
    if (m_at.letters.isEmpty() || place.y() < m_at.plot.bottom() || place.y() > m_at.letters.bottom() + 2 ||
        place.x() < m_at.plot.left() || place.x() > m_at.plot.right())
        return std::nullopt;
    for (std::size_t topic = 0; topic < m_topics.size(); ++topic)
        if (place.x() >= m_topics[topic].left() && place.x() < m_topics[topic].right())
            return static_cast<std::int64_t>(topic);
    return std::nullopt;
}

double HeatmapLayout::columnsPerPixel(double dpr) const
{
    return m_columnWidth > 0 ? 1 / (m_columnWidth * dpr) : 0.0;
}

QString HeatmapLayout::note(double dpr) const
{
    constexpr double kMoreThanOne = 1.005;
    QStringList parts;
    if (const double columns = columnsPerPixel(dpr); columns > kMoreThanOne)
        parts << (m_style.pooling == CellPooling::Mean
                      ? QStringLiteral("each pixel is the mean of %1 documents").arg(QString::number(columns, 'f', 1))
                      : QStringLiteral("each pixel is the largest value of %1 documents")
                            .arg(QString::number(columns, 'f', 1)));
    if (const double rows = m_rowHeight > 0 ? 1 / (m_rowHeight * dpr) : 0; rows > kMoreThanOne)
        parts << QStringLiteral("%1 rows in a pixel").arg(QString::number(rows, 'f', 1));
    return parts.join(QStringLiteral(", "));
}

} // namespace headscope::viz
