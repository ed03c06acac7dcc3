// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_image.h"

#include "viz/color/oklab.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace headscope::viz
{
namespace
{

/// Items that share pixel p: one where there are fewer items than pixels.
struct ItemRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

ItemRange itemsOfPixel(int pixel, std::int64_t count, int pixels)
{
    const std::int64_t begin = pixel * count / pixels;
    return {begin, std::max(begin + 1, (pixel + 1) * count / pixels)};
}

/// Mean of the finite values of a block; NaN when there is none.
double meanOf(ConstMatrixView values, std::span<const std::int64_t> rows, ItemRange rowRange, std::int64_t columnBegin,
              std::int64_t columnEnd)
{
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t r = rowRange.begin; r < rowRange.end; ++r)
    {
        const auto row = values.row(rows[static_cast<std::size_t>(r)]);
        for (std::int64_t c = columnBegin; c < columnEnd; ++c)
            if (const float value = row[static_cast<std::size_t>(c)]; std::isfinite(value))
            {
                sum += static_cast<double>(value);
                ++count;
            }
    }
    return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

std::int64_t countMissing(ConstMatrixView values, std::span<const std::int64_t> rows, std::int64_t columnBegin,
                          std::int64_t columnEnd)
{
    std::int64_t missing = 0;
    for (const std::int64_t r : rows)
    {
        const auto row = values.row(r);
        missing += std::count_if(row.begin() + columnBegin, row.begin() + columnEnd,
                                 [](float value) { return !std::isfinite(value); });
    }
    return missing;
}

} // namespace

PixelSpan pixelSpan(std::int64_t i, std::int64_t count, int pixels)
{
    if (count <= 0)
        return {};
    const auto edge = [count, pixels](std::int64_t item) {
        return static_cast<int>((item * pixels + count - 1) / count); // ceil
    };
    return {edge(i), edge(i + 1)};
}

HeatmapRaster heatmapImage(ConstMatrixView values, std::span<const std::int64_t> rows, std::int64_t columnBegin,
                           std::int64_t columnEnd, const ColorScale& scale, Theme theme, int width, int height)
{
    HeatmapRaster raster;
    const std::int64_t numColumns = columnEnd - columnBegin;
    const auto numRows = static_cast<std::int64_t>(rows.size());
    if (width <= 0 || height <= 0 || numColumns <= 0 || numRows <= 0)
        return raster;
    raster.image = QImage(width, height, QImage::Format_RGB32);
    if (raster.image.isNull())
        return raster;
    raster.columnsPerPixel = static_cast<double>(numColumns) / width;
    raster.averaged = numColumns > width || numRows > height;
    raster.missing = countMissing(values, rows, columnBegin, columnEnd);

    const QRgb missing = inks(theme).missing.rgb();
    const QRgb stripe = mixed(inks(theme).missing, inks(theme).background, 0.55).rgb();
    constexpr int kHatchedFrom = 5; // smaller cells would be all stripe or none
    const bool hatched = width / numColumns >= kHatchedFrom && height / numRows >= kHatchedFrom;
    ItemRange lastRows{-1, -1};
    for (int y = 0; y < height; ++y)
    {
        auto* line = reinterpret_cast<QRgb*>(raster.image.scanLine(y));
        const ItemRange rowRange = itemsOfPixel(y, numRows, height);
        if (y > 0 && !hatched && rowRange.begin == lastRows.begin && rowRange.end == lastRows.end)
        {
            const auto* above = reinterpret_cast<const QRgb*>(raster.image.constScanLine(y - 1));
            std::copy_n(above, width, line);
            continue;
        }
        lastRows = rowRange;
        for (int x = 0; x < width; ++x)
        {
            const ItemRange columns = itemsOfPixel(x, numColumns, width);
            const double mean = meanOf(values, rows, rowRange, columnBegin + columns.begin, columnBegin + columns.end);
            if (std::isnan(mean))
                line[x] = hatched && (x + y) % 4 == 0 ? stripe : missing;
            else
                line[x] = scale.color(mean);
        }
    }
    return raster;
}

} // namespace headscope::viz
