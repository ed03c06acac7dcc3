// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/dot_sums.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr float kMaxDepth = 8.0F; ///< exp(-8) is below half of 1/255
constexpr std::size_t kAlphaSteps = 4096;
constexpr auto kFull = static_cast<std::int32_t>(0xff000000); ///< of a pixel that nothing shines through

/// 1 - exp(-depth) by table, for depth 0 .. kMaxDepth.
const std::array<float, kAlphaSteps + 1>& alphaTable()
{
    static const auto table = [] {
        std::array<float, kAlphaSteps + 1> values{};
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = -std::expm1(-static_cast<float>(i) * kMaxDepth / kAlphaSteps);
        return values;
    }();
    return table;
}

/// Four pixels: the mean colour of their dots over what lies below, or that alone where no dot was added.
/// @tparam kOpaque  what lies below is opaque
template <bool kOpaque>
[[gnu::always_inline]] inline Ints4 mixed(const Floats4* sums, Ints4 below, const float* alphas)
{
    const Floats4 redGreen01 = __builtin_shufflevector(sums[0], sums[1], 0, 4, 1, 5);
    const Floats4 redGreen23 = __builtin_shufflevector(sums[2], sums[3], 0, 4, 1, 5);
    const Floats4 blueDepth01 = __builtin_shufflevector(sums[0], sums[1], 2, 6, 3, 7);
    const Floats4 blueDepth23 = __builtin_shufflevector(sums[2], sums[3], 2, 6, 3, 7);
    const Floats4 red = __builtin_shufflevector(redGreen01, redGreen23, 0, 1, 4, 5);
    const Floats4 green = __builtin_shufflevector(redGreen01, redGreen23, 2, 3, 6, 7);
    const Floats4 blue = __builtin_shufflevector(blueDepth01, blueDepth23, 0, 1, 4, 5);
    const Floats4 depth = __builtin_shufflevector(blueDepth01, blueDepth23, 2, 3, 6, 7);

    const Ints4 step = truncated(smaller(depth, Floats4{} + kMaxDepth) * (kAlphaSteps / kMaxDepth) + 0.5F);
    const auto steps = std::bit_cast<std::array<std::uint32_t, kLanes>>(step);
    const Floats4 alpha = {alphas[steps[0]], alphas[steps[1]], alphas[steps[2]], alphas[steps[3]]};
    // No division by zero where no dot is: alpha is 0 there, and what lies below stays.
    const Floats4 perDepth = 1.0F / larger(depth, Floats4{} + std::numeric_limits<float>::min());
    const auto over = [&](Floats4 mean, int shift) {
        const Floats4 under = toFloats((below >> shift) & 255);
        return truncated(under + (mean - under) * alpha + 0.5F) << shift; // premultiplied on both sides
    };
    const Ints4 opacity = kOpaque ? Ints4{} + kFull : over(Floats4{} + 255.0F, 24);
    return opacity | over(red * perDepth, 16) | over(green * perDepth, 8) | over(blue * perDepth, 0);
}

/// mixed() for a stretch of a row, at most 32 groups of four; the sums are zero afterwards. Sums may be read, but not
/// pixels, up to the next multiple of four.
/// @param belowAt  what lies below four pixels
template <bool kOpaque, class BelowAt>
void mixStretch(Floats4* sums, QRgb* line, int count, const BelowAt& belowAt)
{
    const float* alphas = alphaTable().data();
    // Groups with dots follow no order that a processor could predict: they are found first, then mixed.
    unsigned groups = 0;
    int i = 0;
    for (unsigned bit = 1; i + kLanes <= count; i += kLanes, bit <<= 1U)
    {
        storeInts(belowAt(line + i), line + i);
        groups |= (sums[i] + sums[i + 1] + sums[i + 2] + sums[i + 3])[3] > 0 ? bit : 0;
    }
    for (; groups != 0; groups &= groups - 1)
    {
        const int at = kLanes * std::countr_zero(groups);
        storeInts(mixed<kOpaque>(sums + at, belowAt(line + at), alphas), line + at);
        std::fill_n(sums + at, kLanes, Floats4{});
    }
    if (i == count)
        return;
    std::array<QRgb, kLanes> last{};
    std::copy(line + i, line + count, last.begin());
    storeInts(mixed<kOpaque>(sums + i, belowAt(last.data()), alphas), last.data());
    std::copy_n(last.begin(), count - i, line + i);
    std::fill(sums + i, sums + count, Floats4{});
}

} // namespace

void DotSums::setSize(int width, int reach)
{
    m_width = width;
    m_margin = (2 * reach + kLanes - 1) / kLanes * kLanes;
    m_stride = m_margin + width + 2 * reach + kLanes;
    // Zero from the last picture, wherever its rows began.
    m_pixels.resize(static_cast<std::size_t>(m_stride) * kRows);
    m_touched.resize(static_cast<std::size_t>((m_stride + kChunk - 1) / kChunk));
    m_drawn.resize(m_touched.size());
}

