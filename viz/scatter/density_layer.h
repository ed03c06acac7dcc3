// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/scatter/dot_layer.h"

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// Draws how many points lie at a pixel, whatever their colour. Counts are whole numbers, smoothed
/// over a dot's radius, and shaded by their rank among all pixels that hold a point, so that thin
/// and dense places both show.
class DensityLayer
{
public:
    /// As DotLayer::paint. Dimmed points do not count.
    void paint(QImage& image, const ScatterData& data, const DeviceTransform& transform, double radiusPx,
               const ScatterStyle& style, int numThreads, ScatterCounts& counts);

private:
    std::vector<std::vector<std::uint32_t>> m_workerCounts; ///< [height * width] each
    std::vector<std::uint32_t> m_smooth;
};

} // namespace headscope::viz
