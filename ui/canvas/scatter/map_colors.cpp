// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/map_colors.h"

#include "ui/theme/theme.h"
#include "viz/scatter/density_layer.h"
#include "viz/scatter/scatter_painter.h"

#include <utility>
#include <variant>

namespace headscope::ui
{

void MapColors::setMap(std::shared_ptr<const HeadMap> map)
{
    const bool samePoints = m_map != nullptr && map != nullptr && m_map->points == map->points;
    m_map = std::move(map);
    if (samePoints)
        return;
    m_runner.cancel();
    m_coloring = std::make_shared<viz::PointColoring>();
    m_legend.showAllLabels();
    m_colorStates.clear();
}

void MapColors::setColoring(viz::PointColoring coloring)
{
    if (coloring.legend.title != m_coloring->legend.title)
        m_legend.showAllLabels();
    m_legend.sortRows(coloring.legend);
    m_coloring = std::make_shared<viz::PointColoring>(std::move(coloring));
    if (m_wanted && m_wanted->title == m_coloring->legend.title)
        m_legend.setLabelsShown(*std::exchange(m_wanted, std::nullopt));
    m_colorStates = m_legend.colorStates(*m_coloring);
    Q_EMIT changed();
}

void MapColors::recolor()
{
    m_runner.cancel();
    if (m_map == nullptr || !m_source)
        return;
    Task task = m_source(m_map, Theme::instance().vizTheme());
    if (m_map->xy.rows() <= m_mostAtOnce)
        return setColoring(task());
    m_runner.start<viz::PointColoring>(
        [task = std::move(task)](JobContext&) -> Result<viz::PointColoring> { return task(); },
        [this, points = m_map->points](Result<viz::PointColoring> coloring) {
            if (coloring && m_map != nullptr && m_map->points == points)
                setColoring(std::move(*coloring));
        });
}

MapColors::Task MapColors::taskFor(viz::InkTheme theme) const
{
    Task task = [coloring = m_coloring] { return *coloring; };
    if (m_map != nullptr && m_source)
        task = m_source(m_map, theme);
    return [task, legend = m_legend] {
        viz::PointColoring coloring = task();
        legend.sortMovedRows(coloring.legend);
        return coloring;
    };
}

viz::Legend MapColors::legendOf(viz::ScatterMode mode, double deviceRadiusPx) const
{
    // Shades of density are of no head and no label.
    if (mode == viz::ScatterMode::Density)
        return viz::densityLegend(Theme::instance().vizTheme());
    viz::Legend legend = m_coloring->legend;
    // Labels that share a colour are told apart by shapes, which small dots do not have.
    const bool ofLabels = std::holds_alternative<viz::CategoryLegend>(legend.content);
    if (ofLabels && !m_coloring->shapes.empty() && legend.hint.isEmpty() && !viz::showsShapes(deviceRadiusPx))
        legend.hint = tr("zoom in to see shapes");
    return legend;
}

std::vector<viz::LegendHit> MapColors::faded(const viz::PointStates& points) const
{
    return m_legend.faded(m_coloring->legend, points);
}

LabelsShown MapColors::labelsShown() const
{
    if (m_wanted)
        return *m_wanted;
    LabelsShown labels = m_legend.labelsShown();
    labels.title = m_coloring->legend.title;
    return labels;
}

void MapColors::setLabelsShown(const LabelsShown& labels)
{
    m_wanted.reset();
    if (!isKnown() || labels.title != m_coloring->legend.title)
    {
        if (!labels.all())
            m_wanted = labels;
        return;
    }
    m_legend.setLabelsShown(labels);
    LegendState::Answer answer;
    answer.labels = true;
    take(answer);
}

void MapColors::isolate(const viz::LegendHit& hit)
{
    take(m_legend.isolate(m_coloring->legend, hit));
}

void MapColors::toggle(const viz::LegendHit& hit, const viz::PointStates& points)
{
    take(m_legend.toggle(m_coloring->legend, hit, points));
}

void MapColors::showAll(const viz::PointStates& points)
{
    take(m_legend.showAll(m_coloring->legend, points));
}

void MapColors::take(const LegendState::Answer& answer)
{
    if (answer.lightAll)
        Q_EMIT lightAllRequested();
    if (answer.heads)
        Q_EMIT headsRequested(*answer.heads);
    if (!answer.labels)
        return;
    m_colorStates = m_legend.colorStates(*m_coloring);
    Q_EMIT labelsChanged();
}

void MapColors::move(std::int64_t code, int place)
{
    if (m_legend.move(m_coloring->legend, code, place))
        takeOrder();
}

void MapColors::forgetOrder()
{
    if (m_legend.forgetOrder(m_coloring->legend.title))
        takeOrder();
}

void MapColors::takeOrder()
{
    if (std::holds_alternative<viz::CategoryLegend>(m_coloring->legend.content))
    {
        recolor(); // the order of labels is the source's
    }
    else
    {
        auto sorted = std::make_shared<viz::PointColoring>(*m_coloring);
        m_legend.sortRows(sorted->legend);
        m_coloring = std::move(sorted);
        Q_EMIT rowsMoved();
    }
    Q_EMIT orderChanged(m_coloring->legend.title);
}

} // namespace headscope::ui
