// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/weight_pyramid.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <utility>

namespace headscope::viz
{

WeightPyramid::WeightPyramid(ShownWeights weights, int numThreads) : m_weights(std::move(weights))
{
    // Of a causal model nothing stands right of the diagonal.
    const bool causal = m_weights.causal();
    for (std::int64_t below = m_weights.count(); below > 1; below = side(levels()))
    {
        const int level = levels();
        const std::int64_t half = (below + 1) / 2;
        MatrixF next(half, half);
        constexpr std::int64_t kRows = 32;
        parallelFor(numThreads, half, kRows, [&](std::int64_t begin, std::int64_t end) {
            std::vector<float> upper(static_cast<std::size_t>(below));
            std::vector<float> lower(static_cast<std::size_t>(below));
            for (std::int64_t row = begin; row < end; ++row)
            {
                const std::int64_t columns = causal ? row + 1 : half;
                const std::int64_t entries = std::min(below, 2 * columns);
                fill(upper, level, 2 * row, entries);
                fill(lower, level, std::min(2 * row + 1, below - 1), entries);
                float* const to = next.row(row).data();
                for (std::int64_t column = 0; column < columns; ++column)
                {
                    const auto left = static_cast<std::size_t>(2 * column);
                    const auto right = static_cast<std::size_t>(std::min(2 * column + 1, below - 1));
                    to[column] = std::max(std::max(upper[left], upper[right]), std::max(lower[left], lower[right]));
                }
            }
        });
        m_levels.push_back(std::move(next));
    }
}

void WeightPyramid::fill(std::vector<float>& out, int level, std::int64_t row, std::int64_t entries) const
{
    if (level > 0)
    {
        const float* const from = rowOf(level, row);
        std::copy(from, from + entries, out.begin());
        return;
    }
    for (std::int64_t column = 0; column < entries; ++column)
        out[static_cast<std::size_t>(column)] = m_weights(row, column);
}

int WeightPyramid::levelFor(double cells) const
{
    int level = 0;
    while (level < levels() && static_cast<double>(std::int64_t(2) << level) <= cells)
        ++level;
    return level;
}

} // namespace headscope::viz
