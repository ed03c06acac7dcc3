// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/dot_layer.h"

#include "model/base/parallel.h"
#include "viz/scatter/point_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr std::int64_t kBlockPoints = 1 << 14;
constexpr std::int64_t kLayers = 2;
constexpr int kBandRows = DotSums::kRows;

} // namespace

/// What stays the same during one picture.
struct DotLayer::Frame
{
    const ScatterData& data;
    const DeviceTransform& transform;
    QImage& image;
    const ScatterStyle& style;
    const JobContext& job;
    std::int64_t numPoints = 0;
    std::int64_t numBands = 0;
    int width = 0;
    int height = 0;
    int reach = 0;

    [[nodiscard]] std::int64_t numKeys() const { return numBands * kLayers; }
    [[nodiscard]] QRgb background() const { return style.transparent ? 0U : inks(style.theme).background.rgb(); }
    /// Writes those of the points [begin, end) that are in view.
    /// @param next  room for all of them, and three more
    /// @return after the last that was written
    Dot* place(std::int64_t begin, std::int64_t end, Dot* next, PointTally& tally) const
    {
        // Copies, because a dot that is written could otherwise be part of them.
        const ScatterData points = data;
        const DeviceTransform toPixels = transform;
        const int shift = reach;
        const auto low = static_cast<float>(-reach);
        const auto right = static_cast<float>(width + reach);
        const auto bottom = static_cast<float>(height + reach);
        PointTally counted;
        for (std::int64_t i = begin; i < end; i += kLanes)
        {
            const auto first = static_cast<std::size_t>(i);
            const FourPoints four(points, first);
            const Floats4 x = toPixels.x(four.x);
            const Floats4 y = toPixels.y(four.y);
            const Ints4 inView = (x >= low) & (y >= low) & (x < right) & (y < bottom);
            const Ints4 shown = ~four.is(PointState::Hidden);
            counted.add(four, shown, inView);
            // Truncation is floor for numbers that are not negative.
            const Floats4 shiftedX = inView ? x - low : Floats4{};
            const Floats4 shiftedY = inView ? y - low : Floats4{};
            const Ints4 pixelX = truncated(shiftedX);
            const Ints4 pixelY = truncated(shiftedY);
            constexpr float kPhases = MarkerSprite::kPhases;
            const Ints4 phaseX = truncated((shiftedX - toFloats(pixelX)) * kPhases);
            const Ints4 phaseY = truncated((shiftedY - toFloats(pixelY)) * kPhases);
            const Ints4 phase = phaseY * MarkerSprite::kPhases + phaseX;
            const Ints4 layer = ~four.is(PointState::Dimmed) & 1;
            const Ints4 colors = points.index.empty() ? Ints4{} : loadShorts(nextOf<4>(points.index, first).data());
            next = write(((pixelX - shift) & 0xffff) | ((pixelY - shift) << 16), colors | (phase << 16) | (layer << 24),
                         inView & shown & four.valid, next);
        }
        tally = counted;
        return next;
    }

    /// Writes those dots that are kept. No branch: one that is not kept is written over.
    /// @param places, looks  the halves of each dot
    [[gnu::always_inline]] static Dot* write(Ints4 places, Ints4 looks, Ints4 kept, Dot* next)
    {
        static_assert(sizeof(Dot) == 8 && std::endian::native == std::endian::little);
        // As whole numbers: g++ 12 would put every dot together from its fields.
        using Dots = std::array<std::uint64_t, 2>;
        const auto dots01 = std::bit_cast<Dots>(__builtin_shufflevector(places, looks, 0, 4, 1, 5));
        const auto dots23 = std::bit_cast<Dots>(__builtin_shufflevector(places, looks, 2, 6, 3, 7));
        const unsigned bits = signBits(kept);
        const auto put = [&next](std::uint64_t dot, unsigned keptBit) {
            std::memcpy(static_cast<void*>(next), &dot, sizeof dot);
            next += keptBit & 1U;
        };
        put(dots01[0], bits);
        put(dots01[1], bits >> 1U);
        put(dots23[0], bits >> 2U);
        put(dots23[1], bits >> 3U);
        return next;
    }

    /// Calls visit(key) for every band that a dot touches.
    template <class Visit>
    void forKeys(const Dot& dot, Visit visit) const
    {
        const int first = std::max(0, dot.y - reach) / kBandRows;
        const int last = std::min(height - 1, dot.y + reach) / kBandRows;
        visit(first * kLayers + dot.layer);
        for (int band = first + 1; band <= last; ++band) // most dots touch one
            visit(band * kLayers + dot.layer);
    }
};

std::int64_t DotLayer::placeBlock(const Frame& frame, std::int64_t block, PointTally& tally)
{
    std::int64_t* keyCounts = m_counts.data() + block * frame.numKeys();
    Dot* const first = m_placed.data() + block * kBlockPoints;
    const std::int64_t end = std::min(frame.numPoints, (block + 1) * kBlockPoints);
    const Dot* const last = frame.place(block * kBlockPoints, end, first, tally);
    for (const Dot* dot = first; dot < last; ++dot)
        frame.forKeys(*dot, [keyCounts](std::int64_t key) { ++keyCounts[key]; });
    return last - first;
}

