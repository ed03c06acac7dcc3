// SPDX-License-Identifier: GPL-3.0-or-later
// What the legend does to the map: isolate, hide, put in another order.
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

using viz::LegendHit;

const viz::HeadLegend* headRows(const viz::Legend& legend)
{
    if (const auto* strength = std::get_if<viz::StrengthLegend>(&legend.content))
        return &strength->heads;
    return std::get_if<viz::HeadLegend>(&legend.content);
}

viz::HeadLegend* headRows(viz::Legend& legend)
{
    if (auto* strength = std::get_if<viz::StrengthLegend>(&legend.content))
        return &strength->heads;
    return std::get_if<viz::HeadLegend>(&legend.content);
}

/// Rows of heads as the user has put them; those that were never moved by their number, after them.
void orderHeadRows(viz::Legend& legend, const std::vector<std::int32_t>& order)
{
    viz::HeadLegend* rows = headRows(legend);
    if (rows == nullptr || order.empty())
        return;
    const auto rank = [&order](const viz::HeadLegendRow& row) {
        const auto found = std::ranges::find(order, static_cast<std::int32_t>(row.group));
        return std::pair(found - order.begin(), row.group);
    };
    std::ranges::stable_sort(rows->rows, {}, rank);
}

} // namespace

void ScatterWidget::buildLegend()
{
    m_legend = new LegendWidget(this);
    connect(m_legend, &LegendWidget::isolateRequested, this, &ScatterWidget::isolate);
    connect(m_legend, &LegendWidget::toggleRequested, this, &ScatterWidget::toggleShown);
    connect(m_legend, &LegendWidget::showAllRequested, this, &ScatterWidget::showAllOfLegend);
    connect(m_legend, &LegendWidget::moveRequested, this, &ScatterWidget::moveInLegend);
    connect(m_legend, &LegendWidget::orderResetRequested, this, &ScatterWidget::resetLegendOrder);
    connect(m_legend, &LegendWidget::sizeChanged, this, &ScatterWidget::layOutLegend);
}

std::vector<std::int64_t> ScatterWidget::headsOf(const LegendHit& hit) const
{
    if (hit.kind == LegendHit::Kind::Head)
        return {hit.index};
    std::vector<std::int64_t> heads;
    if (const viz::HeadLegend* rows = headRows(m_coloring.legend);
        rows != nullptr && hit.kind == LegendHit::Kind::Group)
        for (const viz::HeadLegendRow& row : rows->rows)
            if (row.group == hit.index)
                heads.insert(heads.end(), row.heads.begin(), row.heads.end());
    return heads;
}

std::vector<std::int64_t> ScatterWidget::legendHeads() const
{
    std::vector<std::int64_t> heads;
    if (const viz::HeadLegend* rows = headRows(m_coloring.legend))
        for (const viz::HeadLegendRow& row : rows->rows)
            heads.insert(heads.end(), row.heads.begin(), row.heads.end());
    std::ranges::sort(heads);
    return heads;
}

void ScatterWidget::isolate(const LegendHit& hit)
{
    if (hit.kind != LegendHit::Kind::Category)
    {
        Q_EMIT litCleared();                      // else these might be shown and pale
        return Q_EMIT headsClicked(headsOf(hit)); // the head picker's business, for all views
    }
    m_hiddenCodes.erase(hit.index);
    if (std::exchange(m_isolated, hit.index) == hit.index)
        m_isolated.reset();
    refreshStates();
}

void ScatterWidget::toggleShown(const LegendHit& hit)
{
    if (hit.kind == LegendHit::Kind::Category)
    {
        if (m_hiddenCodes.erase(hit.index) == 0)
            m_hiddenCodes.insert(hit.index);
        if (m_isolated == hit.index)
            m_isolated.reset();
        return refreshStates();
    }
    if (!m_litShown.empty()) // pale, and not hidden: the eye gives them back, and takes none away
        return Q_EMIT litCleared();
    const std::vector<std::int64_t> all = legendHeads();
    std::set<std::int64_t> shown = m_shownHeads;
    if (m_allHeads)
        shown = {all.begin(), all.end()};
    const std::vector<std::int64_t> meant = headsOf(hit);
    const bool anyShown = std::ranges::any_of(meant, [&shown](std::int64_t head) { return shown.contains(head); });
    for (const std::int64_t head : meant)
        if (anyShown)
            shown.erase(head);
        else
            shown.insert(head);
    Q_EMIT headsClicked(shown.empty() ? all : std::vector<std::int64_t>(shown.begin(), shown.end()));
}

void ScatterWidget::showAllOfLegend()
{
    Q_EMIT litCleared();
    if (!std::holds_alternative<viz::CategoryLegend>(m_coloring.legend.content))
    {
        // Those that are chosen already would be toggled back by who hears this.
        if (const auto all = legendHeads();
            !m_allHeads && !all.empty() &&
            !std::ranges::all_of(all, [this](std::int64_t head) { return m_shownHeads.contains(head); }))
            Q_EMIT headsClicked(all);
        return;
    }
    m_isolated.reset();
    m_hiddenCodes.clear();
    refreshStates();
}

