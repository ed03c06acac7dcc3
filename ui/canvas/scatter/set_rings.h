// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "viz/geometry/view_transform.h"
#include "viz/scatter/scatter_painter.h"

#include <QColor>

#include <cstdint>
#include <span>
#include <vector>

class QPainter;

namespace headscope::ui
{

/// Documents whose dots have a ring of this colour.
struct DocumentRing
{
    QColor color;
    std::vector<std::int64_t> documents; ///< ascending

    bool operator==(const DocumentRing&) const = default;
};

/// Rings around the dots of sets, whatever colours the dots have. A dot of several sets has them around
/// each other.
/// @threads a value
class SetRings
{
public:
    /// At most this many rings are drawn, spread over all, to limit the time of a frame; a badge says so.
    static constexpr std::int64_t kMost = 20'000;
    /// The limit while the view moves.
    static constexpr std::int64_t kMaxMoving = 4'000;

    /// @cost linear in the points
    void set(const std::vector<DocumentRing>& rings, const PointIds& points);
    void clear() { m_sets.clear(); }
    [[nodiscard]] bool isEmpty() const { return m_sets.empty(); }

    struct Counts
    {
        std::int64_t drawn = 0;
        std::int64_t all = 0; ///< that are shown and in view
        bool operator==(const Counts&) const = default;
    };
    /// @param data      places and states; marks are not looked at
    /// @param radiusPx  of a dot
    Counts paint(QPainter& painter, const viz::ScatterData& data, const viz::ViewTransform& view, double radiusPx,
                 std::int64_t most) const;

private:
    struct Set
    {
        QColor color;
        std::vector<std::int64_t> points;
        std::vector<std::uint8_t> inner; ///< rings of earlier sets around the same point
    };
    std::vector<Set> m_sets;
};

} // namespace headscope::ui
