// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/density_layer.h"

#include "model/base/parallel.h"
#include "viz/color/color_map.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::viz
{
namespace
{

constexpr std::int64_t kBlockPoints = 1 << 16;
constexpr std::int64_t kBlockRows = 32;

/// Sums of `numbers` over windows of 2 radius + 1 places, written `step` places apart.
void windowSums(const std::uint32_t* numbers, std::uint32_t* sums, std::int64_t count, std::int64_t step,
                std::int64_t radius)
{
    std::uint32_t sum = 0;
    for (std::int64_t i = 0; i < std::min(count, radius); ++i)
        sum += numbers[i * step];
    for (std::int64_t i = 0; i < count; ++i)
    {
        if (i + radius < count)
            sum += numbers[(i + radius) * step];
        sums[i * step] = sum;
        if (i >= radius)
            sum -= numbers[(i - radius) * step];
    }
}

/// Place on the colour map per count: the share of the occupied pixels that hold fewer points.
/// Counts above the table's end share its last entry.
std::vector<float> rankTable(const std::vector<std::uint32_t>& counts)
{
    constexpr std::size_t kMost = 1 << 16;
    std::vector<std::int64_t> pixels(kMost + 1, 0);
    std::int64_t occupied = 0;
    for (const std::uint32_t count : counts)
    {
        if (count == 0)
            continue;
        ++pixels[std::min<std::size_t>(count, kMost)];
        ++occupied;
    }
    std::vector<float> ranks(kMost + 1, 0.0F);
    std::int64_t below = 0;
    for (std::size_t count = 1; count <= kMost; ++count)
    {
        // The palest shades would be lost against the background.
        constexpr float kPalest = 0.1F;
        const float share = static_cast<float>(below) / static_cast<float>(std::max<std::int64_t>(1, occupied));
        ranks[count] = kPalest + (1.0F - kPalest) * share;
        below += pixels[count];
    }
    return ranks;
}

} // namespace

void DensityLayer::paint(QImage& image, const ScatterData& data, const DeviceTransform& transform, double radiusPx,
                         const ScatterStyle& style, int numThreads, ScatterCounts& counts)
{
    const std::int64_t width = image.width();
    const std::int64_t height = image.height();
    const auto numPixels = static_cast<std::size_t>(width * height);
    m_workerCounts.resize(static_cast<std::size_t>(numThreads));
    for (auto& worker : m_workerCounts)
        worker.assign(numPixels, 0);

    const auto numPoints = static_cast<std::int64_t>(data.xy.size() / 2);
    std::vector<ScatterCounts> blockCounts(static_cast<std::size_t>(blockCount(numPoints, kBlockPoints)));
    // Which worker counts a point is not fixed, but the sums of whole numbers are.
    parallelForBlocks(numThreads, numPoints, kBlockPoints, [&](const Block& block, int worker) {
        std::uint32_t* pixels = m_workerCounts[static_cast<std::size_t>(worker)].data();
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
                ++pixels[static_cast<std::int64_t>(y) * width + static_cast<std::int64_t>(x)];
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

    const auto reach = std::max<std::int64_t>(1, std::lround(radiusPx));
    std::vector<std::uint32_t>& sum = m_workerCounts.front();
    m_smooth.resize(numPixels);
    parallelForBlocks(numThreads, height, kBlockRows, [&](const Block& block, int) {
        for (std::int64_t row = block.begin; row < block.end; ++row)
        {
            for (std::size_t worker = 1; worker < m_workerCounts.size(); ++worker)
                for (std::int64_t i = row * width; i < (row + 1) * width; ++i)
                    sum[static_cast<std::size_t>(i)] += m_workerCounts[worker][static_cast<std::size_t>(i)];
            windowSums(sum.data() + row * width, m_smooth.data() + row * width, width, 1, reach);
        }
    });
    constexpr std::int64_t kBlockColumns = 64;
    parallelForBlocks(numThreads, width, kBlockColumns, [&](const Block& block, int) {
        for (std::int64_t column = block.begin; column < block.end; ++column)
            windowSums(m_smooth.data() + column, sum.data() + column, height, width, reach);
    });

    const std::vector<float> ranks = rankTable(sum);
    const ColorMap map = sequentialMap(style.theme);
    const QRgb background = style.transparent ? 0U : inks(style.theme).background.rgb();
    uchar* bits = image.bits();
    parallelForBlocks(numThreads, height, kBlockRows, [&](const Block& block, int) {
        for (std::int64_t row = block.begin; row < block.end; ++row)
        {
            auto* line = reinterpret_cast<QRgb*>(bits + row * image.bytesPerLine());
            for (std::int64_t x = 0; x < width; ++x)
            {
                const std::uint32_t count = sum[static_cast<std::size_t>(row * width + x)];
                const std::size_t entry = std::min<std::size_t>(count, ranks.size() - 1);
                line[x] = count == 0 ? background : map.at(static_cast<double>(ranks[entry]));
            }
        }
    });
}

} // namespace headscope::viz
