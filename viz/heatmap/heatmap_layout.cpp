// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a heatmap are.
#include "model/data/key_sharing.h"
#include "viz/axis/text.h"
#include "viz/color/head_palette.h"
#include "viz/heatmap/heatmap_painter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace headscope::viz
{
namespace
{

constexpr double kGap = 6;
constexpr double kMarks = 6;
constexpr double kColumnTree = 22;
constexpr double kHeadTree = 40;
/// A column is never wider, however far one zooms.
constexpr double kWidestColumn = 160;
constexpr double kTallestRow = 48;

} // namespace

HeatmapLayout::HeatmapLayout(const Heatmap& heatmap, const ModelInfo& info, const QRectF& box,
                             const HeatmapStyle& style, std::shared_ptr<const HeatmapCells> cells)
    : m_heatmap(&heatmap), m_cells(std::move(cells)), m_info(info), m_grouped(groupedAt(info, heatmap.stage)),
      m_style(style),
      m_scale(style.scale ? *style.scale : heatmapScale(style.limits.value_or(heatmapLimits(heatmap)), style.theme)),
      m_box(box)
{
    orderRows();
    const QFont small = textFont(style.textPx - 1);
    const double line = lineHeight(small);
    double names = textWidth(QStringLiteral("full"), small);
    for (std::int64_t group = 0; group < std::max<std::int64_t>(1, m_grouped.kvHeads); ++group)
        names = std::max(names, textWidth(groupName(GroupIndex(group), m_grouped.groupSize()), small));
    m_stripWidth = std::max(4.0, 0.55 * style.textPx);
    double top = box.top();
    double right = box.right();
    double bottom = box.bottom();
    // Numbers of single heads stand beside their colours where rows are high enough for them.
    const double roughRow = (style.commonHeight.value_or(box.height()) - 3 * line) /
                            static_cast<double>(std::max<std::int64_t>(1, headsShown()));
    if (roughRow >= 0.72 * line || m_brackets.empty())
        m_numberWidth = textWidth(QString::number(numHeads()), small) + 4;
    const double ownLeft = names + kGap + (m_brackets.empty() ? 0 : kGap) + m_numberWidth + m_stripWidth + 2;
    const double left = box.left() + std::max(ownLeft, style.leastLeft);
    if (style.colorBar || style.colorBarRoom)
    {
        const ScaleLimits limits = m_scale.limits();
        double labels = 0;
        for (const double value : {limits.low, scaleMiddle(m_scale), limits.high})
            labels = std::max(labels, textWidth(shortNumber(value), small));
        if (style.colorBar) // its title stands above it
            labels = std::max(labels, textWidth(heatmapScaleTitle(), small) - m_stripWidth - 4);
        right -= labels + 4 + m_stripWidth + 2 * kGap;
    }
    if (style.title)
    {
        m_titleBox = QRectF(left, top, std::max(0.0, right - left), std::ceil(lineHeight(textFont(style.textPx)) + 4));
        if (textWidth(titleText(), textFont(style.textPx, QFont::DemiBold)) > m_titleBox.width())
            m_titleBox = QRectF(box.left(), top, box.width(), m_titleBox.height()); // rather than dots
        top = m_titleBox.bottom() + 2;
    }
    const double bandsTop = top;
    placeBands(top, right);
    if (style.key)
    {
        if (widestName() <= right - left)
            placeKey(left, std::max(1.0, right - left));
        else // all of the width rather than dots
            placeKey(box.left(), box.width());
        double keyHeight = 0;
        for (const QRectF& key : m_keyBoxes)
            keyHeight = std::max(keyHeight, key.bottom() + kGap);
        for (QRectF& key : m_keyBoxes)
            key.translate(0, bottom - keyHeight + kGap);
        bottom -= keyHeight;
    }
    if (style.key || style.letters)
    {
        m_letterBox = QRectF(left, bottom - line - 2, right - left, line);
        bottom = m_letterBox.top() - 4;
    }
    m_plot = QRectF(left, top, std::max(0.0, right - left), std::max(0.0, bottom - top));
    for (QRectF* band : {&m_columnTree, &m_marks})
        *band = QRectF(left, bandsTop + band->top(), m_plot.width(), band->height());
    if (style.colorBar)
        m_bar = QRectF(right + 2 * kGap, top, m_stripWidth, std::min(m_plot.height(), 14 * style.textPx));
    const double rows = static_cast<double>(std::max<std::int64_t>(1, headsShown()));
    m_fullGap = std::min(3.0, m_plot.height() / (4 * rows));
    m_fullHeight = std::max(0.0, 1.4 * (m_plot.height() - m_fullGap) / (rows + 1.4));
    m_headTree = QRectF(right + 3, headsArea().top(), m_headTree.width(), headsArea().height());
    static_cast<void>(setWindow({}));
}

void HeatmapLayout::placeBands(double& top, double& right)
{
    // Heights now, places when the plot is known; one under the other from the title down.
    if (m_style.columnTrees && std::any_of(m_heatmap->columnTrees.begin(), m_heatmap->columnTrees.end(),
                                           [](const ClusterTree& tree) { return !tree.joins.empty(); }))
    {
        m_columnTree = QRectF(0, 0, 0, kColumnTree);
        top += kColumnTree + 2;
    }
    if (m_style.marks)
    {
        m_marks =
            QRectF(0, m_columnTree.height() + (m_columnTree.isNull() && m_columnTree.height() <= 0 ? 0 : 2), 0, kMarks);
        top += kMarks;
    }
    if (m_style.treeRoom || m_style.tree != nullptr)
    {
        m_headTree.setWidth(kHeadTree - 3);
        right -= kHeadTree;
    }
}

void HeatmapLayout::orderRows()
{
    m_order = m_style.rows;
    m_place.assign(static_cast<std::size_t>(1 + numHeads()), -1);
    const bool known =
        std::all_of(m_order.begin(), m_order.end(), [this](std::int64_t row) { return row >= 1 && row <= numHeads(); });
    if (m_order.empty() || !known)
    {
        m_order.resize(static_cast<std::size_t>(numHeads()));
        std::iota(m_order.begin(), m_order.end(), 1);
    }
    for (std::size_t i = 0; i < m_order.size(); ++i)
        m_place[static_cast<std::size_t>(m_order[i])] = static_cast<std::int64_t>(i);
    const std::int64_t size = m_grouped.groupSize();
    if (size < 1 || m_info.heads != numHeads())
        return;
    std::vector<bool> seen(static_cast<std::size_t>(numHeads() / size + 1), false);
    for (std::int64_t i = 0; i < headsShown();)
    {
        const std::int64_t group = (rowAtPlace(i) - 1) / size;
        std::int64_t end = i;
        while (end < headsShown() && (rowAtPlace(end) - 1) / size == group)
            ++end;
        if (seen[static_cast<std::size_t>(group)]) // a group is torn apart: no brackets at all
        {
            m_brackets.clear();
            return;
        }
        seen[static_cast<std::size_t>(group)] = true;
        m_brackets.push_back({group, i, end});
        i = end;
    }
}

std::int64_t HeatmapLayout::numHeads() const
{
    return m_heatmap == nullptr ? 0 : std::max<std::int64_t>(0, m_heatmap->values.rows() - 1);
}

QRectF HeatmapLayout::headsArea() const
{
    const double top = m_plot.top() + m_fullHeight + m_fullGap;
    return {m_plot.left(), top, m_plot.width(), std::max(0.0, m_plot.bottom() - top)};
}

double HeatmapLayout::baseColumnWidth() const
{
    const auto columns = static_cast<double>(std::max<std::int64_t>(1, m_heatmap->topicStart.back()));
    const auto gaps = static_cast<double>(m_heatmap->topicStart.size() - 2);
    return std::max(0.0, m_plot.width() - m_gap * gaps) / columns;
}

double HeatmapLayout::columnX(double column, std::size_t topic) const
{
    return m_plot.left() + column * m_columnWidth + m_gap * static_cast<double>(topic) - m_offset;
}

HeatmapWindow HeatmapLayout::setWindow(const HeatmapWindow& window)
{
    m_window = window;
    const auto heads = static_cast<double>(std::max<std::int64_t>(1, headsShown()));
    const double baseRow = headsArea().height() / heads;
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
    m_gap = std::min(2.0, 0.25 * m_plot.width() / static_cast<double>(numTopics));
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
    m_offset = std::clamp(wanted * m_columnWidth + gapsBefore(wanted), 0.0, std::max(0.0, whole - m_plot.width()));
    for (std::size_t topic = 0; topic < numTopics; ++topic)
    {
        const auto begin = static_cast<double>(m_heatmap->topicStart[topic]);
        const auto end = static_cast<double>(m_heatmap->topicStart[topic + 1]);
        m_topics.emplace_back(columnX(begin, topic), m_plot.top(), (end - begin) * m_columnWidth, m_plot.height());
    }
    // The column that came to stand at the left edge: the first one that ends behind it.
    for (std::size_t topic = 0; topic < numTopics; ++topic)
        if (m_topics[topic].right() > m_plot.left() || topic + 1 == numTopics)
        {
            const double inside = std::max(0.0, m_plot.left() - m_topics[topic].left());
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
    const double inside = std::clamp(x, m_plot.left(), m_plot.right());
    std::size_t topic = 0;
    while (topic + 1 < m_topics.size() && m_topics[topic + 1].left() <= inside)
        ++topic;
    const double column =
        static_cast<double>(m_heatmap->topicStart[topic]) +
        std::clamp((inside - m_topics[topic].left()) / m_columnWidth, 0.0, m_topics[topic].width() / m_columnWidth);
    const double width = baseColumnWidth() * window.zoom;
    double first = column - (inside - m_plot.left()) / width;
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
    const QRectF area = headsArea();
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
        const QRectF shown = m_topics[topic].intersected(m_plot);
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
    if (m_topics.empty() || m_plot.width() <= 0)
        return {0, 1};
    const double whole = m_topics.back().right() - m_topics.front().left();
    if (whole <= m_plot.width())
        return {0, 1};
    return {m_offset / whole, m_plot.width() / whole};
}

double HeatmapLayout::widestName() const
{
    const QFont small = textFont(m_style.textPx - 1);
    double widest = 1;
    for (std::size_t topic = 0; topic < m_heatmap->topicNames.size(); ++topic)
        widest = std::max(widest, textWidth(topicLetter(static_cast<std::int64_t>(topic)) + QStringLiteral("  ") +
                                                QString::fromStdString(m_heatmap->topicNames[topic]),
                                            small));
    return widest + 2 * kGap;
}

void HeatmapLayout::placeKey(double left, double width)
{
    const QFont small = textFont(m_style.textPx - 1);
    const double line = std::ceil(lineHeight(small)) + 2;
    const auto numTopics = static_cast<std::int64_t>(m_heatmap->topicNames.size());
    const double pitch = std::min(width, widestName());
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
    if (row <= 0 || row >= static_cast<std::int64_t>(m_place.size()))
        return {m_plot.left(), m_plot.top(), m_plot.width(), m_fullHeight};
    if (placeOfRow(row) < 0)
        return {};
    return {m_plot.left(), headsArea().top() + (static_cast<double>(placeOfRow(row)) - m_window.firstRow) * m_rowHeight,
            m_plot.width(), m_rowHeight};
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
    if (m_heatmap == nullptr || !m_plot.contains(place))
        return std::nullopt;
    HeatmapCell cell;
    const QRectF area = headsArea();
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
    const double left = m_plot.left() - 2 - m_stripWidth - m_numberWidth;
    const bool beside =
        (place.x() >= left && place.x() < m_plot.left()) || (m_headTree.width() > 0 && m_headTree.contains(place));
    if (m_heatmap == nullptr || !beside || place.y() < m_plot.top() || place.y() >= m_plot.bottom())
        return std::nullopt;
    if (place.y() < rowRect(0).bottom())
        return 0;
    const QRectF area = headsArea();
    if (place.y() < area.top() || headsShown() == 0)
        return std::nullopt;
    const auto at = static_cast<std::int64_t>((place.y() - area.top()) / m_rowHeight + m_window.firstRow);
    return rowAtPlace(std::clamp<std::int64_t>(at, 0, headsShown() - 1));
}

std::vector<std::int64_t> HeatmapLayout::groupNameAt(QPointF place) const
{
    const QRectF area = headsArea();
    if (m_heatmap == nullptr || m_brackets.empty() || place.x() < m_box.left() ||
        place.x() >= m_plot.left() - 2 - m_stripWidth - m_numberWidth || place.y() < area.top() ||
        place.y() >= area.bottom())
        return {};
    const auto at = static_cast<std::int64_t>((place.y() - area.top()) / m_rowHeight + m_window.firstRow);
    for (const Bracket& bracket : m_brackets)
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
    if (m_letterBox.isEmpty() || place.y() < m_plot.bottom() || place.y() > m_letterBox.bottom() + 2 ||
        place.x() < m_plot.left() || place.x() > m_plot.right())
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

} // namespace headscope::viz
