// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/inks.h"
#include "viz/scatter/dot_stamps.h"
#include "viz/scatter/four_lanes.h"

#include <QRgb>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope::viz
{

/// A point in view, ready to be added: 8 bytes, so that ten million fit.
struct Dot
{
    std::int16_t x = 0;
    std::int16_t y = 0;
    std::uint16_t color = 0;
    std::uint8_t phase = 0; ///< phaseY * kPhases + phaseX
    std::uint8_t layer = 0;
};

/// The colours of the dots of one picture.
struct DotColors
{
    std::vector<Floats4> colors;     ///< red, green, blue from 0 to 255; 1
    std::vector<MarkerShape> shapes; ///< of each colour
};

/// A worker's sums over one band of rows: of each pixel optical depth, and depth-weighted colour. All zero except where
/// dots were added, which is kept track of, so that empty places cost nothing.
class DotSums
{
public:
    static constexpr int kRows = 32; ///< of a band: its sums stay in the cache at usual widths

    /// @param width  of the picture
    /// @param reach  of the stamps
    void setSize(int width, int reach);

    /// Adds dots to rows [top, top + rows) of the picture, in their order.
    void add(std::span<const Dot> dots, const DotStamps& stamps, const DotColors& colors, int top, int rows);

    /// Mixes the sums into the picture where dots were added, then sets them to zero.
    /// @param lines       row `top` of the picture, premultiplied
    /// @param stride      pixels from row to row of the picture
    /// @param background  what lies below where nothing was drawn in this band before
    void mix(QRgb* lines, std::ptrdiff_t stride, int rows, QRgb background);
    /// Ends the band: writes the background where nothing was drawn.
    void finish(QRgb* lines, std::ptrdiff_t stride, int rows, QRgb background);

private:
    static constexpr int kChunk = 32; ///< columns that are emptied and mixed together

    template <int kSide>
    void addAll(std::span<const Dot> dots, const DotStamps& stamps, const DotColors& colors, int top, int rows);
    template <bool kOpaque>
    void mixAll(QRgb* lines, std::ptrdiff_t stride, int rows, QRgb background);
    struct Columns
    {
        int begin = 0;
        int end = 0;
    };
    /// The columns of a chunk that lie in the picture, as columns of the sums.
    [[nodiscard]] Columns columnsOf(std::size_t chunk) const;

    int m_width = 0;
    int m_margin = 0; ///< columns before the picture's first: dots just outside need no test at the left and right
    int m_stride = 0;
    std::vector<Floats4> m_pixels;       ///< [kRows, stride] red, green, blue times depth; depth
    std::vector<std::uint8_t> m_touched; ///< of each chunk of columns: whether a dot reaches into it
    std::vector<std::uint8_t> m_drawn;   ///< of each chunk: whether this band's picture has something there
};

} // namespace headscope::viz
