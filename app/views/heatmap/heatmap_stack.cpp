// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_stack.h"

#include "viz/heatmap/heatmap_painter.h"
#include "viz/heatmap/heatmap_scale.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kSideMargin = 20;
/// Above, below and between the heatmaps, and where they would be low strips.
constexpr double kBetween = 12;
constexpr double kBetweenStrips = 4;
constexpr double kLowBox = 110;
/// Room of the topics' letters, which stand under the last heatmap alone.
constexpr double kLetters = 22;

bool sameColumns(const HeatmapStack::Panels& a, const HeatmapStack::Panels& b)
{
    return !a.empty() && !b.empty() && a.front()->heatmap->topicStart == b.front()->heatmap->topicStart;
}

} // namespace

viz::ScaleLimits HeatmapStack::limitsOf(const Panels& panels)
{
    std::vector<std::shared_ptr<const Heatmap>> heatmaps;
    for (const auto& panel : panels)
        heatmaps.push_back(panel->heatmap);
    return viz::commonLimits(heatmaps);
}

void HeatmapStack::setPanels(Panels panels, const ModelInfo& info)
{
    if (!sameColumns(m_panels, panels))
        m_window = {};
    m_panels = std::move(panels);
    m_info = info;
    m_cells.clear();
    for (const auto& panel : m_panels)
        m_cells.push_back(std::make_shared<const viz::HeatmapCells>(panel->heatmap->values.view()));
}

int HeatmapStack::leastHeight() const
{
    constexpr double kLeastRow = 8;
    constexpr double kMostRows = 20; ///< of more heads the wheel enlarges the rows
    constexpr double kTitle = 26;
    constexpr double kEmpty = 160;
    double height = 0;
    for (const auto& panel : m_panels)
    {
        const std::int64_t shown =
            heads.empty() ? panel->heatmap->values.rows() : std::ssize(heads) + 1; // and the full one
        height += kTitle + kLeastRow * std::min(kMostRows, static_cast<double>(shown)) + kBetweenStrips;
    }
    return static_cast<int>(std::max(kEmpty, height + kBetweenStrips + kLetters));
}

void HeatmapStack::layOut(const QSizeF& size, viz::InkTheme theme)
{
    m_layouts.clear();
    if (m_panels.empty())
        return;
    viz::HeatmapStyle style;
    style.theme = theme;
    if (scale)
        style.scale = viz::scaleOf(*scale, theme);
    else
        style.limits = limitsOf(m_panels);
    style.key = false;
    style.colorBar = false; // the bar under the view shows the common scale
    style.colorBarRoom = false;
    style.marks = true;
    style.pooling = pooling;
    style.numThreads = threads;
    style.treeRoom = rows == HeatmapRows::Clusters && heads.empty();
    makeLayouts(size, style);
    for (const viz::HeatmapLayout& layout : m_layouts)
        style.leastLeft = std::max(style.leastLeft, layout.plot().left() - layout.box().left());
    if (m_layouts.size() > 1) // names of groups and of segments differ in width, columns must not
        makeLayouts(size, style);
}

void HeatmapStack::makeLayouts(const QSizeF& size, const viz::HeatmapStyle& style)
{
    const auto count = static_cast<double>(m_panels.size());
    const double between = size.height() < kLowBox * count ? kBetweenStrips : kBetween;
    const double share = (size.height() - kLetters - between * (count + 1)) / count;
    double top = between;
    m_layouts.clear();
    for (std::size_t i = 0; i < m_panels.size(); ++i)
    {
        const HeatmapPanel& panel = *m_panels[i];
        viz::HeatmapStyle own = style;
        own.letters = i + 1 == m_panels.size();
        own.commonHeight = std::max(40.0, share);
        own.columnTrees = i == 0; // the columns are the same in all
        own.rows = heatmapRows(panel, m_info, rows, heads);
        // The tree is that of all heads.
        own.tree = rows == HeatmapRows::Clusters && heads.empty() ? &panel.heads : nullptr;
        const double boxHeight = std::max(40.0, share + (own.letters ? kLetters : 0));
        m_layouts.emplace_back(*panel.heatmap, m_info,
                               QRectF(kSideMargin, top, std::max(1.0, size.width() - 2 * kSideMargin), boxHeight), own);
        top += boxHeight + between;
    }
}

void HeatmapStack::paint(QPainter& painter, double dpr, const std::vector<std::uint8_t>& lit) const
{
    for (std::size_t i = 0; i < m_layouts.size(); ++i)
        viz::HeatmapPainter(m_layouts[i], m_cells[i], lit).paint(painter, dpr);
}

bool HeatmapStack::setWindow(const viz::HeatmapWindow& window)
{
    const viz::HeatmapWindow before = std::exchange(m_window, window);
    for (viz::HeatmapLayout& layout : m_layouts)
        m_window = layout.setWindow(window);
    return !(m_window == before);
}

std::optional<viz::HeatmapWindow> HeatmapStack::windowOfTopic(std::int64_t topic) const
{
    if (m_panels.empty())
        return std::nullopt;
    const auto& starts = m_panels.front()->heatmap->topicStart;
    const auto at = static_cast<std::size_t>(topic);
    if (topic < 0 || at + 1 >= starts.size() || starts[at + 1] == starts[at])
        return std::nullopt;
    viz::HeatmapWindow window = m_window;
    window.zoom = static_cast<double>(starts.back()) / static_cast<double>(starts[at + 1] - starts[at]);
    window.firstColumn = static_cast<double>(starts[at]);
    return window;
}

