// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/dot_layer.h"

#include "model/base/parallel.h"

#include <QRect>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr std::int64_t kBlockPoints = 1 << 14;
constexpr int kBandRows = 32; ///< so that a band's sums stay in the cache at usual widths
constexpr std::int64_t kLayers = 2;
constexpr int kChunk = 32;             ///< columns that are emptied and mixed together
constexpr double kMaxCoverage = 0.995; ///< a full pixel has finite depth; 1/255 is not seen
constexpr float kMaxDepth = 8.0F;      ///< exp(-8) is below half of 1/255
constexpr std::size_t kAlphaSteps = 4096;

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

float alphaOfDepth(float depth)
{
    const float place = std::min(depth, kMaxDepth) * (kAlphaSteps / kMaxDepth) + 0.5F;
    return alphaTable()[static_cast<std::size_t>(place)];
}

/// The smallest rectangle around the pixels that a marker touches in this phase.
QRect coveredPart(const MarkerSprite& sprite, int phase)
{
    const int side = sprite.side();
    const float* depth = sprite.coverage(phase % MarkerSprite::kPhases, phase / MarkerSprite::kPhases);
    QRect part;
    for (int pixel = 0; pixel < side * side; ++pixel)
        if (depth[pixel] > 0)
            part |= QRect(pixel % side, pixel / side, 1, 1);
    return part;
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
            return static_cast<float>(-std::log1p(-std::min(kMaxCoverage, opacity * static_cast<double>(coverage))));
        });
        m_reach = std::max(m_reach, sprite.reach());
    }
    m_partSide = 1;
    const auto forPhases = [this, shaped](const auto& visit) {
        for (std::size_t i = 0; i < (shaped ? std::size_t{kMarkerShapes} : 1); ++i)
            for (std::size_t phase = 0; phase < kAllPhases; ++phase)
                visit(i, phase, coveredPart(m_sprites[i], static_cast<int>(phase)));
    };
    forPhases([this](std::size_t, std::size_t, const QRect& part) {
        m_partSide = std::max({m_partSide, part.width(), part.height()});
    });
    forPhases([this](std::size_t i, std::size_t phase, const QRect& part) {
        const int last = std::max(0, m_sprites[i].side() - m_partSide); // parts lie inside their sprite
        m_corners[i][phase] = {std::clamp(part.top(), 0, last), std::clamp(part.left(), 0, last)};
    });
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
    [[nodiscard]] QRgb background() const { return style.transparent ? 0U : inks(style.theme).background.rgb(); }

    enum class Place
    {
        InView,
        Outside,
        NotFinite,
        Hidden,
    };

    /// Where point i goes: its pixel, phase, colour and layer.
    [[nodiscard]] Place place(std::size_t i, Dot& dot) const
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
               static_cast<std::uint8_t>(phaseY * kPhases + phaseX),
               static_cast<std::uint8_t>(state == PointState::Dimmed ? 0 : 1)};
        return Place::InView;
    }

    /// Calls visit(key) for every band that a dot touches.
    template <class Visit>
    void forKeys(const Dot& dot, Visit visit) const
    {
        const int first = std::max(0, dot.y - reach) / kBandRows;
        const int last = std::min(height - 1, dot.y + reach) / kBandRows;
        for (int band = first; band <= last; ++band)
            visit(band * kLayers + dot.layer);
    }
};