void DotLayer::sortBlock(const Frame& frame, std::int64_t block, std::int64_t dots)
{
    std::int64_t* next = m_counts.data() + block * frame.numKeys(); // by now: where this block's dots go
    const Dot* placed = m_placed.data() + block * kBlockPoints;
    for (std::int64_t i = 0; i < dots; ++i)
        frame.forKeys(placed[i], [&](std::int64_t key) { m_dots[static_cast<std::size_t>(next[key]++)] = placed[i]; });
}

void DotLayer::binDots(const Frame& frame, ScatterCounts& counts)
{
    const std::int64_t numBlocks = blockCount(frame.numPoints, kBlockPoints);
    const std::int64_t numKeys = frame.numKeys();
    m_counts.assign(static_cast<std::size_t>(numBlocks * numKeys), 0);
    m_placed.resize(static_cast<std::size_t>(numBlocks * kBlockPoints));
    std::vector<PointTally> tallies(static_cast<std::size_t>(numBlocks));
    std::vector<std::int64_t> dots(static_cast<std::size_t>(numBlocks));
    const int numThreads = static_cast<int>(m_sums.size());
    parallelForBlocks(numThreads, numBlocks, 1, [&](const Block& block, int) {
        const auto index = static_cast<std::size_t>(block.index);
        if (!frame.job.stopRequested())
            dots[index] = placeBlock(frame, block.index, tallies[index]);
    });
    for (const PointTally& tally : tallies)
        counts += tally.counts();

    // Keys one after another, inside a key the blocks in order: index order, whoever writes.
    m_starts.assign(static_cast<std::size_t>(numKeys) + 1, 0);
    std::int64_t total = 0;
    for (std::int64_t key = 0; key < numKeys; ++key)
    {
        m_starts[static_cast<std::size_t>(key)] = total;
        for (std::int64_t block = 0; block < numBlocks; ++block)
        {
            std::int64_t& count = m_counts[static_cast<std::size_t>(block * numKeys + key)];
            total += std::exchange(count, total);
        }
    }
    m_starts.back() = total;
    m_dots.resize(static_cast<std::size_t>(total));
    parallelForBlocks(numThreads, numBlocks, 1, [&](const Block& block, int) {
        if (!frame.job.stopRequested())
            sortBlock(frame, block.index, dots[static_cast<std::size_t>(block.index)]);
    });
}

void DotLayer::drawBand(const Frame& frame, std::int64_t band, DotSums& sums) const
{
    const int top = static_cast<int>(band) * kBandRows;
    const int rows = std::min(kBandRows, frame.height - top);
    const std::ptrdiff_t stride = frame.image.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb));
    QRgb* lines = reinterpret_cast<QRgb*>(frame.image.bits()) + top * stride; // detached before: one writer per row
    for (std::int64_t layer = 0; layer < kLayers; ++layer)
    {
        const auto key = static_cast<std::size_t>(band * kLayers + layer);
        const auto begin = static_cast<std::size_t>(m_starts[key]);
        const auto end = static_cast<std::size_t>(m_starts[key + 1]);
        if (begin == end)
            continue;
        sums.add(std::span(m_dots).subspan(begin, end - begin), m_stamps, layer == 0 ? m_dimmed : m_colors, top, rows);
        sums.mix(lines, stride, rows, frame.background());
    }
    sums.finish(lines, stride, rows, frame.background());
}

void DotLayer::takeColors(const ScatterData& data, const QColor& dimmed)
{
    const auto channels = [](QRgb color) {
        return Floats4{static_cast<float>(qRed(color)), static_cast<float>(qGreen(color)),
                       static_cast<float>(qBlue(color)), 1.0F};
    };
    m_colors.colors.assign(1, Floats4{0, 0, 0, 1});
    if (!data.colors.empty())
        m_colors.colors.resize(data.colors.size());
    std::ranges::transform(data.colors, m_colors.colors.begin(), channels);
    m_colors.shapes.assign(m_colors.colors.size(), MarkerShape::Circle);
    std::copy_n(data.shapes.begin(), std::min(m_colors.shapes.size(), data.shapes.size()), m_colors.shapes.begin());
    m_dimmed = m_colors;
    std::ranges::fill(m_dimmed.colors, channels(dimmed.rgb()));
}

void DotLayer::paint(QImage& image, const ScatterData& data, const DeviceTransform& transform, double radiusPx,
                     double opacity, const ScatterStyle& style, int numThreads, ScatterCounts& counts,
                     const JobContext& job)
{
    m_stamps.prepare(radiusPx, opacity, !data.shapes.empty() && showsShapes(radiusPx));
    takeColors(data, inks(style.theme).dimmed);
    Frame frame{data, transform, image, style, job};
    frame.numPoints = static_cast<std::int64_t>(data.xy.size() / 2);
    frame.width = image.width();
    frame.height = image.height();
    frame.reach = m_stamps.reach();
    frame.numBands = blockCount(frame.height, kBandRows);
    m_sums.resize(static_cast<std::size_t>(numThreads));
    for (DotSums& sums : m_sums)
        sums.setSize(frame.width, frame.reach);
    image.bits(); // detaches here, not on the threads
    binDots(frame, counts);
    parallelForBlocks(numThreads, frame.numBands, 1, [&](const Block& block, int worker) {
        if (!job.stopRequested()) // otherwise some of the dots may not have been sorted
            drawBand(frame, block.index, m_sums[static_cast<std::size_t>(worker)]);
    });
}

} // namespace headscope::viz
