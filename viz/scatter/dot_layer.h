// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "viz/scatter/device_transform.h"
#include "viz/scatter/dot_stamps.h"
#include "viz/scatter/dot_sums.h"
#include "viz/scatter/scatter_painter.h"

#include <QImage>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope::viz
{

class PointTally;

/// Draws points as markers, band by band (scatter_painter.h says how).
class DotLayer
{
public:
    /// Draws into `image` (ARGB32_Premultiplied, already of its size; every pixel is written, unless the job is
    /// stopped).
    /// @param radiusPx  device pixels
    void paint(QImage& image, const ScatterData& data, const DeviceTransform& transform, double radiusPx,
               double opacity, const ScatterStyle& style, int numThreads, ScatterCounts& counts,
               const JobContext& job = {});

private:
    struct Frame;

    void takeColors(const ScatterData& data, const QColor& dimmed);
    void binDots(const Frame& frame, ScatterCounts& counts);
    [[nodiscard]] std::int64_t placeBlock(const Frame& frame, std::int64_t block, PointTally& tally);
    void sortBlock(const Frame& frame, std::int64_t block, std::int64_t dots);
    void drawBand(const Frame& frame, std::int64_t band, DotSums& sums) const;

    DotStamps m_stamps;
    std::vector<Dot> m_placed;          ///< [blocks, kBlockPoints] those in view, by block
    std::vector<Dot> m_dots;            ///< by (band, layer), index order inside
    std::vector<std::int64_t> m_starts; ///< [keys + 1]
    std::vector<std::int64_t> m_counts; ///< [blocks, keys]
    std::vector<DotSums> m_sums;        ///< one per worker
    DotColors m_colors;
    DotColors m_dimmed; ///< the same shapes in grey
};

} // namespace headscope::viz
