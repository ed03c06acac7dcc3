// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/point_states.h"

#include "model/base/parallel.h"
#include "model/data/selection.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr std::int64_t kBlock = 1 << 17; ///< points

bool isSet(const std::vector<char>& flags, std::int64_t at)
{
    return at >= 0 && at < std::ssize(flags) && flags[static_cast<std::size_t>(at)] != 0;
}

/// Calls `visit(point)` for every point, each once and on any thread; how many times it said yes.
template <class Visit>
std::int64_t countPoints(int numThreads, std::size_t points, const Visit& visit)
{
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

struct PointOrder
{
    bool byDocument = false;
    std::int32_t lastHead = -1;
};

/// One pass over the points, on so many threads.
PointOrder orderOfPoints(const PointIds& points, int numThreads)
{
    const std::int64_t count = points.count();
    std::vector<PointOrder> blocks(static_cast<std::size_t>(blockCount(count, kBlock)));
    parallelFor(numThreads, count, kBlock, [&](std::int64_t begin, std::int64_t end) {
        // One loop for each question, without a branch: several points are looked at by each instruction.
        const std::int32_t* const head = points.head.data();
        const std::int32_t* const document = points.document.data();
        std::int32_t lastHead = -1;
        for (std::int64_t i = begin; i < end; ++i)
            lastHead = std::max(lastHead, head[i]);
        std::int32_t falls = 0;
        for (std::int64_t i = std::max<std::int64_t>(begin, 1); i < end; ++i)
            falls |= document[i - 1] > document[i] ? 1 : 0;
        blocks[static_cast<std::size_t>(begin / kBlock)] = {falls == 0, lastHead};
    });
    PointOrder all{true, -1};
    for (const PointOrder& block : blocks)
        all = {all.byDocument && block.byDocument, std::max(all.lastHead, block.lastHead)};
    return all;
}

} // namespace

void PointStates::setPoints(std::shared_ptr<const PointIds> points)
{
    m_points = std::move(points);
    const PointOrder order = m_points == nullptr ? PointOrder() : orderOfPoints(*m_points, m_threads);
    m_byDocument = order.byDocument;
    m_lastHead = order.lastHead;
    m_hoveredPoint.reset();
    filter({});
}

void PointStates::setShownHeads(const std::vector<std::int64_t>& heads, const ColorStates& colors)
{
    m_shownHeads.emplace(heads.begin(), heads.end());
    filter(colors);
}

bool PointStates::setShownDocuments(const std::vector<std::int64_t>& documents, const ColorStates& colors)
{
    std::vector<char> shown = flagsOf(documents);
    if (shown == m_shownDocuments)
        return false;
    m_shownDocuments = std::move(shown);
    filter(colors);
    return true;
}

void PointStates::setColors(const ColorStates& colors)
{
    filter(colors);
}

void PointStates::setChosen(const std::vector<std::int64_t>& documents, std::shared_ptr<const PointSet> points)
{
    m_chosen = flagsOf(documents);
    m_chosenPoints = std::move(points);
    choose();
}

bool PointStates::setLitHeads(const std::vector<std::int64_t>& heads)
{
    std::vector<char> lit;
    for (const std::int64_t head : heads)
    {
        if (head >= std::ssize(lit))
            lit.resize(static_cast<std::size_t>(head) + 1, 0);
        lit[static_cast<std::size_t>(head)] = 1;
    }
    if (lit == m_litHeads)
        return false;
    m_litHeads = std::move(lit);
    choose();
    return true;
}

bool PointStates::setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head)
{
    m_primary = document;
    m_primaryHead = head;
    return mark();
}

bool PointStates::setHoveredDocument(std::optional<DocumentIndex> document)
{
    m_hoveredDocument = m_hoveredPoint ? std::nullopt : document;
    return mark();
}

bool PointStates::setHoveredPoint(std::optional<std::int64_t> point)
{
    if (point == m_hoveredPoint)
        return false;
    m_hoveredPoint = point;
    m_hoveredDocument.reset();
    return mark();
}

void PointStates::filter(const ColorStates& colors)
{
    const auto points = static_cast<std::size_t>(count());
    m_filtered.assign(points, PointState::Shown);
    m_shown = count();
    const bool colored = colors.index.size() == points &&
                         std::ranges::any_of(colors.states, [](auto state) { return state != PointState::Shown; });
    if (points > 0 && (colored || m_shownHeads || !m_shownDocuments.empty()))
    {
        std::vector<char> headShown(static_cast<std::size_t>(1 + m_lastHead), 0);
        for (std::int64_t head = 0; head <= m_lastHead; ++head)
            headShown[static_cast<std::size_t>(head)] = isHeadShown(HeadIndex(head)) ? 1 : 0;
        m_shown -= countPoints(m_threads, points, [&](std::size_t point) {
            if (headShown[static_cast<std::size_t>(m_points->head[point])] == 0 ||
                !isDocumentShown(m_points->documentOf(point)))
                m_filtered[point] = PointState::Hidden;
            else if (colored)
                m_filtered[point] = colors.states[colors.index[point]];
            return m_filtered[point] == PointState::Hidden;
        });
    }
    mark(); // none stands where no dot does
    choose();
}

