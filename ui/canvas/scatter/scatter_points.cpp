// SPDX-License-Identifier: GPL-3.0-or-later
// Which points of the map are shown, chosen and marked.
#include "model/base/parallel.h"
#include "model/data/head_ranges.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/minimap.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope::ui
{
namespace
{

/// Calls `visit(point)` for every point, each once and on any thread; how many times it said yes.
template <class Visit>
std::int64_t countPoints(int numThreads, std::size_t points, const Visit& visit)
{
    constexpr std::int64_t kBlock = 1 << 17;
    const auto count = static_cast<std::int64_t>(points);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(blockCount(count, kBlock)), 0);
    parallelFor(numThreads, count, kBlock, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t found = 0;
        for (std::int64_t point = begin; point < end; ++point)
            found += visit(static_cast<std::size_t>(point)) ? 1 : 0;
        counts[static_cast<std::size_t>(begin / kBlock)] = found;
    });
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

} // namespace

void ScatterWidget::setColoring(viz::PointColoring coloring)
{
    if (coloring.legend.title != m_coloring.legend.title)
    {
        m_isolated.reset();
        m_hiddenCodes.clear();
    }
    m_coloring = std::move(coloring);
    sortLegend(m_coloring.legend);
    refreshStates();
    layOutLegend();
    describe();
}

void ScatterWidget::recolor()
{
    m_colorRunner.cancel();
    if (m_map == nullptr || !m_coloringSource)
        return;
    ColoringTask task = m_coloringSource(m_map, Theme::instance().vizTheme());
    if (!isLarge())
        return setColoring(task());
    m_colorRunner.start<viz::PointColoring>(
        [task = std::move(task)](JobContext&) -> Result<viz::PointColoring> { return task(); },
        [this, points = m_map->points](Result<viz::PointColoring> coloring) {
            if (coloring && m_map != nullptr && m_map->points == points)
                setColoring(std::move(*coloring));
        });
}

void ScatterWidget::setMostAtOnce(std::int64_t points)
{
    m_picture.setMostAtOnce(points);
    m_minimap->setMostAtOnce(points);
}

bool ScatterWidget::catchingUp() const
{
    return m_gridRunner.running() || m_colorRunner.running() || m_pickRunner.running() || m_paintRunner.running();
}

void ScatterWidget::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_allHeads = false;
    m_shownHeads = {heads.begin(), heads.end()};
    refreshStates();
    if (m_follow && m_map != nullptr)
        animateTo(fittedView());
}

void ScatterWidget::setShownOnly(const std::vector<std::int64_t>& documents)
{
    std::vector<char> shown = flagsOf(documents);
    if (shown == m_shownDocuments)
        return;
    m_shownDocuments = std::move(shown);
    refreshStates();
    refreshMarks();
    if (m_follow && m_map != nullptr)
        animateTo(fittedView());
}

void ScatterWidget::setLitHeads(const std::vector<std::int64_t>& heads)
{
    std::vector<char> lit;
    for (const std::int64_t head : heads)
    {
        if (head >= std::ssize(lit))
            lit.resize(static_cast<std::size_t>(head) + 1, 0);
        lit[static_cast<std::size_t>(head)] = 1;
    }
    if (lit == m_litHeads)
        return;
    m_litHeads = std::move(lit);
    refreshChoice();
    m_legend->setFaded(fadedHits());
}

void ScatterWidget::refreshStates()
{
    const auto count = static_cast<std::size_t>(pointCount());
    m_filtered.assign(count, viz::PointState::Shown);
    m_shown = static_cast<std::int64_t>(count);
    const std::vector<viz::PointState> byColor = statesByColor();
    const bool colored = m_coloring.index.size() == count &&
                         std::ranges::any_of(byColor, [](auto state) { return state != viz::PointState::Shown; });
    if (count > 0 && (colored || !m_allHeads || !m_shownDocuments.empty()))
    {
        const PointIds& points = *m_map->points;
        std::vector<char> headShown(static_cast<std::size_t>(1 + m_lastHead), m_allHeads ? 1 : 0);
        for (const std::int64_t head : m_shownHeads)
            if (head >= 0 && head < std::ssize(headShown))
                headShown[static_cast<std::size_t>(head)] = 1;
        m_shown -= countPoints(m_threads, count, [&](std::size_t point) {
            const auto document = static_cast<std::size_t>(points.document[point]);
            if (headShown[static_cast<std::size_t>(points.head[point])] == 0 ||
                (!m_shownDocuments.empty() && (document >= m_shownDocuments.size() || m_shownDocuments[document] == 0)))
                m_filtered[point] = viz::PointState::Hidden;
            else if (colored)
                m_filtered[point] = byColor[m_coloring.index[point]];
            return m_filtered[point] == viz::PointState::Hidden;
        });
    }
    refreshMarks(); // none stands where no dot does
    refreshChoice();
    m_legend->setFaded(fadedHits());
}

bool ScatterWidget::isLit(std::int64_t head) const
{
    return m_litShown.empty() || (head < std::ssize(m_litShown) && m_litShown[static_cast<std::size_t>(head)] != 0);
}

