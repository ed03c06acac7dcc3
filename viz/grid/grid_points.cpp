// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_points.h"

#include "viz/grid/grid_contents.h"

#include <algorithm>
#include <utility>

namespace headscope::viz
{

void GridPoints::setSet(std::shared_ptr<const HeadMapSet> set)
{
    const bool samePoints =
        m_set != nullptr && set != nullptr && m_set->maps.size() == set->maps.size() &&
        std::equal(m_set->maps.begin(), m_set->maps.end(), set->maps.begin(),
                   [](const MapOfSet& a, const MapOfSet& b) { return a.map.points == b.map.points; });
    m_set = std::move(set);
    if (samePoints)
        return;
    m_own.clear();
    m_orders.clear();
    m_orderOf.clear();
    m_documents = 0;
    if (m_set == nullptr)
        return;
    std::int32_t most = -1;
    for (const MapOfSet& each : m_set->maps)
    {
        const auto& points = each.map.points;
        const auto known = std::find_if(m_orders.begin(), m_orders.end(), [&](const Order& order) {
            return order.points == points || order.points->document == points->document;
        });
        m_orderOf.push_back(static_cast<std::size_t>(known - m_orders.begin()));
        if (known != m_orders.end())
            continue;
        Order order;
        order.points = points;
        for (const std::int32_t document : points->document)
            most = std::max(most, document);
        m_orders.push_back(std::move(order));
    }
    std::vector<char> seen(static_cast<std::size_t>(most + 1), 0);
    for (Order& order : m_orders)
    {
        order.pointOf.assign(seen.size(), -1);
        for (std::size_t point = order.points->document.size(); point-- > 0;) // the first of a document wins
        {
            const auto document = static_cast<std::size_t>(order.points->document[point]);
            order.pointOf[document] = static_cast<std::int32_t>(point);
            seen[document] = 1;
        }
        fillColors(order);
        fillStates(order);
    }
    m_documents = std::count(seen.begin(), seen.end(), 1);
    refreshHeadColors();
}

void GridPoints::setPalette(const HeadPalette& palette)
{
    m_palette = palette;
    refreshHeadColors();
}

void GridPoints::refreshHeadColors()
{
    m_headColors.clear();
    if (m_set == nullptr)
        return;
    for (const MapOfSet& each : m_set->maps)
    {
        const bool full = isFullMap(each.map) || each.map.points->head.empty();
        m_headColors.push_back(full ? inks(m_palette.theme()).secondary.rgb()
                                    : m_palette.color(HeadIndex(each.map.points->head.front())).rgb());
    }
}

void GridPoints::setColoring(std::optional<PointColoring> coloring)
{
    m_coloring = std::move(coloring);
    m_own.clear();
    for (Order& order : m_orders)
        fillColors(order);
}

void GridPoints::setStates(std::vector<PointState> states)
{
    m_states = std::move(states);
    for (Order& order : m_orders)
        fillStates(order);
}

void GridPoints::fillColors(Order& order) const
{
    order.index.clear();
    if (!m_coloring)
        return;
    order.index.reserve(order.points->document.size());
    for (const std::int32_t document : order.points->document)
    {
        const auto row = static_cast<std::size_t>(document);
        order.index.push_back(row < m_coloring->index.size() ? m_coloring->index[row] : std::uint16_t{0});
    }
}

void GridPoints::fillStates(Order& order) const
{
    order.states.clear();
    if (m_states.empty())
        return;
    order.states.reserve(order.points->document.size());
    for (const std::int32_t document : order.points->document)
    {
        const auto row = static_cast<std::size_t>(document);
        order.states.push_back(row < m_states.size() ? m_states[row] : PointState::Shown);
    }
}

ScatterData GridPoints::data(std::size_t map) const
{
    const Order& order = m_orders[m_orderOf[map]];
    ScatterData data;
    data.xy = m_set->maps[map].map.xy.values();
    data.states = order.states;
    if (const PointColoring* own = ownOf(map))
    {
        data.index = own->index;
        data.colors = own->colors;
    }
    else if (m_coloring && !m_coloring->colors.empty())
    {
        data.index = order.index;
        data.colors = m_coloring->colors;
        data.shapes = m_coloring->shapes;
    }
    else
        data.colors = std::span(&m_headColors[map], 1);
    return data;
}

const PointColoring* GridPoints::ownOf(std::size_t map) const
{
    const bool there =
        map < m_own.size() && m_own[map] && m_own[map]->index.size() == m_set->maps[map].map.points->document.size();
    return there ? &*m_own[map] : nullptr;
}

PointColoring GridPoints::coloringOf(std::size_t map) const
{
    if (const PointColoring* own = ownOf(map))
        return *own;
    PointColoring coloring;
    const Order& order = m_orders[m_orderOf[map]];
    if (m_coloring)
    {
        coloring = *m_coloring;
        coloring.index = order.index;
        return coloring;
    }
    coloring.colors = {m_headColors[map]};
    coloring.index.assign(order.points->document.size(), 0);
    coloring.legend.title = mapTitle(m_set->maps[map].map);
    coloring.legend.content = HeadLegend{};
    return coloring;
}

std::optional<std::int64_t> GridPoints::pointOf(std::size_t map, DocumentIndex document) const
{
    const auto& points = m_orders[m_orderOf[map]].pointOf;
    if (document.value() < 0 || document.index() >= points.size())
        return std::nullopt;
    const std::int32_t point = points[document.index()];
    return point < 0 ? std::nullopt : std::optional<std::int64_t>(point);
}

DocumentIndex GridPoints::documentOf(std::size_t map, std::int64_t point) const
{
    return m_orders[m_orderOf[map]].points->documentOf(point);
}

} // namespace headscope::viz