template <int kSide>
void DotSums::addAll(std::span<const Dot> dots, const DotStamps& stamps, const DotColors& colors, int top, int rows)
{
    const int side = kSide > 0 ? kSide : stamps.side();
    const int depthStride = kSide > 0 ? (kSide + kLanes - 1) / kLanes * kLanes : stamps.stride();
    const std::size_t lastColor = colors.colors.size() - 1;
    // Copies, because a byte that is written could otherwise be part of them.
    const Floats4* const palette = colors.colors.data();
    const MarkerShape* const shapes = colors.shapes.data();
    std::uint8_t* const touched = m_touched.data();
    Floats4* const pixels = m_pixels.data();
    const std::ptrdiff_t stride = m_stride;
    const int margin = m_margin;
    for (const Dot dot : dots)
    {
        const std::size_t colorIndex = std::min<std::size_t>(dot.color, lastColor);
        const Floats4 color = palette[colorIndex];
        const DotStamps::Stamp stamp = stamps.stamp(shapes[colorIndex], dot.phase);
        const int firstX = dot.x + stamp.column + margin; // not negative
        const int firstY = dot.y + stamp.row - top;       // in rows of the band
        constexpr unsigned kChunkColumns = kChunk;
        for (int x = firstX; x < firstX + side - 1; x += kChunk)
            touched[static_cast<unsigned>(x) / kChunkColumns] = 1;
        touched[static_cast<unsigned>(firstX + side - 1) / kChunkColumns] = 1;
        Floats4* const corner = pixels + firstY * stride + firstX;
        const auto addRow = [&](int row) {
            for (int column = 0; column < side; ++column)
                corner[row * stride + column] += color * stamp.depths[row * depthStride + column];
        };
        if (firstY >= 0 && firstY + side <= rows)
            for (int row = 0; row < side; ++row)
                addRow(row);
        else
            for (int row = std::max(0, -firstY); row < std::min(side, rows - firstY); ++row)
                addRow(row);
    }
}

void DotSums::add(std::span<const Dot> dots, const DotStamps& stamps, const DotColors& colors, int top, int rows)
{
    // Small sides are known to the compiler: no loops.
    switch (stamps.side())
    {
    case 2:
        return addAll<2>(dots, stamps, colors, top, rows);
    case 3:
        return addAll<3>(dots, stamps, colors, top, rows);
    case 4:
        return addAll<4>(dots, stamps, colors, top, rows);
    case 5:
        return addAll<5>(dots, stamps, colors, top, rows);
    default:
        return addAll<0>(dots, stamps, colors, top, rows);
    }
}

void DotSums::mix(QRgb* lines, std::ptrdiff_t stride, int rows, QRgb background)
{
    if (qAlpha(background) == 255)
        mixAll<true>(lines, stride, rows, background);
    else
        mixAll<false>(lines, stride, rows, background);
}

template <bool kOpaque>
void DotSums::mixAll(QRgb* lines, std::ptrdiff_t stride, int rows, QRgb background)
{
    const Ints4 paper = Ints4{} + static_cast<std::int32_t>(background);
    for (int row = 0; row < rows; ++row)
    {
        Floats4* sums = m_pixels.data() + static_cast<std::ptrdiff_t>(row) * m_stride;
        for (std::size_t chunk = 0; chunk < m_touched.size(); ++chunk)
        {
            if (m_touched[chunk] == 0)
                continue;
            const Columns columns = columnsOf(chunk);
            QRgb* line = lines + row * stride + (columns.begin - m_margin);
            const int count = columns.end - columns.begin;
            if (m_drawn[chunk] != 0)
                mixStretch<kOpaque>(sums + columns.begin, line, count, [](const QRgb* at) { return loadInts(at); });
            else
                mixStretch<kOpaque>(sums + columns.begin, line, count, [paper](const QRgb*) { return paper; });
            if (count == kChunk)
                continue;
            // At the edges dots reach beyond the picture.
            const int begin = static_cast<int>(chunk) * kChunk;
            std::fill(sums + begin, sums + std::min(begin + kChunk, m_stride), Floats4{});
        }
    }
    for (std::size_t chunk = 0; chunk < m_touched.size(); ++chunk)
        m_drawn[chunk] |= std::exchange(m_touched[chunk], std::uint8_t{0});
}

void DotSums::finish(QRgb* lines, std::ptrdiff_t stride, int rows, QRgb background)
{
    for (int row = 0; row < rows; ++row)
        for (std::size_t chunk = 0; chunk < m_drawn.size(); ++chunk)
            if (const Columns columns = columnsOf(chunk); m_drawn[chunk] == 0)
                std::fill_n(lines + row * stride + (columns.begin - m_margin), columns.end - columns.begin, background);
    std::ranges::fill(m_drawn, std::uint8_t{0});
}

DotSums::Columns DotSums::columnsOf(std::size_t chunk) const
{
    const int begin = static_cast<int>(chunk) * kChunk;
    const int first = std::clamp(begin, m_margin, m_margin + m_width);
    return {first, std::clamp(begin + kChunk, first, m_margin + m_width)};
}

} // namespace headscope::viz
