// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/geometry/view_transform.h"
#include "viz/scatter/marker.h"
#include "viz/scatter/scatter_painter.h"

#include <QImage>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope::viz
{

/// Data to device pixels: x' = (x - centreX) scale + middleX, y' = middleY - (y - centreY) scale. The centre is
/// subtracted first, because a float would lose all its digits to cancellation in a deep zoom.
struct DeviceTransform
{
    float centreX = 0;
    float centreY = 0;
    float scale = 1;
    float middleX = 0;
    float middleY = 0;

    DeviceTransform() = default;
    DeviceTransform(const ViewTransform& view, double dpr);
    [[nodiscard]] float x(float dataX) const { return (dataX - centreX) * scale + middleX; }
    [[nodiscard]] float y(float dataY) const { return middleY - (dataY - centreY) * scale; }
};

/// The markers of one picture: sprites turned into optical depth.
class DotSprites
{
public:
    /// Top left corner of the part of a sprite that holds every pixel its marker covers in one phase.
    struct Corner
    {
        int row = 0;
        int column = 0;
    };

    /// Rebuilds only what a change of radius, opacity or shapes demands.
    void prepare(double radiusPx, double opacity, bool shaped);
    [[nodiscard]] const MarkerSprite& sprite(MarkerShape shape) const
    {
        return m_sprites[m_shaped ? static_cast<std::size_t>(shape) : 0];
    }
    /// @param phase  phaseY * kPhases + phaseX
    [[nodiscard]] Corner corner(MarkerShape shape, int phase) const
    {
        return m_corners[m_shaped ? static_cast<std::size_t>(shape) : 0][static_cast<std::size_t>(phase)];
    }
    /// How many rows and columns that part has, in any phase of any sprite: small dots cover a
    /// quarter of theirs, and loops of one length are predicted.
    [[nodiscard]] int partSide() const { return m_partSide; }
    /// Largest reach of all sprites in use.
    [[nodiscard]] int reach() const { return m_reach; }

private:
    double m_radius = -1;
    double m_opacity = -1;
    bool m_shaped = false;
    int m_reach = 0;
    std::array<MarkerSprite, kMarkerShapes> m_sprites;
    static constexpr std::size_t kAllPhases = MarkerSprite::kPhases * MarkerSprite::kPhases;
    std::array<std::array<Corner, kAllPhases>, kMarkerShapes> m_corners;
    int m_partSide = 0;
};

/// Draws points as markers, band by band (scatter_painter.h says how).
class DotLayer
{
public:
    /// Draws into `image` (ARGB32_Premultiplied, already of its size; every pixel is written).
    /// @param radiusPx  device pixels
    void paint(QImage& image, const ScatterData& data, const DeviceTransform& transform, double radiusPx,
               double opacity, const ScatterStyle& style, int numThreads, ScatterCounts& counts);

private:
    /// A point in view, ready to be added: 8 bytes, so that ten million fit.
    struct Dot
    {
        std::int16_t x = 0;
        std::int16_t y = 0;
        std::uint16_t color = 0;
        std::uint8_t phase = 0; ///< phaseY * kPhases + phaseX
        std::uint8_t layer = 0;
    };
    struct Frame;
    using Pixel = float __attribute__((vector_size(16))); ///< red, green, blue times depth; depth
    /// A worker's sums over one band. All zero but where dots were added, which is kept track of, so
    /// that empty places cost nothing.
    struct Sums
    {
        std::vector<Pixel> pixels;         ///< [kBandRows, stride]
        std::vector<std::uint8_t> touched; ///< of each chunk of columns: whether a dot reaches into it
    };

    void binDots(const Frame& frame, ScatterCounts& counts);
    [[nodiscard]] std::int64_t placeBlock(const Frame& frame, std::int64_t block, ScatterCounts& counts);
    void sortBlock(const Frame& frame, std::int64_t block, std::int64_t dots);
    void drawBand(const Frame& frame, std::int64_t band, Sums& sums) const;
    void addDots(const Frame& frame, std::int64_t key, Sums& sums) const;
    /// @param fresh  nothing was drawn in this band before: below is the background alone
    void compose(const Frame& frame, std::int64_t band, std::int64_t chunk, bool fresh, Sums& sums) const;

    DotSprites m_sprites;
    std::vector<Dot> m_placed;          ///< [blocks, kBlockPoints] those in view, by block
    std::vector<Dot> m_dots;            ///< by (band, layer), index order inside
    std::vector<std::int64_t> m_starts; ///< [keys + 1]
    std::vector<std::int64_t> m_counts; ///< [blocks, keys]
    std::vector<Sums> m_sums;           ///< one per worker
    std::vector<std::array<float, 4>> m_colors;
    std::vector<MarkerShape> m_shapeOf; ///< of each colour
};

} // namespace headscope::viz
