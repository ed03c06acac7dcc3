// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "viz/attention/shown_weights.h"

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// The weights of a head at halved sizes, each entry the largest of the four below it: a single strong weight among
/// thousands stays seen however far the picture is zoomed out.
/// @threads a value that is never changed once it is made; reentrant
class WeightPyramid
{
public:
    WeightPyramid() = default;
    /// @cost  O(T^2), a third of the memory of the weights
    explicit WeightPyramid(ShownWeights weights, int numThreads = 1);

    [[nodiscard]] const ShownWeights& weights() const { return m_weights; }
    /// Levels above the weights themselves, which are level 0.
    [[nodiscard]] int levels() const { return static_cast<int>(m_levels.size()); }
    /// The highest level whose entries are no longer than `cells` weights a side.
    [[nodiscard]] int levelFor(double cells) const;
    /// Largest weight of a level's entry; 0 <= row, column < ceil(T / 2^level).
    [[nodiscard]] float at(int level, std::int64_t row, std::int64_t column) const
    {
        return level == 0 ? m_weights(row, column) : m_levels[static_cast<std::size_t>(level - 1)](row, column);
    }
    /// Row of a level above the weights themselves.
    [[nodiscard]] const float* rowOf(int level, std::int64_t row) const
    {
        return m_levels[static_cast<std::size_t>(level - 1)].row(row).data();
    }
    [[nodiscard]] std::int64_t side(int level) const
    {
        return level == 0 ? m_weights.count() : m_levels[static_cast<std::size_t>(level - 1)].rows();
    }

private:
    /// The first entries of a row.
    void fill(std::vector<float>& out, int level, std::int64_t row, std::int64_t entries) const;

    ShownWeights m_weights;
    std::vector<MatrixF> m_levels;
};

} // namespace headscope::viz
