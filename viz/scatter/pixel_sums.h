// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/parallel.h"
#include "viz/scatter/device_transform.h"
#include "viz/scatter/pixel_counts.h"
#include "viz/scatter/point_lanes.h"
#include "viz/scatter/scatter_painter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace headscope::viz
{

/// Sums of whole numbers over the points at each pixel, smoothed over a window: what every picture of density is made
/// of. Whole numbers, so that threads may add in any order.
/// @tparam Cell  std::uint32_t, or several of them in one vector; starts at zero, adds and subtracts
template <class Cell>
class PixelSums
{
public:
    /// Adds cellOf(point) at the pixel of every shown point, and counts points as DotLayer does; of some only, if the
    /// job is stopped.
    template <class CellOf>
    void collect(const ScatterData& data, const DeviceTransform& transform, std::int64_t width, std::int64_t height,
                 int numThreads, ScatterCounts& counts, const JobContext& job, const CellOf& cellOf)
    {
        m_width = width;
        m_height = height;
        m_workers.resize(static_cast<std::size_t>(numThreads));
        for (auto& worker : m_workers)
            worker.assign(static_cast<std::size_t>(width * height), Cell{});
        const auto numPoints = static_cast<std::int64_t>(data.xy.size() / 2);
        std::vector<PointTally> tallies(static_cast<std::size_t>(blockCount(numPoints, kBlockPoints)));
        // Which worker counts a point is not fixed, but the sums of whole numbers are.
        parallelForBlocks(numThreads, numPoints, kBlockPoints, [&](const Block& block, int worker) {
            if (job.stopRequested())
                return;
            Cell* const pixels = m_workers[static_cast<std::size_t>(worker)].data();
            PointTally tally;
            visitPixels(data, transform, width, height, block, tally,
                        [&](std::int64_t first, Ints4 found, Ints4 drawn) {
                            for (int lane = 0; lane < kLanes; ++lane)
                                if (drawn[lane] != 0)
                                    pixels[found[lane]] += cellOf(static_cast<std::size_t>(first + lane));
                        });
            tallies[static_cast<std::size_t>(block.index)] = tally;
        });
        for (const PointTally& tally : tallies)
            counts += tally.counts();
        std::vector<Cell>& sum = m_workers.front();
        parallelForBlocks(numThreads, height, kBlockRows, [&](const Block& block, int) {
            for (std::size_t worker = 1; worker < m_workers.size(); ++worker)
                for (std::int64_t i = block.begin * width; i < block.end * width; ++i)
                    sum[static_cast<std::size_t>(i)] += m_workers[worker][static_cast<std::size_t>(i)];
        });
    }

    /// Counts the shown points at every pixel.
    void collect(const ScatterData& data, const DeviceTransform& transform, std::int64_t width, std::int64_t height,
                 int numThreads, ScatterCounts& counts,
                 const JobContext& job = {}) requires std::is_same_v<Cell, std::uint32_t>
    {
        m_width = width;
        m_height = height;
        m_workers.resize(1);
        m_counts.collect(data, transform, width, height, numThreads, counts, job);
        m_counts.write(m_workers.front(), numThreads);
    }

    /// Sums over windows of (2 reach + 1)^2 pixels.
    void smooth(std::int64_t reach, int numThreads)
    {
        std::vector<Cell>& sum = m_workers.front();
        m_rows.resize(sum.size());
        parallelForBlocks(numThreads, m_height, kBlockRows, [&](const Block& block, int) {
            for (std::int64_t row = block.begin; row < block.end; ++row)
                windowSums(sum.data() + row * m_width, m_rows.data() + row * m_width, m_width, reach);
        });
        // Down the columns a whole row of running sums at once: neighbours in memory stay neighbours.
        parallelForBlocks(numThreads, m_width, kBlockColumns, [&](const Block& block, int) {
            std::array<Cell, kBlockColumns> running{};
            const std::int64_t columns = block.end - block.begin;
            const auto rowOf = [&](std::vector<Cell>& cells, std::int64_t row) {
                return cells.data() + row * m_width + block.begin;
            };
            const auto add = [&](std::int64_t row) {
                const Cell* cells = rowOf(m_rows, row);
                for (std::int64_t c = 0; c < columns; ++c)
                    running[static_cast<std::size_t>(c)] += cells[c];
            };
            for (std::int64_t row = 0; row < std::min(m_height, reach); ++row)
                add(row);
            for (std::int64_t row = 0; row < m_height; ++row)
            {
                if (row + reach < m_height)
                    add(row + reach);
                Cell* sums = rowOf(sum, row);
                for (std::int64_t c = 0; c < columns; ++c)
                    sums[c] = running[static_cast<std::size_t>(c)];
                if (row < reach)
                    continue;
                const Cell* gone = rowOf(m_rows, row - reach);
                for (std::int64_t c = 0; c < columns; ++c)
                    running[static_cast<std::size_t>(c)] -= gone[c];
            }
        });
    }

    /// [height * width]
    [[nodiscard]] const std::vector<Cell>& cells() const { return m_workers.front(); }

    static constexpr std::int64_t kBlockRows = 32;

private:
    static constexpr std::int64_t kBlockPoints = 1 << 16;
    static constexpr std::int64_t kBlockColumns = 256;

    /// Sums of `numbers` over windows of 2 reach + 1 places.
    static void windowSums(const Cell* numbers, Cell* sums, std::int64_t count, std::int64_t reach)
    {
        if constexpr (std::is_integral_v<Cell>)
            if (reach == 1 && count >= 2) // of small dots; several pixels at a time
            {
                sums[0] = numbers[0] + numbers[1];
                for (std::int64_t i = 1; i < count - 1; ++i)
                    sums[i] = numbers[i - 1] + numbers[i] + numbers[i + 1];
                sums[count - 1] = numbers[count - 2] + numbers[count - 1];
                return;
            }
        Cell sum{};
        for (std::int64_t i = 0; i < std::min(count, reach); ++i)
            sum += numbers[i];
        for (std::int64_t i = 0; i < count; ++i)
        {
            if (i + reach < count)
                sum += numbers[i + reach];
            sums[i] = sum;
            if (i >= reach)
                sum -= numbers[i - reach];
        }
    }

    std::int64_t m_width = 0;
    std::int64_t m_height = 0;
    std::vector<std::vector<Cell>> m_workers; ///< [height * width] each; the first holds the sum
    std::vector<Cell> m_rows;
    PixelCounts m_counts; ///< of numbers alone
};

/// Place on a scale per count: the share of the occupied pixels that hold fewer points (histogram equalisation), from
/// `least` to 1. Counts above the table's end share its last entry.
/// @param countOf  of pixel i < pixels; called on `numThreads` threads
template <class CountOf>
std::vector<float> rankTable(std::size_t pixels, float least, int numThreads, const CountOf& countOf)
{
    constexpr std::size_t kMost = 1 << 16;
    constexpr std::int64_t kBlockPixels = 1 << 16;
    std::vector<std::vector<std::uint32_t>> workers(static_cast<std::size_t>(numThreads));
    parallelForBlocks(numThreads, static_cast<std::int64_t>(pixels), kBlockPixels, [&](const Block& block, int worker) {
        std::vector<std::uint32_t>& counted = workers[static_cast<std::size_t>(worker)];
        counted.resize(kMost + 1, 0);
        std::uint32_t empty = 0; // apart: additions to one place in memory wait for each other
        for (auto i = static_cast<std::size_t>(block.begin); i < static_cast<std::size_t>(block.end); ++i)
            if (const std::size_t count = countOf(i); count == 0)
                ++empty;
            else
                ++counted.data()[std::min(count, kMost)];
        counted[0] += empty;
    });
    std::vector<std::int64_t> histogram(kMost + 1, 0);
    for (const std::vector<std::uint32_t>& counted : workers)
        for (std::size_t count = 0; count < counted.size(); ++count)
            histogram[count] += counted[count];
    const std::int64_t occupied = static_cast<std::int64_t>(pixels) - histogram[0];
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
