// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "viz/color/color_scale.h"
#include "viz/color/inks.h"
#include "viz/heatmap/heatmap_cells.h"

#include <QImage>

#include <cstdint>
#include <span>

namespace headscope::viz
{

/// The cells of a heatmap as pixels.
struct HeatmapRaster
{
    QImage image;
    bool averaged = false;      ///< more columns than pixels: a pixel is the mean (or largest) of its columns
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

/// Which part of the cells to paint, and at which size.
struct HeatmapPart
{
    std::span<const std::int64_t> rows; ///< which rows, from the top
    double rowBegin = 0;                ///< place in `rows` of the picture's upper edge
    double rowEnd = 0;                  ///< and of its lower edge
    double columnBegin = 0;             ///< column at the left edge, may lie inside of a column
    double columnEnd = 0;               ///< and at the right edge
    std::int64_t firstColumn = 0;       ///< no pixel shows columns before this one ...
    std::int64_t lastColumn = 0;        ///< ... or from this one on: where a topic begins and ends
    int width = 0;                      ///< pixels
    int height = 0;                     ///< pixels
    CellPooling pooling = CellPooling::Mean;
    std::span<const std::uint8_t> lit = {}; ///< [M] 0: pale; empty: none is
    int numThreads = 1;
};

/// A part of the cells as a picture of exactly width x height pixels, at any zoom. Columns wider than a
/// pixel are rectangles with sharp edges; where several columns or rows share a pixel it shows the mean
/// (or the largest) of their values, and is pale when none of its columns is lit. A pixel without a finite
/// value gets the theme's missing grey, hatched where cells are large enough.
/// @threads reentrant; the same picture on any number of threads
/// @cost    O(pixels x rows that share one) for means, whatever the number of columns
[[nodiscard]] HeatmapRaster heatmapPart(const HeatmapCells& cells, const HeatmapPart& part, const ColorScale& scale,
                                        InkTheme theme);

/// One whole block of rows and columns.
/// @param values  [R, M]
/// @param rows    which rows, from the top
/// @threads reentrant
/// @cost    O(cells + pixels)
[[nodiscard]] HeatmapRaster heatmapImage(ConstMatrixView values, std::span<const std::int64_t> rows,
                                         std::int64_t columnBegin, std::int64_t columnEnd, const ColorScale& scale,
                                         InkTheme theme, int width, int height);

} // namespace headscope::viz
