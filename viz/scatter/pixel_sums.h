// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/parallel.h"
#include "viz/scatter/dot_layer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// Sums of whole numbers over the points at each pixel, smoothed over a window: what every picture
/// of density is made of. Whole numbers, so that threads may add in any order.
/// @tparam Cell  std::uint32_t, or several of them in one vector; starts at zero, adds and subtracts
template <class Cell>
class PixelSums
{
public:
    /// Adds cellOf(point) at the pixel of every shown point, and counts points as DotLayer does.
    template <class CellOf>
    void collect(const ScatterData& data, const DeviceTransform& transform, std::int64_t width, std::int64_t height,
                 int numThreads, ScatterCounts& counts, const CellOf& cellOf)
    {
        m_width = width;
        m_height = height;
        m_workers.resize(static_cast<std::size_t>(numThreads));
        for (auto& worker : m_workers)
            worker.assign(static_cast<std::size_t>(width * height), Cell{});
        const auto numPoints = static_cast<std::int64_t>(data.xy.size() / 2);
        std::vector<ScatterCounts> blockCounts(static_cast<std::size_t>(blockCount(numPoints, kBlockPoints)));
        // Which worker counts a point is not fixed, but the sums of whole numbers are.
        parallelForBlocks(numThreads, numPoints, kBlockPoints, [&](const Block& block, int worker) {
            Cell* pixels = m_workers[static_cast<std::size_t>(worker)].data();
            ScatterCounts& found = blockCounts[static_cast<std::size_t>(block.index)];
            for (std::int64_t at = block.begin; at < block.end; ++at)
            {
                const auto i = static_cast<std::size_t>(at);
                if (!data.states.empty() && data.states[i] != PointState::Shown)
                {
                    ++found.hidden;
                    continue;
                }
                const float x = transform.x(data.xy[2 * i]);
                const float y = transform.y(data.xy[2 * i + 1]);
                if (x >= 0 && y >= 0 && x < static_cast<float>(width) && y < static_cast<float>(height))
                {
                    ++found.drawn;
                    pixels[static_cast<std::int64_t>(y) * width + static_cast<std::int64_t>(x)] += cellOf(i);
                }
                else
                    ++(std::isfinite(data.xy[2 * i]) && std::isfinite(data.xy[2 * i + 1]) ? found.outside
                                                                                          : found.notFinite);
            }
        });
        for (const ScatterCounts& block : blockCounts)
        {
            counts.drawn += block.drawn;
            counts.outside += block.outside;
            counts.notFinite += block.notFinite;
            counts.hidden += block.hidden;
        }
        std::vector<Cell>& sum = m_workers.front();
        parallelForBlocks(numThreads, height, kBlockRows, [&](const Block& block, int) {
            for (std::size_t worker = 1; worker < m_workers.size(); ++worker)
                for (std::int64_t i = block.begin * width; i < block.end * width; ++i)
                    sum[static_cast<std::size_t>(i)] += m_workers[worker][static_cast<std::size_t>(i)];
        });
    }

    /// Sums over windows of (2 reach + 1)^2 pixels.
    void smooth(std::int64_t reach, int numThreads)
    {
        std::vector<Cell>& sum = m_workers.front();
        m_rows.resize(sum.size());
        parallelForBlocks(numThreads, m_height, kBlockRows, [&](const Block& block, int) {
            for (std::int64_t row = block.begin; row < block.end; ++row)
                windowSums(sum.data() + row * m_width, m_rows.data() + row * m_width, m_width, 1, reach);
        });
        parallelForBlocks(numThreads, m_width, kBlockColumns, [&](const Block& block, int) {
            for (std::int64_t column = block.begin; column < block.end; ++column)
                windowSums(m_rows.data() + column, sum.data() + column, m_height, m_width, reach);
        });
    }

    /// [height * width]
    [[nodiscard]] const std::vector<Cell>& cells() const { return m_workers.front(); }

    static constexpr std::int64_t kBlockRows = 32;

private:
    static constexpr std::int64_t kBlockPoints = 1 << 16;
    static constexpr std::int64_t kBlockColumns = 64;

    /// Sums of `numbers` over windows of 2 reach + 1 places, written `step` places apart.
    static void windowSums(const Cell* numbers, Cell* sums, std::int64_t count, std::int64_t step, std::int64_t reach)
    {
        Cell sum{};
        for (std::int64_t i = 0; i < std::min(count, reach); ++i)
            sum += numbers[i * step];
        for (std::int64_t i = 0; i < count; ++i)
        {
            if (i + reach < count)
                sum += numbers[(i + reach) * step];
            sums[i * step] = sum;
            if (i >= reach)
                sum -= numbers[(i - reach) * step];
        }
    }

    std::int64_t m_width = 0;
    std::int64_t m_height = 0;
    std::vector<std::vector<Cell>> m_workers; ///< [height * width] each; the first holds the sum
    std::vector<Cell> m_rows;
};

/// Place on a scale per count: the share of the occupied pixels that hold fewer points (histogram
/// equalisation), from `least` to 1. Counts above the table's end share its last entry.
/// @param countOf  of pixel i < pixels
template <class CountOf>
std::vector<float> rankTable(std::size_t pixels, float least, const CountOf& countOf)
{
    constexpr std::size_t kMost = 1 << 16;
    std::vector<std::int64_t> histogram(kMost + 1, 0);
    std::int64_t occupied = 0;
    for (std::size_t i = 0; i < pixels; ++i)
    {
        const std::uint32_t count = countOf(i);
        if (count == 0)
            continue;
        ++histogram[std::min<std::size_t>(count, kMost)];
        ++occupied;
    }
    std::vector<float> ranks(kMost + 1, 0.0F);
    std::int64_t below = 0;
    for (std::size_t count = 1; count <= kMost; ++count)
    {
        const float share = static_cast<float>(below) / static_cast<float>(std::max<std::int64_t>(1, occupied));
        ranks[count] = least + (1.0F - least) * share;
        below += histogram[count];
    }
    return ranks;
}

} // namespace headscope::viz
