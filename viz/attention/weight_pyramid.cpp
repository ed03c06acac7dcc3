// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/weight_pyramid.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <utility>

namespace headscope::viz
{

WeightPyramid::WeightPyramid(ShownWeights weights, int numThreads) : m_weights(std::move(weights))
{
    for (std::int64_t below = m_weights.count(); below > 1; below = side(levels()))
    {
        const int level = levels();
        const std::int64_t half = (below + 1) / 2;
        MatrixF next(half, half);
        constexpr std::int64_t kRows = 32;
        parallelFor(numThreads, half, kRows, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row)
                for (std::int64_t column = 0; column < half; ++column)
                {
                    const std::int64_t right = std::min(2 * column + 1, below - 1);
                    const std::int64_t under = std::min(2 * row + 1, below - 1);
                    next(row, column) = std::max(std::max(at(level, 2 * row, 2 * column), at(level, 2 * row, right)),
                                                 std::max(at(level, under, 2 * column), at(level, under, right)));
                }
        });
        m_levels.push_back(std::move(next));
    }
}

int WeightPyramid::levelFor(double cells) const
{
    int level = 0;
    while (level < levels() && static_cast<double>(std::int64_t(2) << level) <= cells)
        ++level;
    return level;
}

} // namespace headscope::viz
