// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "viz/axis/legend.h"
#include "viz/scatter/device_transform.h"
#include "viz/scatter/pixel_sums.h"
#include "viz/scatter/scatter_painter.h"

#include <cstdint>

namespace headscope::viz
{

/// Draws how many points lie at a pixel, whatever their colour. Counts are
/// whole numbers, smoothed over a dot's radius, and shaded by their rank among
/// all pixels that hold a point, so that thin and dense places both show.
class DensityLayer
{
public:
    /// As DotLayer::paint. Dimmed points do not count.
    void paint(QImage& image, const ScatterData& data, const DeviceTransform& transform, double radiusPx,
               const ScatterStyle& style, int numThreads, ScatterCounts& counts, const JobContext& job = {});

private:
    PixelSums<std::uint32_t> m_sums;
};

/// What the shades of DensityLayer mean.
[[nodiscard]] Legend densityLegend(InkTheme theme);

/// Draws the mean colour (in OKLab) of the points at a pixel, paler where few
/// of them lie: shows which class dominates where, without one class hiding
/// another.
class MeanColorLayer
{
public:
    /// As DotLayer::paint. Dimmed points do not count.
    void paint(QImage& image, const ScatterData& data, const DeviceTransform& transform, double radiusPx,
               const ScatterStyle& style, int numThreads, ScatterCounts& counts, const JobContext& job = {});

private:
    /// Points, and their sums of lightness, a and b in steps of 1/255: exact to
    /// 16 million points.
    struct ColorSum
    {
        std::uint32_t points = 0;
        std::uint32_t lightness = 0;
        std::uint32_t a = 0;
        std::uint32_t b = 0;

        ColorSum& operator+=(const ColorSum& other);
        ColorSum& operator-=(const ColorSum& other);
    };

    PixelSums<ColorSum> m_sums;
};

} // namespace headscope::viz