std::optional<viz::HeatmapWindow> HeatmapStack::windowOfBand(double from, double to) const
{
    constexpr double kMinBand = 3;
    const viz::HeatmapLayout& layout = m_layouts.front();
    const QRectF plot = layout.plot();
    const auto [left, right] = band(from, to);
    if (right - left < kMinBand)
        return std::nullopt;
    viz::HeatmapWindow window = m_window;
    const auto columns = static_cast<double>(m_panels.front()->heatmap->values.cols());
    const auto at = [&](double place) {
        for (double step = 0; step <= 4; ++step) // a gap between topics belongs to the next column
            if (const auto cell = layout.cellAt({std::min(place + step, plot.right() - 0.5), plot.top() + 1}))
                return static_cast<double>(cell->column);
        return columns;
    };
    const double first = at(left);
    window.zoom = columns / std::max(1.0, at(right) - first + 1);
    window.firstColumn = first;
    return window;
}

std::optional<viz::HeatmapWindow> HeatmapStack::windowShowing(const HeatmapPlace& place) const
{
    const viz::HeatmapLayout& layout = m_layouts[place.heatmap];
    const QRectF plot = layout.plot();
    const QRectF cell = layout.cellRect(place.cell);
    double dx = 0;
    if (cell.left() < plot.left())
        dx = plot.left() - cell.left();
    else if (cell.right() > plot.right())
        dx = plot.right() - cell.right();
    double dy = 0;
    if (place.cell.row > 0 && m_window.rowZoom > 1)
    {
        const double top = layout.rowRect(layout.rowAtPlace(0)).top() + m_window.firstRow * cell.height();
        if (cell.top() < top)
            dy = top - cell.top();
        else if (cell.bottom() > plot.bottom())
            dy = plot.bottom() - cell.bottom();
    }
    return dx != 0 || dy != 0 ? std::optional(layout.movedBy(dx, dy)) : std::nullopt;
}

std::pair<double, double> HeatmapStack::visibleShare() const
{
    return m_layouts.empty() ? std::pair(0.0, 1.0) : m_layouts.front().visibleShare();
}

viz::HeatmapWindow HeatmapStack::windowFrom(double share) const
{
    viz::HeatmapWindow window = m_window;
    if (!m_panels.empty())
        window.firstColumn = share * static_cast<double>(m_panels.front()->heatmap->values.cols());
    return window;
}

std::pair<double, double> HeatmapStack::band(double from, double to) const
{
    const QRectF plot = m_layouts.front().plot();
    return {std::clamp(std::min(from, to), plot.left(), plot.right()),
            std::clamp(std::max(from, to), plot.left(), plot.right())};
}

std::optional<HeatmapPlace> HeatmapStack::placeAt(QPointF at) const
{
    for (std::size_t i = 0; i < m_layouts.size(); ++i)
        if (const auto cell = m_layouts[i].cellAt(at))
            return HeatmapPlace{i, *cell};
    return std::nullopt;
}

std::size_t HeatmapStack::panelAt(double y) const
{
    std::size_t panel = 0;
    while (panel + 1 < m_layouts.size() && m_layouts[panel].box().bottom() < y)
        ++panel;
    return panel;
}

HeatmapPlace HeatmapStack::moved(HeatmapPlace place, std::int64_t columns, std::int64_t rowsDown) const
{
    place.cell.column = std::clamp<std::int64_t>(place.cell.column + columns, 0,
                                                 std::max<std::int64_t>(0, heatmap(place.heatmap).values.cols() - 1));
    // Rows in the order in which they stand: 0 the full one, then the heads' places.
    const viz::HeatmapLayout& layout = m_layouts[place.heatmap];
    std::int64_t at = (place.cell.row == 0 ? 0 : 1 + layout.placeOfRow(place.cell.row)) + rowsDown;
    const std::int64_t last = layout.headsShown();
    if (at > last && place.heatmap + 1 < m_panels.size())
    {
        ++place.heatmap;
        at = 0;
    }
    else if (at < 0 && place.heatmap > 0)
    {
        --place.heatmap;
        at = m_layouts[place.heatmap].headsShown();
    }
    at = std::clamp<std::int64_t>(at, 0, m_layouts[place.heatmap].headsShown());
    place.cell.row = at == 0 ? 0 : m_layouts[place.heatmap].rowAtPlace(at - 1);
    return place;
}

DocumentIndex HeatmapStack::documentAt(const HeatmapPlace& place) const
{
    return DocumentIndex(heatmap(place.heatmap).document[static_cast<std::size_t>(place.cell.column)]);
}

std::vector<std::int64_t> HeatmapStack::documentsOf(std::int64_t topic) const
{
    std::vector<std::int64_t> documents;
    if (m_panels.empty())
        return documents;
    const Heatmap& heatmap = *m_panels.front()->heatmap;
    const auto at = static_cast<std::size_t>(topic);
    if (topic < 0 || at + 1 >= heatmap.topicStart.size())
        return documents;
    documents.assign(heatmap.document.begin() + heatmap.topicStart[at],
                     heatmap.document.begin() + heatmap.topicStart[at + 1]);
    std::sort(documents.begin(), documents.end());
    return documents;
}

std::vector<std::uint8_t> HeatmapStack::lit(const std::vector<std::int64_t>& documents) const
{
    std::vector<std::uint8_t> lit;
    if (!documents.empty() && !m_panels.empty()) // the columns are the same in all
        for (const std::int32_t document : heatmap(0).document)
            lit.push_back(std::binary_search(documents.begin(), documents.end(), document) ? 1 : 0);
    return lit;
}

QString HeatmapStack::note(double dpr) const
{
    return m_layouts.empty() ? QString() : m_layouts.front().note(dpr);
}

} // namespace headscope::ui