std::int64_t DotLayer::placeBlock(const Frame& frame, std::int64_t block, ScatterCounts& counts)
{
    std::int64_t* keyCounts = m_counts.data() + block * frame.numKeys();
    Dot* const first = m_placed.data() + block * kBlockPoints;
    Dot* next = first;
    const std::int64_t end = std::min(frame.numPoints, (block + 1) * kBlockPoints);
    for (std::int64_t i = block * kBlockPoints; i < end; ++i)
    {
        switch (frame.place(static_cast<std::size_t>(i), *next))
        {
        case Frame::Place::InView:
            frame.forKeys(*next++, [keyCounts](std::int64_t key) { ++keyCounts[key]; });
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
    counts.drawn += next - first;
    return next - first;
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
    std::vector<ScatterCounts> blockCounts(static_cast<std::size_t>(numBlocks));
    std::vector<std::int64_t> dots(static_cast<std::size_t>(numBlocks));
    const int numThreads = static_cast<int>(m_sums.size());
    parallelForBlocks(numThreads, numBlocks, 1, [&](const Block& block, int) {
        const auto index = static_cast<std::size_t>(block.index);
        dots[index] = placeBlock(frame, block.index, blockCounts[index]);
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
    parallelForBlocks(numThreads, numBlocks, 1, [&](const Block& block, int) {
        sortBlock(frame, block.index, dots[static_cast<std::size_t>(block.index)]);
    });
}

void DotLayer::addDots(const Frame& frame, std::int64_t key, Sums& sums) const
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
        const MarkerShape shape = m_shapeOf[colorIndex];
        const MarkerSprite& sprite = m_sprites.sprite(shape);
        const DotSprites::Corner corner = m_sprites.corner(shape, dot.phase);
        const int side = sprite.side();
        const int partSide = std::min(m_sprites.partSide(), side);
        const float* depth = sprite.coverage(dot.phase % MarkerSprite::kPhases, dot.phase / MarkerSprite::kPhases) +
                             corner.row * side + corner.column;
        const int firstY = dot.y - sprite.reach() + corner.row - top; // in rows of the band
        const int firstX = dot.x - sprite.reach() + corner.column + 2 * frame.reach;
        for (int x = firstX; x < firstX + partSide; x += kChunk)
            sums.touched[static_cast<std::size_t>(x / kChunk)] = 1;
        sums.touched[static_cast<std::size_t>((firstX + partSide - 1) / kChunk)] = 1;
        for (int row = std::max(0, -firstY); row < std::min(partSide, rows - firstY); ++row)
        {
            Pixel* line = sums.pixels.data() + (firstY + row) * frame.stride + firstX;
            const float* depths = depth + row * side;
            for (int column = 0; column < partSide; ++column)
                line[column] += color * depths[column];
        }
    }
}

void DotLayer::compose(const Frame& frame, std::int64_t band, std::int64_t chunk, bool fresh, Sums& sums) const
{
    const int top = static_cast<int>(band) * kBandRows;
    const int rows = std::min(kBandRows, frame.height - top);
    const auto channels = [](QRgb pixel) {
        return Pixel{static_cast<float>(qRed(pixel)), static_cast<float>(qGreen(pixel)),
                     static_cast<float>(qBlue(pixel)), static_cast<float>(qAlpha(pixel))};
    };
    const Pixel paper = channels(frame.background());
    const int margin = 2 * frame.reach;
    const auto begin = static_cast<int>(chunk * kChunk);
    const int end = std::min(begin + static_cast<int>(kChunk), frame.stride);
    uchar* bits = frame.image.bits(); // detached before: one writer per row
    for (int row = 0; row < rows; ++row)
    {
        auto* line =
            reinterpret_cast<QRgb*>(bits + static_cast<std::ptrdiff_t>(top + row) * frame.image.bytesPerLine());
        Pixel* sum = sums.pixels.data() + row * frame.stride;
        for (int column = std::max(begin, margin); column < std::min(end, frame.width + margin); ++column)
        {
            const float depth = sum[column][3];
            if (depth <= 0)
                continue;
            const float alpha = alphaOfDepth(depth);
            QRgb& pixel = line[column - margin];
            const Pixel under = fresh ? paper : channels(pixel);
            Pixel mean = sum[column] * (1.0F / depth);
            mean[3] = 255.0F;
            const Pixel over = under + (mean - under) * alpha; // premultiplied on both sides
            pixel = byteOf(over[3]) << 24 | byteOf(over[0]) << 16 | byteOf(over[1]) << 8 | byteOf(over[2]);
        }
        std::fill(sum + begin, sum + end, Pixel{});
    }
}

void DotLayer::drawBand(const Frame& frame, std::int64_t band, Sums& sums) const
{
    const int top = static_cast<int>(band) * kBandRows;
    const int rows = std::min(kBandRows, frame.height - top);
    const QRgb background = frame.background();
    uchar* bits = frame.image.bits();
    for (int row = 0; row < rows; ++row)
        std::fill_n(reinterpret_cast<QRgb*>(bits + static_cast<std::ptrdiff_t>(top + row) * frame.image.bytesPerLine()),
                    frame.width, background);
    bool fresh = true;
    for (std::int64_t layer = 0; layer < kLayers; ++layer)
    {
        const std::int64_t key = band * kLayers + layer;
        if (m_starts[static_cast<std::size_t>(key)] == m_starts[static_cast<std::size_t>(key) + 1])
            continue;
        addDots(frame, key, sums);
        for (std::size_t chunk = 0; chunk < sums.touched.size(); ++chunk)
            if (std::exchange(sums.touched[chunk], std::uint8_t{0}) != 0)
                compose(frame, band, static_cast<std::int64_t>(chunk), fresh, sums);
        fresh = false;
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
    m_shapeOf.assign(m_colors.size(), MarkerShape::Circle);
    std::copy_n(data.shapes.begin(), std::min(m_shapeOf.size(), data.shapes.size()), m_shapeOf.begin());

    Frame frame{data, transform, image, style};
    frame.numPoints = static_cast<std::int64_t>(data.xy.size() / 2);
    frame.width = image.width();
    frame.height = image.height();
    frame.reach = m_sprites.reach();
    frame.numBands = blockCount(frame.height, kBandRows);
    frame.stride = frame.width + 4 * frame.reach;
    m_sums.resize(static_cast<std::size_t>(numThreads));
    for (Sums& sums : m_sums)
    {
        // Zero from the last picture, wherever its rows began.
        sums.pixels.resize(static_cast<std::size_t>(frame.stride) * kBandRows);
        sums.touched.resize(static_cast<std::size_t>(blockCount(frame.stride, kChunk)));
    }
    image.bits(); // detaches here, not on the threads
    binDots(frame, counts);
    parallelForBlocks(numThreads, frame.numBands, 1, [&](const Block& block, int worker) {
        drawBand(frame, block.index, m_sums[static_cast<std::size_t>(worker)]);
    });
}

} // namespace headscope::viz
