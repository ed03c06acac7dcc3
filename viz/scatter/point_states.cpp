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

/// The sum of `found(begin, end)` over all blocks of points, each once and on any thread.
template <class Found>
std::int64_t sumOverBlocks(int numThreads, std::int64_t points, const Found& found)
{
    std::vector<std::int64_t> counts(static_cast<std::size_t>(blockCount(points, kBlock)), 0);
    parallelFor(numThreads, points, kBlock, [&](std::int64_t begin, std::int64_t end) {
        counts[static_cast<std::size_t>(begin / kBlock)] = found(begin, end);
    });
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

// Both look at several points with each instruction: no branches.

std::int32_t lastHeadOf(const PointIds& points, int numThreads)
{
    std::vector<std::int32_t> blocks(static_cast<std::size_t>(blockCount(points.count(), kBlock)), -1);
    parallelFor(numThreads, points.count(), kBlock, [&](std::int64_t begin, std::int64_t end) {
        const std::int32_t* const head = points.head.data();
        std::int32_t last = -1;
        for (std::int64_t i = begin; i < end; ++i)
            last = std::max(last, head[i]);
        blocks[static_cast<std::size_t>(begin / kBlock)] = last;
    });
    return std::accumulate(blocks.begin(), blocks.end(), -1, [](auto a, auto b) { return std::max(a, b); });
}

bool inOrderOfDocuments(const PointIds& points, int numThreads)
{
    return sumOverBlocks(numThreads, points.count(), [&](std::int64_t begin, std::int64_t end) {
               const std::int32_t* const document = points.document.data();
               std::int32_t falls = 0;
               for (std::int64_t i = std::max<std::int64_t>(begin, 1); i < end; ++i)
                   falls |= document[i - 1] > document[i] ? 1 : 0;
               return std::int64_t{falls};
           }) == 0;
}

/// What turns points pale.
struct Choice
{
    const PointIds& points;
    std::span<const PointState> filtered;      ///< [P]; empty: all are shown
    std::vector<char> lit;                     ///< by head
    std::span<const char> documents;           ///< by document: whether it is chosen; empty: nothing is chosen
    const PointSet* set = nullptr;             ///< null: all points of chosen documents
    std::vector<std::int32_t> rows;            ///< of the set, by document
    std::vector<std::uint64_t> all;            ///< a bit for each head
    std::uint64_t litWord = ~std::uint64_t{0}; ///< `lit` of the first heads, as bits

    /// The chosen heads of a document, as bits.
    [[nodiscard]] std::span<const std::uint64_t> headsOf(std::size_t document) const
    {
        if (document >= documents.size() || documents[document] == 0)
            return {};
        return set == nullptr ? std::span(all) : set->wordsOf(static_cast<std::size_t>(rows[document]));
    }

    /// Writes the states of the points of one document from `i` on, which is moved behind them.
    /// @return how many are chosen
    std::int64_t paintDocument(std::int64_t& i, std::int64_t end, PointState* states) const
    {
        const std::int32_t* const documentOf = points.document.data();
        const std::int32_t* const headOf = points.head.data();
        const std::int32_t document = documentOf[i];
        const std::span<const std::uint64_t> heads = headsOf(static_cast<std::size_t>(document));
        const std::uint64_t chosen = heads.empty() ? 0 : heads.front();
        const std::uint64_t full = litWord & (documents.empty() ? ~std::uint64_t{0} : chosen);
        std::int64_t found = 0;
        for (; i < end && documentOf[i] == document; ++i)
        {
            const auto head = static_cast<std::uint32_t>(headOf[i]) % PointSet::kBits;
            states[i] = (full >> head & 1U) != 0 ? PointState::Shown : PointState::Dimmed;
            found += static_cast<std::int64_t>(chosen >> head & 1U);
        }
        return found;
    }

    /// Whether paintDocument() can be asked: all points are shown, and all heads fit in one word.
    [[nodiscard]] bool isPlain() const
    {
        return filtered.empty() && all.size() == 1 && (set == nullptr || set->isEmpty() || set->wordsOf(0).size() == 1);
    }

    /// Writes the states of a block of points. @return how many that the filter shows are chosen
    std::int64_t paint(std::int64_t begin, std::int64_t end, PointState* states) const
    {
        if (!isPlain())
            return paintAny(begin, end, states);
        std::int64_t found = 0;
        while (begin < end)
            found += paintDocument(begin, end, states);
        return found;
    }
    /// The same, whatever is filtered.
    std::int64_t paintAny(std::int64_t begin, std::int64_t end, PointState* states) const
    {
        // Copies, because a state that is written could otherwise be part of them.
        const std::int32_t* const documentOf = points.document.data();
        const std::int32_t* const headOf = points.head.data();
        const PointState* const before = filtered.empty() ? nullptr : filtered.data();
        const char* const isLit = lit.data();
        const std::size_t numLit = lit.size();
        const bool some = !documents.empty();
        std::int64_t found = 0;
        for (std::int64_t i = begin; i < end;)
        {
            const std::int32_t document = documentOf[i];
            const std::span<const std::uint64_t> heads = headsOf(static_cast<std::size_t>(document));
            for (; i < end && documentOf[i] == document; ++i)
            {
                const auto head = static_cast<std::uint32_t>(headOf[i]);
                const bool chosen = head / PointSet::kBits < heads.size() &&
                                    (heads.data()[head / PointSet::kBits] >> head % PointSet::kBits & 1U) != 0;
                const PointState state = before == nullptr ? PointState::Shown : before[i];
                const bool shown = state == PointState::Shown;
                const bool pale = (head < numLit && isLit[head] == 0) || (some && !chosen);
                states[i] = shown && pale ? PointState::Dimmed : state;
                found += shown && chosen ? 1 : 0;
            }
        }
        return found;
    }
};

} // namespace

