// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/weight_image.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope::viz
{
namespace
{

/// Entries of a level under a pixel: [first, last), and the weights under it.
struct PixelCells
{
    std::int64_t first = 0;
    std::int64_t last = 1;
    std::int64_t firstWeight = 0;
    std::int64_t lastWeight = 0; ///< inclusive
};

std::vector<PixelCells> cellsOf(double moved, double cellPixels, int pixels, std::int64_t count, int level)
{
    std::vector<PixelCells> all(static_cast<std::size_t>(pixels));
    const std::int64_t entries = (count + (std::int64_t(1) << level) - 1) >> level;
    for (int pixel = 0; pixel < pixels; ++pixel)
    {
        PixelCells& each = all[static_cast<std::size_t>(pixel)];
        const double begin = (moved + pixel) / cellPixels;
        // A pixel inside of one cell shows that one; else all that begin before its end.
        const double end = cellPixels >= 1 ? begin : (moved + pixel + 1) / cellPixels;
        each.firstWeight = std::clamp<std::int64_t>(static_cast<std::int64_t>(begin), 0, count - 1);
        each.lastWeight =
            std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(end)) - 1, each.firstWeight, count - 1);
        each.first = each.firstWeight >> level;
        each.last = std::min(entries, (each.lastWeight >> level) + 1);
    }
    return all;
}

float mostUnder(const WeightPyramid& weights, int level, const PixelCells& row, const PixelCells& column)
{
    float most = 0;
    for (std::int64_t i = row.first; i < row.last; ++i)
    {
        if (level == 0)
        {
            for (std::int64_t j = column.first; j < column.last; ++j)
                most = std::max(most, weights.weights()(i, j));
            continue;
        }
        const float* const entries = weights.rowOf(level, i);
        most = std::max(most, *std::max_element(entries + column.first, entries + column.last));
    }
    return most;
}

} // namespace

QImage weightImage(const WeightPyramid& weights, QSize pixels, QPointF moved, double cellPixels, InkTheme theme)
{
    QImage image(pixels, QImage::Format_RGB32);
    const std::int64_t count = weights.weights().count();
    if (image.isNull() || count == 0)
        return image;
    const int level = weights.levelFor(1 / cellPixels);
    const std::vector<PixelCells> rows = cellsOf(moved.y(), cellPixels, pixels.height(), count, level);
    const std::vector<PixelCells> columns = cellsOf(moved.x(), cellPixels, pixels.width(), count, level);
    const QRgb unwritten = unwrittenColor(theme).rgb();
    const QRgb takenOut = takenOutColor(theme).rgb();
    const ColorMap& map = attentionMap(theme);
    const bool causal = weights.weights().causal();
    const bool withoutFirst = weights.weights().withoutFirst();
    for (int y = 0; y < pixels.height(); ++y)
    {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const PixelCells& row = rows[static_cast<std::size_t>(y)];
        for (int x = 0; x < pixels.width(); ++x)
        {
            const PixelCells& column = columns[static_cast<std::size_t>(x)];
            if (causal && column.firstWeight > row.lastWeight)
            {
                line[x] = unwritten;
                continue;
            }
            if (withoutFirst && column.firstWeight == 0)
            {
                line[x] = takenOut;
                continue;
            }
            const float most = mostUnder(weights, level, row, column);
            line[x] = map.at(attentionPlace(static_cast<double>(most)));
        }
    }
    return image;
}

} // namespace headscope::viz