void PointStates::choose()
{
    refreshLit();
    m_chosenShown = 0;
    if (m_filtered.empty() || (m_chosen.empty() && m_litShown.empty())) // without a map there are no points
    {
        m_states = m_filtered;
        return;
    }
    m_states.resize(m_filtered.size());
    const auto rows = m_chosenPoints == nullptr ? std::vector<std::int32_t>() : m_chosenPoints->rowByDocument();
    // Copies, because a state that is written could otherwise be part of them.
    const PointState* const filtered = m_filtered.data();
    PointState* const states = m_states.data();
    const std::int32_t* const documentOf = m_points->document.data();
    const std::int32_t* const headOf = m_points->head.data();
    const std::span<const char> chosen = m_chosen;
    const bool someLit = !m_litShown.empty();
    const PointSet* const set = m_chosenPoints.get();
    m_chosenShown = countPoints(
        m_threads, m_states.size(), [&, filtered, states, documentOf, headOf, chosen, someLit, set](std::size_t point) {
            if (filtered[point] != PointState::Shown)
            {
                states[point] = filtered[point];
                return false;
            }
            const auto document = static_cast<std::size_t>(documentOf[point]);
            const HeadIndex head(headOf[point]);
            const bool isChosen = document < chosen.size() && chosen[document] != 0 &&
                                  (set == nullptr || set->has(static_cast<std::size_t>(rows[document]), head));
            const bool pale = (someLit && !isLit(head)) || (!chosen.empty() && !isChosen);
            states[point] = pale ? PointState::Dimmed : PointState::Shown;
            return isChosen;
        });
}

void PointStates::refreshLit()
{
    m_litShown.clear();
    const std::vector<std::int64_t> shown = headsShown();
    const auto lit = std::ranges::count_if(shown, [this](std::int64_t head) { return isSet(m_litHeads, head); });
    if (lit > 0 && lit < std::ssize(shown))
        m_litShown = m_litHeads;
}

bool PointStates::mark()
{
    std::vector<std::int64_t> marked;
    std::optional<std::int64_t> focus;
    const auto document = m_hoveredDocument ? m_hoveredDocument : m_primary;
    if (m_points != nullptr && document && isDocumentShown(*document))
    {
        std::int64_t first = 0;
        std::int64_t end = count();
        if (m_byDocument)
        {
            const auto range =
                std::ranges::equal_range(m_points->document, static_cast<std::int32_t>(document->value()));
            first = range.begin() - m_points->document.begin();
            end = range.end() - m_points->document.begin();
        }
        for (std::int64_t point = first; point < end; ++point)
        {
            const auto row = static_cast<std::size_t>(point);
            if (m_points->documentOf(row) != *document || m_filtered[row] == PointState::Hidden)
                continue; // of a head that is switched off: no dot stands there
            marked.push_back(point);
            if (document == m_primary && m_primaryHead == m_points->headOf(row))
                focus = point;
        }
    }
    if (m_hoveredPoint)
        focus = m_hoveredPoint;
    const bool changed = marked != m_marked || focus != m_focus;
    m_marked = std::move(marked);
    m_focus = focus;
    return changed;
}

std::int64_t PointStates::chosenDocuments() const
{
    return std::ranges::count(m_chosen, char{1});
}

bool PointStates::isDocumentShown(DocumentIndex document) const
{
    return m_shownDocuments.empty() || isSet(m_shownDocuments, document.value());
}

bool PointStates::isDocumentChosen(DocumentIndex document) const
{
    return isSet(m_chosen, document.value());
}

bool PointStates::isChosen(std::int64_t point) const
{
    const DocumentIndex document = m_points->documentOf(point);
    return isDocumentChosen(document) &&
           (m_chosenPoints == nullptr || m_chosenPoints->contains(document, m_points->headOf(point)));
}

std::vector<std::int64_t> PointStates::headsShown() const
{
    std::vector<std::int64_t> heads;
    for (std::int64_t head = 0; head <= m_lastHead; ++head)
        if (isHeadShown(HeadIndex(head)))
            heads.push_back(head);
    return heads;
}

bool PointStates::isLit(HeadIndex head) const
{
    return m_litShown.empty() || isSet(m_litShown, head.value());
}

bool PointStates::isPickable(std::int64_t point) const
{
    const auto at = static_cast<std::size_t>(point);
    return m_filtered[at] == PointState::Shown && isLit(m_points->headOf(at));
}

std::vector<PointState> PointStates::pickable() const
{
    std::vector<PointState> states = m_filtered;
    if (m_litShown.empty())
        return states;
    for (std::size_t point = 0; point < states.size(); ++point)
        if (states[point] == PointState::Shown && !isLit(m_points->headOf(point)))
            states[point] = PointState::Dimmed;
    return states;
}

} // namespace headscope::viz
