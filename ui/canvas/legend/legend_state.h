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

/// Which labels of a legend are shown.
struct LabelsShown
{
    QString title;                     ///< of the legend
    std::optional<std::int64_t> alone; ///< code of the only label that is not pale
    std::set<std::int64_t> hidden;     ///< codes of labels

    [[nodiscard]] bool all() const { return !alone && hidden.empty(); }
    bool operator==(const LabelsShown&) const = default;
};

/// What a user has made of a map's legend: which labels are hidden or shown alone, and in which order its entries
/// stand. Heads are not kept here: the head picker shows and hides them in all views, on request of an Answer.
/// @threads a value
class LegendState
{
public:
    /// What a click asks for.
    struct Answer
    {
        bool lightAll = false;                          ///< unmark the marked heads, before the other requests
        std::optional<std::vector<std::int64_t>> heads; ///< show these heads and no others
        bool labels = false;                            ///< other labels are hidden or pale: colorStates()
    };

    /// Another legend: all of its labels are shown. Orders stay.
    void showAllLabels();
    /// Without its title.
    [[nodiscard]] LabelsShown labelsShown() const { return {{}, m_isolated, m_hidden}; }
    void setLabelsShown(const LabelsShown& labels);
    /// This entry alone; a label that is alone already brings all others back.
    [[nodiscard]] Answer isolate(const viz::Legend& legend, const viz::LegendHit& hit);
    /// Hides the entry or shows it again.
    [[nodiscard]] Answer toggle(const viz::Legend& legend, const viz::LegendHit& hit, const viz::PointStates& points);
    [[nodiscard]] Answer showAll(const viz::Legend& legend, const viz::PointStates& points);

    /// The state of each colour. [C]
    [[nodiscard]] std::vector<viz::PointState> colorStates(const viz::PointColoring& coloring) const;
    /// Entries all of whose points are hidden or pale because of the legend, the head picker or lit heads.
    [[nodiscard]] std::vector<viz::LegendHit> faded(const viz::Legend& legend, const viz::PointStates& points) const;

    /// Codes of the labels, or KV groups, that come first in the legend of this title; empty: as they come.
    [[nodiscard]] std::vector<std::int32_t> orderOf(const QString& title) const;
    void forgetOrders() { m_orders.clear(); }
    /// The label (its code) or row of heads (its group) shall be before the entry that now has this place.
    /// @return whether that is another order
    bool move(const viz::Legend& legend, std::int64_t code, int place);
    /// @return whether the legend of this title had an order
    bool forgetOrder(const QString& title) { return m_orders.erase(title) != 0; }
    /// Puts rows of heads in the order that the user gave them, or else by number. The order of labels is that of
    /// their colours, which the colouring determines.
    void sortRows(viz::Legend& legend) const;
    /// The same where the user gave an order, else nothing: for a legend that is already in its default order.
    void sortMovedRows(viz::Legend& legend) const;

private:
    std::optional<std::int64_t> m_isolated;                ///< code of a label
    std::set<std::int64_t> m_hidden;                       ///< codes of labels
    std::map<QString, std::vector<std::int32_t>> m_orders; ///< by title of the legend
};

} // namespace headscope::ui