std::vector<std::int32_t> ScatterWidget::orderOf(const QString& title) const
{
    const auto found = m_orders.find(title);
    return found == m_orders.end() ? std::vector<std::int32_t>() : found->second;
}

void ScatterWidget::moveInLegend(std::int64_t code, int place)
{
    std::vector<std::int32_t> order;
    if (const auto* legend = std::get_if<viz::CategoryLegend>(&m_coloring.legend.content))
    {
        for (const viz::CategoryLegendEntry& entry : legend->entries)
            if (entry.code >= 0)
                order.push_back(static_cast<std::int32_t>(entry.code));
    }
    else if (const viz::HeadLegend* rows = headRows(m_coloring.legend))
    {
        for (const viz::HeadLegendRow& row : rows->rows)
            order.push_back(static_cast<std::int32_t>(row.group));
    }
    const auto from = std::ranges::find(order, static_cast<std::int32_t>(code));
    if (from == order.end())
        return;
    const auto to = order.begin() + std::clamp<std::ptrdiff_t>(place, 0, std::ssize(order));
    if (to == from || to == from + 1)
        return; // it stands there already
    if (to > from)
        std::rotate(from, from + 1, to);
    else
        std::rotate(to, from, from + 1);
    m_orders[m_coloring.legend.title] = std::move(order);
    takeLegendOrder();
}

void ScatterWidget::takeLegendOrder()
{
    if (std::holds_alternative<viz::CategoryLegend>(m_coloring.legend.content))
    {
        recolor(); // colours go by rank
    }
    else
    {
        sortLegend(m_coloring.legend);
        layOutLegend();
    }
    Q_EMIT orderChanged(m_coloring.legend.title);
}

void ScatterWidget::sortLegend(viz::Legend& legend) const
{
    if (headRows(legend) == nullptr)
        return;
    std::vector<std::int32_t> order = orderOf(legend.title);
    if (order.empty())
        order.push_back(-1); // none: by number
    orderHeadRows(legend, order);
}

ScatterWidget::ColoringTask ScatterWidget::coloringFor(viz::Theme theme) const
{
    ColoringTask task = [coloring = m_coloring] { return coloring; };
    if (m_map != nullptr && m_coloringSource)
        task = m_coloringSource(m_map, theme);
    return [task, orders = m_orders] {
        viz::PointColoring coloring = task();
        if (const auto order = orders.find(coloring.legend.title); order != orders.end())
            orderHeadRows(coloring.legend, order->second);
        return coloring;
    };
}

void ScatterWidget::resetLegendOrder()
{
    if (m_orders.erase(m_coloring.legend.title) != 0)
        takeLegendOrder();
}

std::vector<LegendHit> ScatterWidget::fadedHits() const
{
    std::vector<LegendHit> faded;
    if (const auto* legend = std::get_if<viz::CategoryLegend>(&m_coloring.legend.content))
    {
        for (const viz::CategoryLegendEntry& entry : legend->entries)
            if (m_hiddenCodes.contains(entry.code) || (m_isolated && m_isolated != entry.code))
                faded.push_back({LegendHit::Kind::Category, entry.code});
        return faded;
    }
    const viz::HeadLegend* rows = headRows(m_coloring.legend);
    if (rows == nullptr)
        return faded;
    const auto isPale = [this](std::int64_t head) {
        return !isLit(head) || (!m_allHeads && !m_shownHeads.contains(head));
    };
    for (const viz::HeadLegendRow& row : rows->rows)
    {
        for (const std::int64_t head : row.heads)
            if (isPale(head))
                faded.push_back({LegendHit::Kind::Head, head});
        if (std::ranges::all_of(row.heads, isPale))
            faded.push_back({LegendHit::Kind::Group, row.group});
    }
    return faded;
}

std::vector<viz::PointState> ScatterWidget::statesByColor() const
{
    std::vector<viz::PointState> states(m_coloring.colors.size(), viz::PointState::Shown);
    const auto* legend = std::get_if<viz::CategoryLegend>(&m_coloring.legend.content);
    if (legend == nullptr || (!m_isolated && m_hiddenCodes.empty()))
        return states;
    if (m_isolated)
        std::ranges::fill(states, viz::PointState::Dimmed);
    for (const viz::CategoryLegendEntry& entry : legend->entries)
    {
        if (m_isolated == entry.code)
            states[entry.colorIndex] = viz::PointState::Shown;
        if (m_hiddenCodes.contains(entry.code))
            states[entry.colorIndex] = viz::PointState::Hidden;
    }
    return states;
}

} // namespace headscope::ui
