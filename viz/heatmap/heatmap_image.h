// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "viz/color/color_scale.h"
#include "viz/color/theme.h"

#include <QImage>

#include <cstdint>
#include <span>

namespace headscope::viz
{

/// The cells of a heatmap as pixels.
struct HeatmapRaster
{
    QImage image;
    bool averaged = false;      ///< more columns than pixels: a pixel is the mean of its columns
    double columnsPerPixel = 0; ///< in the densest topic
    std::int64_t missing = 0;   ///< cells without a value (NaN), grey; not part of any mean
};

/// First and one-past-last pixel of item i when `count` items share `pixels` pixels: whole pixels,
/// no item lost while there are as many pixels as items.
struct PixelSpan
{
    int begin = 0;
    int end = 0;
};
[[nodiscard]] PixelSpan pixelSpan(std::int64_t i, std::int64_t count, int pixels);

/// One block of rows and columns into a picture of exactly width x height pixels. Columns wider
/// than a pixel are drawn as rectangles with sharp edges; where several columns share a pixel it
/// shows the mean of their values. A pixel without a finite value gets the theme's missing grey,
/// hatched where cells are large enough.
/// @param values  [R, M]
/// @param rows    which rows, from the top
/// @threads reentrant
/// @cost    O(cells + pixels)
[[nodiscard]] HeatmapRaster heatmapImage(ConstMatrixView values, std::span<const std::int64_t> rows,
                                         std::int64_t columnBegin, std::int64_t columnEnd, const ColorScale& scale,
                                         Theme theme, int width, int height);

} // namespace headscope::viz
