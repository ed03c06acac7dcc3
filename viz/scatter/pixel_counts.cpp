// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/pixel_counts.h"

#include "viz/scatter/point_lanes.h"

#include <algorithm>
#include <cstddef>

namespace headscope::viz
{

void PixelCounts::collect(const ScatterData& data, const DeviceTransform& transform, std::int64_t width,
                          std::int64_t height, int numThreads, ScatterCounts& counts, const JobContext& job)
{
    constexpr std::int64_t kBlockPoints = 1 << 16;
    const auto nowhere = static_cast<std::int32_t>(width * height);
    m_workers.resize(static_cast<std::size_t>(numThreads));
    for (Worker& worker : m_workers)
    {
        worker.pixels.assign(static_cast<std::size_t>(nowhere) + 1, 0);
        worker.full.clear();
    }
    const auto numPoints = static_cast<std::int64_t>(data.xy.size() / 2);
    std::vector<PointTally> tallies(static_cast<std::size_t>(blockCount(numPoints, kBlockPoints)));
    // Which worker counts a point is not fixed, but the sums of whole numbers are.
    parallelForBlocks(numThreads, numPoints, kBlockPoints, [&](const Block& block, int number) {
        if (job.stopRequested())
            return;
        Worker& worker = m_workers[static_cast<std::size_t>(number)];
        std::uint8_t* const pixels = worker.pixels.data();
        PointTally tally;
        visitPixels(data, transform, width, height, block, tally, [&](std::int64_t, Ints4 found, Ints4 drawn) {
            const Ints4 pixel = drawn ? found : Ints4{} + nowhere; // no branch
            for (int lane = 0; lane < kLanes; ++lane)
                if (++pixels[pixel[lane]] == 0)
                    worker.full.push_back(pixel[lane]);
        });
        tallies[static_cast<std::size_t>(block.index)] = tally;
    });
    for (const PointTally& tally : tallies)
        counts += tally.counts();
}

void PixelCounts::write(std::vector<std::uint32_t>& cells, int numThreads) const
{
    constexpr std::int64_t kBlockPixels = 1 << 16;
    cells.resize(m_workers.front().pixels.size() - 1);
    parallelFor(numThreads, std::ssize(cells), kBlockPixels, [&](std::int64_t begin, std::int64_t end) {
        std::uint32_t* to = cells.data();
        std::copy(m_workers.front().pixels.data() + begin, m_workers.front().pixels.data() + end, to + begin);
        for (std::size_t worker = 1; worker < m_workers.size(); ++worker)
        {
            const std::uint8_t* from = m_workers[worker].pixels.data();
            for (std::int64_t i = begin; i < end; ++i)
                to[i] += from[i];
        }
    });
    constexpr std::uint32_t kFull = 256;
    for (const Worker& worker : m_workers)
        for (const std::int32_t pixel : worker.full)
            if (pixel < std::ssize(cells))
                cells[static_cast<std::size_t>(pixel)] += kFull;
}

} // namespace headscope::viz
