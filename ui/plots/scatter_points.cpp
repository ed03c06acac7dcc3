// SPDX-License-Identifier: GPL-3.0-or-later
// Which points of the map are shown, chosen and marked.
#include "ui/plots/scatter_widget.h"

#include <algorithm>

namespace headscope::ui
{

void ScatterWidget::setColoring(viz::PointColoring coloring)
{
    m_coloring = std::move(coloring);
    m_isolated.reset();
    refreshStates();
    layOutLegend();
    dropPicture();
}

void ScatterWidget::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_allHeads = false;
    m_shownHeads = {heads.begin(), heads.end()};
    refreshStates();
    if (m_follow && m_map != nullptr)
        animateTo(fittedView());
    layOutLegend();
    dropPicture();
}

void ScatterWidget::refreshStates()
{
    const auto count = static_cast<std::size_t>(pointCount());
    m_filtered.assign(count, viz::PointState::Shown);
    m_shown = static_cast<std::int64_t>(count);
    if (count == 0)
        return refreshChoice();
    const PointIds& points = *m_map->points;
    std::vector<char> headShown;
    if (!m_allHeads)
    {
        headShown.assign(static_cast<std::size_t>(1 + *std::max_element(points.head.begin(), points.head.end())), 0);
        for (const std::int64_t head : m_shownHeads)
            if (head >= 0 && head < static_cast<std::int64_t>(headShown.size()))
                headShown[static_cast<std::size_t>(head)] = 1;
    }
    // Category legends list colours by code, with the grey of "no label" behind them.
    std::optional<QRgb> isolatedColor;
    if (const auto* legend = std::get_if<viz::CategoryLegend>(&m_coloring.legend.content); legend && m_isolated)
        for (const auto& entry : legend->entries)
            if (entry.code == *m_isolated)
                isolatedColor = entry.color;
    for (std::size_t point = 0; point < count; ++point)
    {
        if (!m_allHeads && headShown[static_cast<std::size_t>(points.head[point])] == 0)
        {
            m_filtered[point] = viz::PointState::Hidden;
            --m_shown;
        }
        else if (isolatedColor && m_coloring.colors[m_coloring.index[point]] != *isolatedColor)
        {
            m_filtered[point] = viz::PointState::Dimmed;
        }
    }
    refreshChoice();
}

void ScatterWidget::refreshChoice()
{
    m_states = m_filtered;
    m_chosenShown = 0;
    if (!m_chosen.empty())
        for (std::size_t point = 0; point < m_states.size(); ++point)
        {
            if (m_states[point] != viz::PointState::Shown)
                continue;
            const auto document = static_cast<std::size_t>(m_map->points->document[point]);
            if (document < m_chosen.size() && m_chosen[document] != 0)
                ++m_chosenShown;
            else
                m_states[point] = viz::PointState::Dimmed;
        }
    Q_EMIT shownChanged();
}

void ScatterWidget::setPrimary(std::optional<std::int64_t> document, std::optional<std::int64_t> head)
{
    m_primary = document;
    m_primaryHead = head;
    refreshMarks();
}

void ScatterWidget::setHovered(std::optional<std::int64_t> document)
{
    // Under our own pointer the point itself is marked.
    m_hoveredDocument = m_hoveredPoint ? std::nullopt : document;
    refreshMarks();
}

void ScatterWidget::setChosen(const std::vector<std::int64_t>& documents)
{
    m_chosen.clear();
    if (!documents.empty())
        m_chosen.assign(static_cast<std::size_t>(documents.back()) + 1, 0);
    for (const std::int64_t document : documents)
        m_chosen[static_cast<std::size_t>(document)] = 1;
    refreshChoice();
    dropPicture();
}

std::int64_t ScatterWidget::chosenDocuments() const
{
    return std::ranges::count(m_chosen, char{1});
}

void ScatterWidget::refreshMarks()
{
    std::vector<std::int64_t> marked;
    std::optional<std::int64_t> focus;
    const auto document = m_hoveredDocument ? m_hoveredDocument : m_primary;
    if (m_map != nullptr && document)
    {
        const PointIds& points = *m_map->points;
        for (std::int64_t point = 0; point < points.count(); ++point)
        {
            if (points.document[static_cast<std::size_t>(point)] != *document)
                continue;
            marked.push_back(point);
            if (document == m_primary && m_primaryHead == points.head[static_cast<std::size_t>(point)])
                focus = point;
        }
    }
    if (m_hoveredPoint)
        focus = m_hoveredPoint;
    if (marked == m_marked && focus == m_focusPoint)
        return;
    m_marked = std::move(marked);
    m_focusPoint = focus;
    update();
}

std::optional<QRectF> ScatterWidget::shownBounds() const
{
    if (m_map == nullptr)
        return std::nullopt;
    if (m_shown == pointCount() || m_shown == 0)
        return viz::dataBounds(m_map->xy.values());
    std::vector<float> shown;
    shown.reserve(static_cast<std::size_t>(2 * m_shown));
    for (std::size_t point = 0; point < m_states.size(); ++point)
        if (m_states[point] != viz::PointState::Hidden)
            shown.insert(shown.end(), {m_map->xy.values()[2 * point], m_map->xy.values()[2 * point + 1]});
    return viz::dataBounds(shown);
}

viz::ScatterData ScatterWidget::scatterData() const
{
    viz::ScatterData points;
    if (m_map == nullptr)
        return points;
    points.xy = m_map->xy.values();
    if (m_coloring.index.size() == static_cast<std::size_t>(pointCount()))
    {
        points.index = m_coloring.index;
        points.colors = m_coloring.colors;
        points.shapes = m_coloring.shapes;
    }
    points.states = m_states;
    points.marked = m_marked;
    points.focus = m_focusPoint;
    return points;
}

} // namespace headscope::ui
