// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/scatter/scatter_painter.h"

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// The first points of a fixed permutation, side by side: they are drawn while the view moves, where all points would
/// take too long.
///
/// The permutation goes around all blocks of 64 points again and again, and takes from each block
/// one point a round, which one is hashed from the block. So a prefix holds the same share of every
/// stretch of the points (heads, documents), is a superset of each smaller one, and is gathered in
/// one pass over memory.
/// @threads an object belongs to one thread at a time
class PointPrefix
{
public:
    static constexpr int kRounds = 64;

    /// Copies what the first `rounds` rounds of the permutation hold of `data`; marks and focus stay
    /// out, as their numbers would mean other points.
    /// @param rounds  1..kRounds; all of them hold every point
    /// @cost  one pass over the points and one copy of those taken
    void take(const ScatterData& data, int rounds, int numThreads);

    /// How to draw the points taken, so that the picture looks like that of all: dots of the same size, which make up
    /// in opacity what they lack in number.
    [[nodiscard]] ScatterStyle styleOf(const ScatterStyle& style, const ViewTransform& view) const;

    /// The points taken; colours and shapes are those of the data they came from, which outlive it.
    [[nodiscard]] const ScatterData& data() const { return m_data; }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_xy.size() / 2); }

    /// Whether point `point` belongs to the first `rounds` rounds.
    [[nodiscard]] static bool holds(std::int64_t point, int rounds);
    /// The rounds that hold no more than `most` of `points` points; at least one.
    [[nodiscard]] static int roundsOf(std::int64_t points, std::int64_t most);
    /// How many of `points` points the first `rounds` rounds hold.
    [[nodiscard]] static std::int64_t countOf(std::int64_t points, int rounds);

private:
    std::vector<float> m_xy;
    std::vector<std::uint16_t> m_index;
    std::vector<PointState> m_states;
    ScatterData m_data;
    std::int64_t m_all = 0; ///< points that these are taken from
    int m_rounds = kRounds;
};

} // namespace headscope::viz
