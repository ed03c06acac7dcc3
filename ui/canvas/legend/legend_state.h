// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/axis/legend_painter.h"
#include "viz/scatter/point_coloring.h"
#include "viz/scatter/point_states.h"

#include <QString>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace headscope::ui
{

/// What a user has made of a map's legend: which labels are hidden or shown alone, and in which order its entries
/// stand. Heads are not kept here: the head picker shows and hides them in all views, and is asked to by an Answer.
/// @threads a value
class LegendState
{
public:
    /// What a click comes to.
    struct Answer
    {
        bool lightAll = false;                          ///< heads that stand out shall do so no more; before the others
        std::optional<std::vector<std::int64_t>> heads; ///< these shall be shown and no others
        bool labels = false;                            ///< other labels are hidden or pale: colorStates()
    };

    /// Another legend: all of its labels are shown. Orders stay.
    void showAllLabels();
    /// This entry alone; a label that is alone already brings all others back.
    [[nodiscard]] Answer isolate(const viz::Legend& legend, const viz::LegendHit& hit);
    /// Hides the entry or shows it again.
    [[nodiscard]] Answer toggle(const viz::Legend& legend, const viz::LegendHit& hit, const viz::PointStates& points);
    [[nodiscard]] Answer showAll(const viz::Legend& legend, const viz::PointStates& points);

    /// What becomes of each colour. [C]
    [[nodiscard]] std::vector<viz::PointState> colorStates(const viz::PointColoring& coloring) const;
    /// Entries all of whose points are hidden or pale because of the legend, the head picker or lit heads.
    [[nodiscard]] std::vector<viz::LegendHit> faded(const viz::Legend& legend, const viz::PointStates& points) const;

    /// Codes of the labels, or KV groups, that come first in the legend of this title; empty: as they come.
    [[nodiscard]] std::vector<std::int32_t> orderOf(const QString& title) const;
    void forgetOrders() { m_orders.clear(); }
    /// The label (its code) or row of heads (its group) shall stand before the entry that now has this place.
    /// @return whether that is another order
    bool move(const viz::Legend& legend, std::int64_t code, int place);
    /// @return whether the legend of this title had an order
    bool forgetOrder(const QString& title) { return m_orders.erase(title) != 0; }
    /// Puts rows of heads in the order they were given, or back in that of their numbers. Labels stand in the order
    /// of their colours, which their colouring gives them.
    void sortRows(viz::Legend& legend) const;
    /// The same where an order was given, else nothing: for a legend that is in its own order already.
    void sortMovedRows(viz::Legend& legend) const;

private:
    std::optional<std::int64_t> m_isolated;                ///< code of a label
    std::set<std::int64_t> m_hidden;                       ///< codes of labels
    std::map<QString, std::vector<std::int32_t>> m_orders; ///< by title of the legend
};

} // namespace headscope::ui