void ScatterWidget::refreshLit()
{
    // Heads that the map lacks, or the head picker took away, stand out from nothing: they leave none pale.
    m_litShown.clear();
    const std::vector<std::int64_t> shown = headsShown();
    const auto asked = [this](std::int64_t head) {
        return head < std::ssize(m_litHeads) && m_litHeads[static_cast<std::size_t>(head)] != 0;
    };
    const auto lit = std::ranges::count_if(shown, asked);
    if (lit > 0 && lit < std::ssize(shown))
        m_litShown = m_litHeads;
}

QString ScatterWidget::litText() const
{
    if (m_map == nullptr || m_litShown.empty())
        return {};
    std::vector<std::int64_t> shown = headsShown();
    const auto all = std::ssize(shown);
    std::erase_if(shown, [this](std::int64_t head) { return !isLit(head); });
    const QString units = unitsText(m_map->stage);
    if (shown.size() == 1)
        return tr("only %1 %2 is lit").arg(unitText(m_map->stage)).arg(shown.front() + 1);
    const QString ranges = toQString(formatHeadRanges(shown));
    constexpr qsizetype kLongest = 24; // as a list; more are told by their number
    return ranges.size() <= kLongest
               ? tr("only %1 %2 are lit").arg(units, ranges)
               : tr("only %1 of %2 %3 are lit").arg(countText(std::ssize(shown)), countText(all), units);
}

std::vector<viz::PointState> ScatterWidget::pickable() const
{
    std::vector<viz::PointState> states = m_filtered;
    if (m_litShown.empty())
        return states;
    for (std::size_t point = 0; point < states.size(); ++point)
        if (states[point] == viz::PointState::Shown && !isLit(m_map->points->head[point]))
            states[point] = viz::PointState::Dimmed;
    return states;
}

void ScatterWidget::refreshChoice()
{
    refreshLit();
    m_states = m_filtered;
    m_chosenShown = 0;
    if (!m_chosen.empty() || !m_litShown.empty())
    {
        const auto rows = m_chosenPoints == nullptr ? std::vector<std::int32_t>() : m_chosenPoints->rowByDocument();
        m_chosenShown = countPoints(m_threads, m_states.size(), [this, &rows](std::size_t point) {
            if (m_states[point] != viz::PointState::Shown)
                return false;
            const auto document = static_cast<std::size_t>(m_map->points->document[point]);
            const auto head = static_cast<std::size_t>(m_map->points->head[point]);
            const bool chosen =
                document < m_chosen.size() && m_chosen[document] != 0 &&
                (m_chosenPoints == nullptr ||
                 m_chosenPoints->has(static_cast<std::size_t>(rows[document]), static_cast<std::int64_t>(head)));
            if (!isLit(static_cast<std::int64_t>(head)) || (!m_chosen.empty() && !chosen))
                m_states[point] = viz::PointState::Dimmed;
            return chosen;
        });
    }
    dropPoints();
    describe();
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

void ScatterWidget::setChosen(const std::vector<std::int64_t>& documents, std::shared_ptr<const PointSet> points)
{
    m_chosen = flagsOf(documents);
    m_chosenPoints = std::move(points);
    refreshChoice();
}

std::int64_t ScatterWidget::chosenDocuments() const
{
    return std::ranges::count(m_chosen, char{1});
}

void ScatterWidget::setRings(std::vector<DocumentRing> rings)
{
    if (rings == m_ringsOf)
        return;
    m_ringsOf = std::move(rings);
    refreshRings();
}

void ScatterWidget::refreshRings()
{
    m_rings.clear();
    if (m_map != nullptr && !m_ringsOf.empty())
        m_rings.set(m_ringsOf, *m_map->points);
    m_ringLayer = QImage();
    update();
}

void ScatterWidget::refreshMarks()
{
    std::vector<std::int64_t> marked;
    std::optional<std::int64_t> focus;
    const auto document = m_hoveredDocument ? m_hoveredDocument : m_primary;
    const auto at = static_cast<std::size_t>(document.value_or(0));
    const bool shown = m_shownDocuments.empty() || (at < m_shownDocuments.size() && m_shownDocuments[at] != 0);
    if (m_map != nullptr && document && shown)
    {
        const PointIds& points = *m_map->points;
        std::int64_t first = 0;
        std::int64_t end = points.count();
        if (m_byDocument)
        {
            const auto range = std::ranges::equal_range(points.document, static_cast<std::int32_t>(*document));
            first = range.begin() - points.document.begin();
            end = range.end() - points.document.begin();
        }
        for (std::int64_t point = first; point < end; ++point)
        {
            const auto row = static_cast<std::size_t>(point);
            if (points.document[row] != *document)
                continue;
            if (row < m_filtered.size() && m_filtered[row] == viz::PointState::Hidden)
                continue; // of a head that is switched off: no dot stands there
            marked.push_back(point);
            if (document == m_primary && m_primaryHead == points.head[row])
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
        return m_extent.bounds;
    return extentOf(PointExtent::Which::NotHidden).bounds;
}

PointExtent ScatterWidget::extentOf(PointExtent::Which which) const
{
    return m_map == nullptr ? PointExtent() : PointExtent::of(m_map->xy.values(), m_states, which, m_threads);
}

} // namespace headscope::ui
