// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/point_density.h"

#include "viz/geometry/view_transform.h"
#include "viz/scatter/pixel_sums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace headscope::viz
{
namespace
{

constexpr int kCells = 512; ///< a side
constexpr int kMargin = 8;  ///< so that windows do not end at the border
constexpr std::int64_t kReach = 3;
constexpr std::size_t kRanks = 1 << 16;

} // namespace

std::vector<float> pointDensities(std::span<const float> xy, int numThreads)
{
    std::vector<float> densities(xy.size() / 2, std::numeric_limits<float>::quiet_NaN());
    const auto bounds = dataBounds(xy);
    if (!bounds)
        return densities;
    const DeviceTransform transform(ViewTransform::fit(*bounds, QSizeF(kCells, kCells), kMargin), 1);
    ScatterData data;
    data.xy = xy;
    ScatterCounts counts;
    PixelSums<std::uint32_t> sums;
    sums.collect(data, transform, kCells, kCells, numThreads, counts);
    sums.smooth(kReach, numThreads);
    sums.smooth(kReach, numThreads);
    const std::vector<std::uint32_t>& cells = sums.cells();
    const double perRank =
        static_cast<double>(kRanks - 1) / std::max<double>(kRanks - 1, *std::max_element(cells.begin(), cells.end()));
    constexpr std::size_t kNowhere = kRanks;
    const auto rankOf = [&](std::size_t point) {
        const float x = transform.x(xy[2 * point]);
        const float y = transform.y(xy[2 * point + 1]);
        if (!(x >= 0 && y >= 0 && x < kCells && y < kCells))
            return kNowhere;
        const std::uint32_t count = cells[static_cast<std::size_t>(y) * kCells + static_cast<std::size_t>(x)];
        return static_cast<std::size_t>(perRank * count);
    };
    std::vector<std::int64_t> below(kRanks + 1, 0); // by rank, then summed up
    for (std::size_t i = 0; i < densities.size(); ++i)
        ++below[rankOf(i)];
    std::int64_t total = 0;
    for (std::size_t rank = 0; rank < kRanks; ++rank)
        total += std::exchange(below[rank], total);
    for (std::size_t i = 0; i < densities.size(); ++i)
        if (const std::size_t rank = rankOf(i); rank != kNowhere)
            densities[i] = static_cast<float>(static_cast<double>(below[rank]) / static_cast<double>(total));
    return densities;
}

} // namespace headscope::viz
