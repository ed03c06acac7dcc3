// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/scatter/device_transform.h"
#include "viz/scatter/scatter_painter.h"

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// The shown points at each pixel. Workers count in bytes, which stay in the cache where numbers of 32 bits do not, and
/// note each byte that starts again from 0.
class PixelCounts
{
public:
    /// Counts points as DotLayer does; some only, if the job is stopped.
    void collect(const ScatterData& data, const DeviceTransform& transform, std::int64_t width, std::int64_t height,
                 int numThreads, ScatterCounts& counts, const JobContext& job = {});
    /// @param cells  [height * width], written
    void write(std::vector<std::uint32_t>& cells, int numThreads) const;

private:
    struct Worker
    {
        std::vector<std::uint8_t> pixels; ///< [height * width + 1] modulo 256; the last counts what is not drawn
        std::vector<std::int32_t> full;   ///< a pixel for every 256 points
    };

    std::vector<Worker> m_workers;
};

} // namespace headscope::viz
