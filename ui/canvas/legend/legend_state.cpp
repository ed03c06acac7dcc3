// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/legend/legend_state.h"

#include <algorithm>
#include <utility>
#include <variant>

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

/// Rows in this order of their groups; those that are not in it by their number, after them.
void sortRowsBy(viz::HeadLegend& legend, const std::vector<std::int32_t>& order)
{
    const auto rank = [&order](const viz::HeadLegendRow& row) {
        const auto found = std::ranges::find(order, static_cast<std::int32_t>(row.group));
        return std::pair(found - order.begin(), row.group);
    };
    std::ranges::stable_sort(legend.rows, {}, rank);
}

/// The heads an entry stands for.
std::vector<std::int64_t> headsOf(const viz::Legend& legend, const LegendHit& hit)
{
    if (hit.kind == LegendHit::Kind::Head)
        return {hit.index};
    std::vector<std::int64_t> heads;
    if (const viz::HeadLegend* rows = headRows(legend); rows != nullptr && hit.kind == LegendHit::Kind::Group)
        for (const viz::HeadLegendRow& row : rows->rows)
            if (row.group == hit.index)
                heads.insert(heads.end(), row.heads.begin(), row.heads.end());
    return heads;
}

/// All heads of a legend, ascending.
std::vector<std::int64_t> headsOf(const viz::Legend& legend)
{
    std::vector<std::int64_t> heads;
    if (const viz::HeadLegend* rows = headRows(legend))
        for (const viz::HeadLegendRow& row : rows->rows)
            heads.insert(heads.end(), row.heads.begin(), row.heads.end());
    std::ranges::sort(heads);
    return heads;
}

/// What can be moved in a legend, as it stands: codes of labels, or groups of heads.
std::vector<std::int32_t> movableCodes(const viz::Legend& legend)
{
    std::vector<std::int32_t> codes;
    if (const auto* labels = std::get_if<viz::CategoryLegend>(&legend.content))
    {
        for (const viz::CategoryLegendEntry& entry : labels->entries)
            if (entry.code >= 0)
                codes.push_back(static_cast<std::int32_t>(entry.code));
    }
    else if (const viz::HeadLegend* rows = headRows(legend))
    {
        for (const viz::HeadLegendRow& row : rows->rows)
            codes.push_back(static_cast<std::int32_t>(row.group));
    }
    return codes;
}

} // namespace

void LegendState::showAllLabels()
{
    m_isolated.reset();
    m_hidden.clear();
}

void LegendState::setLabelsShown(const LabelsShown& labels)
{
    m_isolated = labels.alone;
    m_hidden = labels.hidden;
}

LegendState::Answer LegendState::isolate(const viz::Legend& legend, const LegendHit& hit)
{
    Answer answer;
    if (hit.kind != LegendHit::Kind::Category)
    {
        answer.lightAll = true; // else these might be shown and pale
        answer.heads = headsOf(legend, hit);
        return answer;
    }
    m_hidden.erase(hit.index);
    if (std::exchange(m_isolated, hit.index) == hit.index)
        m_isolated.reset();
    answer.labels = true;
    return answer;
}

LegendState::Answer LegendState::toggle(const viz::Legend& legend, const LegendHit& hit, const viz::PointStates& points)
{
    Answer answer;
    if (hit.kind == LegendHit::Kind::Category)
    {
        if (m_hidden.erase(hit.index) == 0)
            m_hidden.insert(hit.index);
        if (m_isolated == hit.index)
            m_isolated.reset();
        answer.labels = true;
        return answer;
    }
    if (points.someAreLit()) // pale, and not hidden: the eye gives them back, and takes none away
    {
        answer.lightAll = true;
        return answer;
    }
    const std::vector<std::int64_t> all = headsOf(legend);
    const std::vector<std::int64_t> meant = headsOf(legend, hit);
    std::set<std::int64_t> shown = points.shownHeads().value_or(std::set<std::int64_t>(all.begin(), all.end()));
    const bool anyShown = std::ranges::any_of(meant, [&shown](std::int64_t head) { return shown.contains(head); });
    for (const std::int64_t head : meant)
        if (anyShown)
            shown.erase(head);
        else
            shown.insert(head);
    answer.heads = shown.empty() ? all : std::vector<std::int64_t>(shown.begin(), shown.end());
    return answer;
}

LegendState::Answer LegendState::showAll(const viz::Legend& legend, const viz::PointStates& points)
{
    Answer answer;
    answer.lightAll = true;
    if (std::holds_alternative<viz::CategoryLegend>(legend.content))
    {
        showAllLabels();
        answer.labels = true;
        return answer;
    }
    // Those that are chosen already would be toggled back by who hears this.
    const auto isShown = [&points](std::int64_t head) { return points.isHeadShown(HeadIndex(head)); };
    if (auto all = headsOf(legend); !std::ranges::all_of(all, isShown))
        answer.heads = std::move(all);
    return answer;
}

std::vector<viz::PointState> LegendState::colorStates(const viz::PointColoring& coloring) const
{
    std::vector<viz::PointState> states(coloring.colors.size(), viz::PointState::Shown);
    const auto* labels = std::get_if<viz::CategoryLegend>(&coloring.legend.content);
    if (labels == nullptr || (!m_isolated && m_hidden.empty()))
        return states;
    if (m_isolated)
        std::ranges::fill(states, viz::PointState::Dimmed);
    for (const viz::CategoryLegendEntry& entry : labels->entries)
    {
        if (m_isolated == entry.code)
            states[entry.colorIndex] = viz::PointState::Shown;
        if (m_hidden.contains(entry.code))
            states[entry.colorIndex] = viz::PointState::Hidden;
    }
    return states;
}

std::vector<LegendHit> LegendState::faded(const viz::Legend& legend, const viz::PointStates& points) const
{
    std::vector<LegendHit> faded;
    if (const auto* labels = std::get_if<viz::CategoryLegend>(&legend.content))
    {
        for (const viz::CategoryLegendEntry& entry : labels->entries)
            if (m_hidden.contains(entry.code) || (m_isolated && m_isolated != entry.code))
                faded.push_back({LegendHit::Kind::Category, entry.code});
        return faded;
    }
    const viz::HeadLegend* rows = headRows(legend);
    if (rows == nullptr)
        return faded;
    const auto isPale = [&points](std::int64_t head) {
        return !points.isLit(HeadIndex(head)) || !points.isHeadShown(HeadIndex(head));
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

std::vector<std::int32_t> LegendState::orderOf(const QString& title) const
{
    const auto found = m_orders.find(title);
    return found == m_orders.end() ? std::vector<std::int32_t>() : found->second;
}

bool LegendState::move(const viz::Legend& legend, std::int64_t code, int place)
{
    std::vector<std::int32_t> order = movableCodes(legend);
    const auto from = std::ranges::find(order, static_cast<std::int32_t>(code));
    if (from == order.end())
        return false;
    const auto to = order.begin() + std::clamp<std::ptrdiff_t>(place, 0, std::ssize(order));
    if (to == from || to == from + 1)
        return false; // it stands there already
    if (to > from)
        std::rotate(from, from + 1, to);
    else
        std::rotate(to, from, from + 1);
    m_orders[legend.title] = std::move(order);
    return true;
}

void LegendState::sortRows(viz::Legend& legend) const
{
    if (viz::HeadLegend* rows = headRows(legend))
        sortRowsBy(*rows, orderOf(legend.title));
}

void LegendState::sortMovedRows(viz::Legend& legend) const
{
    if (m_orders.contains(legend.title))
        sortRows(legend);
}

} // namespace headscope::ui
