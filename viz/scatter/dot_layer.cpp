// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/dot_layer.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::viz
{
namespace
{

constexpr std::int64_t kBlockPoints = 1 << 14;
constexpr int kBandRows = 32; ///< so that a band's sums stay in the cache at usual widths
constexpr std::int64_t kLayers = 2;
constexpr double kMostCoverage = 0.995; ///< a full pixel has finite depth; 1/255 is not seen
constexpr float kMostDepth = 8.0F;      ///< exp(-8) is below half of 1/255
constexpr std::size_t kAlphaSteps = 4096;

/// 1 - exp(-depth) by table, for depth 0 .. kMostDepth.
const std::array<float, kAlphaSteps + 1>& alphaTable()
{
    static const auto table = [] {
        std::array<float, kAlphaSteps + 1> values{};
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = -std::expm1(-static_cast<float>(i) * kMostDepth / kAlphaSteps);
        return values;
    }();
    return table;
}

float alphaOfDepth(float depth)
{
    const float place = std::min(depth, kMostDepth) * (kAlphaSteps / kMostDepth) + 0.5F;
    return alphaTable()[static_cast<std::size_t>(place)];
}

std::uint32_t byteOf(float channel)
{
    return static_cast<std::uint32_t>(channel + 0.5F);
}

} // namespace

DeviceTransform::DeviceTransform(const ViewTransform& view, double dpr)
    : centreX(static_cast<float>(view.centre().x())), centreY(static_cast<float>(view.centre().y())),
      scale(static_cast<float>(view.scale() * dpr)), middleX(static_cast<float>(view.viewSize().width() / 2 * dpr)),
      middleY(static_cast<float>(view.viewSize().height() / 2 * dpr))
{}

void DotSprites::prepare(double radiusPx, double opacity, bool shaped)
{
    if (radiusPx == m_radius && opacity == m_opacity && shaped == m_shaped)
        return;
    m_radius = radiusPx;
    m_opacity = opacity;
    m_shaped = shaped;
    m_reach = 0;
    for (int i = 0; i < (shaped ? kMarkerShapes : 1); ++i)
    {
        MarkerSprite& sprite = m_sprites[static_cast<std::size_t>(i)];
        sprite = MarkerSprite(markerShape(i), radiusPx);
        // Depths add where coverages would have to multiply: depth = -log(1 - coverage).
        sprite.transform([opacity](float coverage) {
            return static_cast<float>(-std::log1p(-std::min(kMostCoverage, opacity * static_cast<double>(coverage))));
        });
        m_reach = std::max(m_reach, sprite.reach());
    }
}

/// What stays the same during one picture.
struct DotLayer::Frame
{
    const ScatterData& data;
    const DeviceTransform& transform;
    QImage& image;
    const ScatterStyle& style;
    std::int64_t numPoints = 0;
    std::int64_t numBands = 0;
    int width = 0;
    int height = 0;
    int reach = 0;
    int stride = 0; ///< pixels of a row of sums: dots just outside need no test at the left and right

    [[nodiscard]] std::int64_t numKeys() const { return numBands * kLayers; }

    enum class Place
    {
        InView,
        Outside,
        NotFinite,
        Hidden,
    };

    /// Where point i goes: its pixel, phase, colour and layer.
    [[nodiscard]] Place place(std::size_t i, Dot& dot, std::int64_t& layer) const
    {
        const PointState state = data.states.empty() ? PointState::Shown : data.states[i];
        if (state == PointState::Hidden)
            return Place::Hidden;
        const float x = transform.x(data.xy[2 * i]);
        const float y = transform.y(data.xy[2 * i + 1]);
        const auto low = static_cast<float>(-reach);
        if (!(x >= low && y >= low && x < static_cast<float>(width + reach) && y < static_cast<float>(height + reach)))
            return std::isfinite(data.xy[2 * i]) && std::isfinite(data.xy[2 * i + 1]) ? Place::Outside
                                                                                      : Place::NotFinite;
        // Truncation is floor for numbers that are not negative, and much faster.
        const float shiftedX = x - low;
        const float shiftedY = y - low;
        const auto pixelX = static_cast<int>(shiftedX);
        const auto pixelY = static_cast<int>(shiftedY);
        constexpr int kPhases = MarkerSprite::kPhases;
        const auto phaseX = static_cast<int>((shiftedX - static_cast<float>(pixelX)) * kPhases);
        const auto phaseY = static_cast<int>((shiftedY - static_cast<float>(pixelY)) * kPhases);
        dot = {static_cast<std::int16_t>(pixelX - reach), static_cast<std::int16_t>(pixelY - reach),
               data.index.empty() ? std::uint16_t{0} : data.index[i],
               static_cast<std::uint16_t>(phaseY * kPhases + phaseX)};
        layer = state == PointState::Dimmed ? 0 : 1;
        return Place::InView;
    }

    /// Calls visit(key) for every band that a dot in this row touches.
    template <class Visit>
    void forKeys(int y, std::int64_t layer, Visit visit) const
    {
        const int first = std::max(0, y - reach) / kBandRows;
        const int last = std::min(height - 1, y + reach) / kBandRows;
        for (int band = first; band <= last; ++band)
            visit(band * kLayers + layer);
    }
};

void DotLayer::countBlock(const Frame& frame, std::int64_t block, ScatterCounts& counts)
{
    std::int64_t* keyCounts = m_counts.data() + block * frame.numKeys();
    const std::int64_t end = std::min(frame.numPoints, (block + 1) * kBlockPoints);
    for (std::int64_t i = block * kBlockPoints; i < end; ++i)
    {
        Dot dot;
        std::int64_t layer = 0;
        switch (frame.place(static_cast<std::size_t>(i), dot, layer))
        {
        case Frame::Place::InView:
            ++counts.drawn;
            frame.forKeys(dot.y, layer, [keyCounts](std::int64_t key) { ++keyCounts[key]; });
            break;
        case Frame::Place::Outside:
            ++counts.outside;
            break;
        case Frame::Place::NotFinite:
            ++counts.notFinite;
            break;
        case Frame::Place::Hidden:
            ++counts.hidden;
            break;
        }
    }
}

void DotLayer::placeBlock(const Frame& frame, std::int64_t block)
{
    std::int64_t* next = m_counts.data() + block * frame.numKeys(); // by now: where this block's dots go
    const std::int64_t end = std::min(frame.numPoints, (block + 1) * kBlockPoints);
    for (std::int64_t i = block * kBlockPoints; i < end; ++i)
    {
        Dot dot;
        std::int64_t layer = 0;
        if (frame.place(static_cast<std::size_t>(i), dot, layer) == Frame::Place::InView)
            frame.forKeys(dot.y, layer, [&](std::int64_t key) { m_dots[static_cast<std::size_t>(next[key]++)] = dot; });
    }
}

void DotLayer::binDots(const Frame& frame, ScatterCounts& counts)
{
    const std::int64_t numBlocks = blockCount(frame.numPoints, kBlockPoints);
    const std::int64_t numKeys = frame.numKeys();
    m_counts.assign(static_cast<std::size_t>(numBlocks * numKeys), 0);
    std::vector<ScatterCounts> blockCounts(static_cast<std::size_t>(numBlocks));
    const int numThreads = static_cast<int>(m_sums.size());
    parallelForBlocks(numThreads, numBlocks, 1, [&](const Block& block, int) {
        countBlock(frame, block.index, blockCounts[static_cast<std::size_t>(block.index)]);
    });
    for (const ScatterCounts& block : blockCounts)
    {
        counts.drawn += block.drawn;
        counts.outside += block.outside;
        counts.notFinite += block.notFinite;
        counts.hidden += block.hidden;
    }

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
    parallelForBlocks(numThreads, numBlocks, 1, [&](const Block& block, int) { placeBlock(frame, block.index); });
}

void DotLayer::addDots(const Frame& frame, std::int64_t key, std::vector<Pixel>& sums) const
{
    const int top = static_cast<int>(key / kLayers) * kBandRows;
    const int rows = std::min(kBandRows, frame.height - top);
    const bool dimmed = key % kLayers == 0;
    const QColor grey = inks(frame.style.theme).dimmed;
    const Pixel dimmedColor = {static_cast<float>(grey.red()), static_cast<float>(grey.green()),
                               static_cast<float>(grey.blue()), 1.0F};
    const auto begin = static_cast<std::size_t>(m_starts[static_cast<std::size_t>(key)]);
    const auto end = static_cast<std::size_t>(m_starts[static_cast<std::size_t>(key) + 1]);
    for (std::size_t i = begin; i < end; ++i)
    {
        const Dot dot = m_dots[i];
        const std::size_t colorIndex = std::min<std::size_t>(dot.color, m_colors.size() - 1);
        const auto& c = m_colors[colorIndex];
        const Pixel color = dimmed ? dimmedColor : Pixel{c[0], c[1], c[2], c[3]};
        const MarkerSprite& sprite = *m_spriteOf[colorIndex];
        const int side = sprite.side();
        const float* depth = sprite.coverage(dot.phase % MarkerSprite::kPhases, dot.phase / MarkerSprite::kPhases);
        const int firstRow = std::max(0, top - (dot.y - sprite.reach()));
        const int lastRow = std::min(side, top + rows - (dot.y - sprite.reach()));
        for (int row = firstRow; row < lastRow; ++row)
        {
            const int y = dot.y - sprite.reach() + row - top;
            Pixel* line = sums.data() + y * frame.stride + (dot.x - sprite.reach() + 2 * frame.reach);
            const float* depths = depth + row * side;
            for (int column = 0; column < side; ++column)
                line[column] += color * depths[column];
        }
    }
}

void DotLayer::drawBand(const Frame& frame, std::int64_t band, std::vector<Pixel>& sums) const
{
    const int top = static_cast<int>(band) * kBandRows;
    const int rows = std::min(kBandRows, frame.height - top);
    const QColor paper = inks(frame.style.theme).background;
    const std::uint32_t background = frame.style.transparent ? 0U : paper.rgb();
    uchar* bits = frame.image.bits(); // detached before: one writer per row
    const auto lineOf = [&](int row) {
        return reinterpret_cast<QRgb*>(bits + static_cast<std::ptrdiff_t>(top + row) * frame.image.bytesPerLine());
    };
    for (int row = 0; row < rows; ++row)
        std::fill_n(lineOf(row), frame.width, background);
    for (std::int64_t layer = 0; layer < kLayers; ++layer)
    {
        const std::int64_t key = band * kLayers + layer;
        if (m_starts[static_cast<std::size_t>(key)] == m_starts[static_cast<std::size_t>(key) + 1])
            continue;
        std::fill(sums.begin(), sums.end(), Pixel{});
        addDots(frame, key, sums);
        for (int row = 0; row < rows; ++row)
        {
            QRgb* line = lineOf(row);
            const Pixel* sum = sums.data() + row * frame.stride + 2 * frame.reach;
            for (int x = 0; x < frame.width; ++x)
            {
                const float depth = sum[x][3];
                if (depth <= 0)
                    continue;
                const float alpha = alphaOfDepth(depth);
                const QRgb below = line[x];
                const Pixel under = {static_cast<float>(qRed(below)), static_cast<float>(qGreen(below)),
                                     static_cast<float>(qBlue(below)), static_cast<float>(qAlpha(below))};
                Pixel mean = sum[x] * (1.0F / depth);
                mean[3] = 255.0F;
                const Pixel over = under + (mean - under) * alpha; // premultiplied on both sides
                line[x] = byteOf(over[3]) << 24 | byteOf(over[0]) << 16 | byteOf(over[1]) << 8 | byteOf(over[2]);
            }
        }
    }
}

void DotLayer::paint(QImage& image, const ScatterData& data, const DeviceTransform& transform, double radiusPx,
                     double opacity, const ScatterStyle& style, int numThreads, ScatterCounts& counts)
{
    m_sprites.prepare(radiusPx, opacity, !data.shapes.empty() && showsShapes(radiusPx));
    m_colors.assign(1, {0, 0, 0, 1});
    if (!data.colors.empty())
        m_colors.resize(data.colors.size());
    for (std::size_t i = 0; i < data.colors.size(); ++i)
        m_colors[i] = {static_cast<float>(qRed(data.colors[i])), static_cast<float>(qGreen(data.colors[i])),
                       static_cast<float>(qBlue(data.colors[i])), 1.0F};
    m_spriteOf.assign(m_colors.size(), &m_sprites.sprite(MarkerShape::Circle));
    for (std::size_t i = 0; i < std::min(m_spriteOf.size(), data.shapes.size()); ++i)
        m_spriteOf[i] = &m_sprites.sprite(data.shapes[i]);

    Frame frame{data, transform, image, style};
    frame.numPoints = static_cast<std::int64_t>(data.xy.size() / 2);
    frame.width = image.width();
    frame.height = image.height();
    frame.reach = m_sprites.reach();
    frame.numBands = blockCount(frame.height, kBandRows);
    frame.stride = frame.width + 4 * frame.reach;
    m_sums.resize(static_cast<std::size_t>(numThreads));
    for (auto& sums : m_sums)
        sums.resize(static_cast<std::size_t>(frame.stride) * kBandRows);
    image.bits(); // detaches here, not on the threads
    binDots(frame, counts);
    parallelForBlocks(numThreads, frame.numBands, 1, [&](const Block& block, int worker) {
        drawBand(frame, block.index, m_sums[static_cast<std::size_t>(worker)]);
    });
}

} // namespace headscope::viz