void PointStates::setPoints(std::shared_ptr<const PointIds> points)
{
    m_points = std::move(points);
    m_byDocument.reset();
    m_lastHead = m_points == nullptr ? -1 : lastHeadOf(*m_points, m_threads);
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
    m_shown = count();
    const bool colored = colors.index.size() == points &&
                         std::ranges::any_of(colors.states, [](auto state) { return state != PointState::Shown; });
    std::vector<char> headShown(static_cast<std::size_t>(1 + m_lastHead), 0);
    for (std::int64_t head = 0; head <= m_lastHead; ++head)
        headShown[static_cast<std::size_t>(head)] = isHeadShown(HeadIndex(head)) ? 1 : 0;
    if (!colored && m_shownDocuments.empty() && std::ranges::find(headShown, char{0}) == headShown.end())
    {
        if (!m_filtered->empty())
            m_filtered = std::make_shared<std::vector<PointState>>();
    }
    else
    {
        const auto filtered = std::make_shared<std::vector<PointState>>(points, PointState::Shown);
        m_shown -= sumOverBlocks(m_threads, count(), [&](std::int64_t begin, std::int64_t end) {
            std::int64_t hidden = 0;
            for (auto point = static_cast<std::size_t>(begin); point < static_cast<std::size_t>(end); ++point)
            {
                PointState& state = (*filtered)[point];
                if (headShown[static_cast<std::size_t>(m_points->head[point])] == 0 ||
                    !isDocumentShown(m_points->documentOf(point)))
                    state = PointState::Hidden;
                else if (colored)
                    state = colors.states[colors.index[point]];
                hidden += state == PointState::Hidden ? 1 : 0;
            }
            return hidden;
        });
        m_filtered = filtered;
    }
    mark(); // none stands where no dot does
    choose();
}

void PointStates::choose()
{
    refreshLit();
    m_chosenShown = 0;
    if (count() == 0 || (m_chosen.empty() && m_litShown.empty()))
    {
        m_states = m_filtered;
        return;
    }
    Choice choice{*m_points, *m_filtered, {}, m_chosen, m_chosenPoints.get(), {}, {}};
    for (std::int64_t head = 0; head <= m_lastHead; ++head)
        choice.lit.push_back(isLit(HeadIndex(head)) ? 1 : 0);
    choice.all.assign(choice.lit.size() / PointSet::kBits + 1, ~std::uint64_t{0});
    for (std::size_t head = 0; head < std::min(choice.lit.size(), PointSet::kBits); ++head)
        choice.litWord &= ~(std::uint64_t{choice.lit[head] == 0} << head);
    if (m_chosenPoints != nullptr)
        choice.rows = m_chosenPoints->rowByDocument();
    const auto painted = std::make_shared<std::vector<PointState>>(static_cast<std::size_t>(count()));
    m_chosenShown = sumOverBlocks(m_threads, count(), [&choice, states = painted->data()](auto begin, auto end) {
        return choice.paint(begin, end, states);
    });
    m_states = painted;
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
        if (!m_byDocument)
            m_byDocument = inOrderOfDocuments(*m_points, m_threads);
        if (*m_byDocument)
        {
            const std::vector<std::int32_t>& documents = m_points->document;
            const auto [from, to] =
                std::equal_range(documents.begin(), documents.end(), static_cast<std::int32_t>(document->value()));
            first = from - documents.begin();
            end = to - documents.begin();
        }
        for (std::int64_t point = first; point < end; ++point)
        {
            const auto row = static_cast<std::size_t>(point);
            if (m_points->documentOf(row) != *document || stateIn(*m_filtered, point) == PointState::Hidden)
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
    return stateIn(*m_filtered, point) == PointState::Shown && isLit(m_points->headOf(point));
}

PointStateBlock PointStates::pickable() const
{
    if (m_litShown.empty())
        return m_filtered;
    auto states = std::make_shared<std::vector<PointState>>(static_cast<std::size_t>(count()));
    for (std::size_t point = 0; point < states->size(); ++point)
    {
        const PointState state = stateIn(*m_filtered, static_cast<std::int64_t>(point));
        const bool pale = state == PointState::Shown && !isLit(m_points->headOf(point));
        (*states)[point] = pale ? PointState::Dimmed : state;
    }
    return states;
}

} // namespace headscope::viz
