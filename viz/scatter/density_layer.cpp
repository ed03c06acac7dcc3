// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/density_layer.h"

#include "viz/color/color_map.h"
#include "viz/color/oklab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace headscope::viz
{
namespace
{

/// The palest shades would be lost against the background.
constexpr float kPalest = 0.1F;
/// A place with a single point must still show its hue.
constexpr float kPalestColor = 0.3F;
constexpr double kSteps = 255;
constexpr double kChromaReach = 0.4; ///< a and b of sRGB lie well within

std::int64_t reachOf(double radiusPx)
{
    return std::max<std::int64_t>(1, std::lround(radiusPx));
}

} // namespace

Legend densityLegend(InkTheme theme)
{
    Legend legend;
    legend.title = QStringLiteral("Density");
    legend.hint = QStringLiteral("by rank");
    legend.content = NumberLegend{ColorScale(sequentialMap(theme), {0, 1})};
    return legend;
}

void DensityLayer::paint(QImage& image, const ScatterData& data, const DeviceTransform& transform, double radiusPx,
                         const ScatterStyle& style, int numThreads, ScatterCounts& counts, const JobContext& job)
{
    const std::int64_t width = image.width();
    m_sums.collect(data, transform, width, image.height(), numThreads, counts, job);
    if (job.stopRequested())
        return;
    m_sums.smooth(reachOf(radiusPx), numThreads);
    const std::vector<std::uint32_t>& sum = m_sums.cells();
    const std::vector<float> ranks =
        rankTable(sum.size(), kPalest, numThreads, [cells = sum.data()](std::size_t i) { return cells[i]; });
    const ColorMap map = sequentialMap(style.theme);
    std::vector<QRgb> colors(ranks.size());
    for (std::size_t count = 1; count < colors.size(); ++count) // most counts occur nowhere
        colors[count] =
            ranks[count] == ranks[count - 1] ? colors[count - 1] : map.at(static_cast<double>(ranks[count]));
    colors[0] = style.transparent ? 0U : inks(style.theme).background.rgb();
    uchar* bits = image.bits();
    const QRgb* const shades = colors.data();
    const auto last = static_cast<std::uint32_t>(colors.size() - 1);
    parallelForBlocks(numThreads, image.height(), m_sums.kBlockRows, [&](const Block& block, int) {
        for (std::int64_t row = block.begin; row < block.end; ++row)
        {
            auto* line = reinterpret_cast<QRgb*>(bits + row * image.bytesPerLine());
            const std::uint32_t* cells = sum.data() + row * width;
            for (std::int64_t x = 0; x < width; ++x)
                line[x] = shades[std::min(cells[x], last)];
        }
    });
}

MeanColorLayer::ColorSum& MeanColorLayer::ColorSum::operator+=(const ColorSum& other)
{
    points += other.points;
    lightness += other.lightness;
    a += other.a;
    b += other.b;
    return *this;
}

MeanColorLayer::ColorSum& MeanColorLayer::ColorSum::operator-=(const ColorSum& other)
{
    points -= other.points;
    lightness -= other.lightness;
    a -= other.a;
    b -= other.b;
    return *this;
}

void MeanColorLayer::paint(QImage& image, const ScatterData& data, const DeviceTransform& transform, double radiusPx,
                           const ScatterStyle& style, int numThreads, ScatterCounts& counts, const JobContext& job)
{
    std::vector<ColorSum> colors;
    for (const QRgb color : data.colors)
    {
        const Oklab lab = toOklab(QColor(color));
        const auto step = [](double share) {
            return static_cast<std::uint32_t>(std::lround(std::clamp(share, 0.0, 1.0) * kSteps));
        };
        colors.push_back(
            {1U, step(lab.lightness), step(0.5 + lab.a / (2 * kChromaReach)), step(0.5 + lab.b / (2 * kChromaReach))});
    }
    if (colors.empty())
        colors.push_back({1U, 0U, 127U, 127U}); // black;
    const std::int64_t width = image.width();
    m_sums.collect(data, transform, width, image.height(), numThreads, counts, job,
                   [&](std::size_t point) { return colors[data.index.empty() ? 0 : data.index[point]]; });
    if (job.stopRequested())
        return;
    m_sums.smooth(reachOf(radiusPx), numThreads);
    const auto& sum = m_sums.cells();
    const std::vector<float> ranks =
        rankTable(sum.size(), kPalestColor, numThreads, [&](std::size_t i) { return sum[i].points; });
    const Oklab paper = toOklab(inks(style.theme).background);
    const QRgb background = style.transparent ? 0U : inks(style.theme).background.rgb();
    uchar* bits = image.bits();
    parallelForBlocks(numThreads, image.height(), m_sums.kBlockRows, [&](const Block& block, int) {
        for (std::int64_t row = block.begin; row < block.end; ++row)
        {
            auto* line = reinterpret_cast<QRgb*>(bits + row * image.bytesPerLine());
            for (std::int64_t x = 0; x < width; ++x)
            {
                const ColorSum& cell = sum[static_cast<std::size_t>(row * width + x)];
                if (cell.points == 0)
                {
                    line[x] = background;
                    continue;
                }
                const double points = kSteps * static_cast<double>(cell.points);
                const double share = static_cast<double>(ranks[std::min<std::size_t>(cell.points, ranks.size() - 1)]);
                const auto towardsPaper = [share](double value, double from) { return from + share * (value - from); };
                const double a = 2 * kChromaReach * (static_cast<double>(cell.a) / points - 0.5);
                const double b = 2 * kChromaReach * (static_cast<double>(cell.b) / points - 0.5);
                line[x] = pixelFromOklab({towardsPaper(static_cast<double>(cell.lightness) / points, paper.lightness),
                                          towardsPaper(a, paper.a), towardsPaper(b, paper.b)});
            }
        }
    });
}

} // namespace headscope::viz
