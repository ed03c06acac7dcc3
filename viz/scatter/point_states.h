// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_vectors.h"
#include "model/data/maps/point_set.h"
#include "viz/scatter/point_extent.h"
#include "viz/scatter/scatter_painter.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace headscope::viz
{

/// The state that the legend gives each colour of a map. The spans must outlive the call they are passed to.
struct ColorStates
{
    std::span<const std::uint16_t> index; ///< [P] into states, each below C; of another size: no point has a colour
    std::span<const PointState> states;   ///< [C]; empty: all are shown
};

/// The states of a map's points, [P], or empty: all are shown. It stays as it is: whoever paints elsewhere shares it,
/// and a change makes another.
using PointStateBlock = std::shared_ptr<const std::vector<PointState>>;

/// Which points of a map are shown, pale, chosen and marked, and why.
///
/// Heads, documents and colours decide which points are visible at all (the filter); the choice of documents or
/// points, and the marked ("lit") heads, only turn the other points pale. These settings survive a change of the
/// points: setPoints() applies them to the new ones.
/// @threads a value; passes over all points use setThreads() threads, and the result is independent of their number
/// @cost    one pass over the points for each change of filter or choice: 1,000,000 in a few milliseconds. None where
///          nothing is filtered, and none where nothing is chosen
class PointStates
{
public:
    void setThreads(int threads) { m_threads = threads; }

    /// Other points, whose colours are not known yet, or none; no point is under the pointer.
    void setPoints(std::shared_ptr<const PointIds> points);

    // The filter.
    /// Points of other heads are hidden; until the first call none is.
    void setShownHeads(const std::vector<std::int64_t>& heads, const ColorStates& colors);
    /// Points of other documents are hidden. Ascending; empty: none is.
    /// @return whether anything changed
    bool setShownDocuments(const std::vector<std::int64_t>& documents, const ColorStates& colors);
    void setColors(const ColorStates& colors);

    // The choice.
    /// The chosen documents, ascending, or of them some points: all others turn pale. Empty: none is pale.
    void setChosen(const std::vector<std::int64_t>& documents, std::shared_ptr<const PointSet> points);
    /// Heads that stand out while all others are pale; empty: none is.
    /// @return whether anything changed
    bool setLitHeads(const std::vector<std::int64_t>& heads);

    // The marks. Each returns whether other points are marked than before.
    /// The document whose points are ringed, and the head among them that stands out.
    bool setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head);
    /// The document under the pointer of another view; nothing while a point is under our own.
    bool setHoveredDocument(std::optional<DocumentIndex> document);
    /// The point under the pointer.
    bool setHoveredPoint(std::optional<std::int64_t> point);

    [[nodiscard]] std::int64_t count() const { return m_points == nullptr ? 0 : m_points->count(); }
    /// What is painted. [P]; empty: all points are shown, and none is pale.
    [[nodiscard]] std::span<const PointState> states() const { return *m_states; }
    /// The same, never null, for a worker.
    [[nodiscard]] const PointStateBlock& stateBlock() const { return m_states; }
    /// @pre 0 <= point < count()
    [[nodiscard]] PointState stateOf(std::int64_t point) const { return stateIn(*m_states, point); }
    /// Points that are not hidden.
    [[nodiscard]] std::int64_t shownCount() const { return m_shown; }
    /// How many points that the filter shows in full are chosen.
    [[nodiscard]] std::int64_t chosenCount() const { return m_chosenShown; }
    [[nodiscard]] std::int64_t chosenDocuments() const;
    /// Points that are chosen individually; null while documents are.
    [[nodiscard]] const std::shared_ptr<const PointSet>& chosenPoints() const { return m_chosenPoints; }
    [[nodiscard]] bool isDocumentChosen(DocumentIndex document) const;
    /// @pre 0 <= point < count()
    [[nodiscard]] bool isChosen(std::int64_t point) const;

    /// As setShownHeads() has it; nothing before its first call: all are.
    [[nodiscard]] const std::optional<std::set<std::int64_t>>& shownHeads() const { return m_shownHeads; }
    [[nodiscard]] bool isHeadShown(HeadIndex head) const
    {
        return !m_shownHeads || m_shownHeads->contains(head.value());
    }
    /// Whether setShownHeads() has left none.
    [[nodiscard]] bool noHeadShown() const { return m_shownHeads && m_shownHeads->empty(); }
    /// The heads of the map that are shown, ascending.
    [[nodiscard]] std::vector<std::int64_t> headsShown() const;
    /// Whether some of the shown heads stand out from others. Lit heads that the map lacks, or that are hidden, stand
    /// out from nothing, and neither do they if they are all that is shown.
    [[nodiscard]] bool someAreLit() const { return !m_litShown.empty(); }
    [[nodiscard]] bool isLit(HeadIndex head) const;

    /// What a gesture may pick and keys may step on: shown by the filter, and lit. A point that is pale because its
    /// document is not chosen is one.
    /// @pre 0 <= point < count()
    [[nodiscard]] bool isPickable(std::int64_t point) const;
    /// The same of all points, for a worker: Shown where they may be picked. [P]; empty: all may be.
    [[nodiscard]] PointStateBlock pickable() const;

    /// Where they lie.
    /// @param xy  [P, 2]
    [[nodiscard]] PointExtent extentOf(std::span<const float> xy, PointExtent::Which which) const
    {
        return PointExtent::of(xy, *m_states, which, m_threads);
    }

    [[nodiscard]] std::optional<std::int64_t> hoveredPoint() const { return m_hoveredPoint; }
    /// Points of the document under the pointer of another view, or else of the primary one, as far as they are not
    /// hidden; ascending.
    [[nodiscard]] const std::vector<std::int64_t>& marked() const { return m_marked; }
    /// The one of them that stands out, or the point under the pointer.
    [[nodiscard]] std::optional<std::int64_t> focus() const { return m_focus; }

private:
    [[nodiscard]] static PointState stateIn(const std::vector<PointState>& states, std::int64_t point)
    {
        return states.empty() ? PointState::Shown : states[static_cast<std::size_t>(point)];
    }
    void filter(const ColorStates& colors);
    void choose();
    void refreshLit();
    bool mark();
    [[nodiscard]] bool isDocumentShown(DocumentIndex document) const;

    int m_threads = 1;
    std::shared_ptr<const PointIds> m_points;
    std::int32_t m_lastHead = -1;
    /// Points come in the order of their documents: found without a search. Nothing: not looked at yet.
    std::optional<bool> m_byDocument;

    std::optional<std::set<std::int64_t>> m_shownHeads; ///< nothing: all are
    std::vector<char> m_shownDocuments;                 ///< by document; empty = all are shown
    std::vector<char> m_chosen;                         ///< by document; empty = none is chosen
    std::shared_ptr<const PointSet> m_chosenPoints;     ///< null: all points of chosen documents
    std::vector<char> m_litHeads;                       ///< by head, as asked for; empty = none is lit
    std::vector<char> m_litShown; ///< by head: those that stand out from other shown ones; empty = none is pale
    std::optional<DocumentIndex> m_primary;
    std::optional<HeadIndex> m_primaryHead;
    std::optional<DocumentIndex> m_hoveredDocument;
    std::optional<std::int64_t> m_hoveredPoint;

    PointStateBlock m_filtered = std::make_shared<std::vector<PointState>>(); ///< by the filter alone
    PointStateBlock m_states = m_filtered;                                    ///< and by choice and lit heads
    std::int64_t m_shown = 0;
    std::int64_t m_chosenShown = 0;
    std::vector<std::int64_t> m_marked;
    std::optional<std::int64_t> m_focus;
};

} // namespace headscope::viz
