// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map_set.h"
#include "viz/color/head_palette.h"
#include "viz/scatter/point_coloring.h"
#include "viz/scatter/scatter_painter.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace headscope::viz
{

/// The points of all maps of a set for a painter: documents have a colour and a state, whichever map
/// they are seen in. Maps of the same documents share what is kept of them.
class GridPoints
{
public:
    /// @param set  null: none. Sets of one run, whose maps keep their PointIds, cost nothing.
    void setSet(std::shared_ptr<const HeadMapSet> set);
    [[nodiscard]] const std::shared_ptr<const HeadMapSet>& set() const { return m_set; }

    /// Each map in the colour of its head, full in grey: where no coloring is set.
    void setPalette(const HeadPalette& palette);
    /// @param coloring  index[d] is the colour of document d; nothing: by head
    void setColoring(std::optional<PointColoring> coloring);
    /// Colours for each map separately, in the order of the set; a map without one (or with one for other points) is
    /// coloured as if this had not been called. Until another coloring or maps of other points are set.
    void setMapColorings(std::vector<std::optional<PointColoring>> own) { m_own = std::move(own); }
    [[nodiscard]] bool hasMapColorings() const { return !m_own.empty(); }
    [[nodiscard]] const std::optional<PointColoring>& coloring() const { return m_coloring; }
    /// @param states  [N] by document; empty: all shown
    void setStates(std::vector<PointState> states);
    [[nodiscard]] const std::vector<PointState>& states() const { return m_states; }

    /// What a painter needs of a map; valid until the next change.
    [[nodiscard]] ScatterData data(std::size_t map) const;
    /// The same colours as of the points of one map, for a view of its own.
    [[nodiscard]] PointColoring coloringOf(std::size_t map) const;
    [[nodiscard]] std::optional<std::int64_t> pointOf(std::size_t map, DocumentIndex document) const;
    [[nodiscard]] DocumentIndex documentOf(std::size_t map, std::int64_t point) const;
    /// Different documents in all maps.
    [[nodiscard]] std::int64_t documents() const { return m_documents; }

private:
    /// What maps of the same documents share.
    struct Order
    {
        std::shared_ptr<const PointIds> points; ///< of the first of them
        std::vector<std::int32_t> pointOf;      ///< by document; -1: none
        std::vector<std::uint16_t> index;       ///< [P] colours
        std::vector<PointState> states;         ///< [P]
    };
    void fillColors(Order& order) const;
    void fillStates(Order& order) const;
    void refreshHeadColors();
    [[nodiscard]] const PointColoring* ownOf(std::size_t map) const;

    std::shared_ptr<const HeadMapSet> m_set;
    std::vector<Order> m_orders;
    std::vector<std::size_t> m_orderOf; ///< of each map
    std::vector<QRgb> m_headColors;     ///< of each map
    HeadPalette m_palette;
    std::optional<PointColoring> m_coloring;
    std::vector<std::optional<PointColoring>> m_own; ///< of each map; or none
    std::vector<PointState> m_states;
    std::int64_t m_documents = 0;
};

} // namespace headscope::viz
