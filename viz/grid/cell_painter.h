// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/geometry/view_transform.h"
#include "viz/scatter/scatter_painter.h"

#include <QImage>
#include <QRectF>
#include <QSize>

#include <cstdint>
#include <span>
#include <vector>

namespace headscope::viz
{

/// One small map on a common canvas.
struct PaintedCell
{
    QRectF box;           ///< on the canvas, in logical pixels
    ScatterData data;     ///< marks and focus are not painted here
    ViewTransform view;   ///< of the box
    double scaleGain = 1; ///< how far it is zoomed in against the whole map
};

/// Many small maps on one canvas, dots alone: cells are shared out over threads, and each is one
/// picture of ScatterPainter.
/// @threads one paint at a time per object, which keeps its buffers between frames; the picture is
///          the same, bit for bit, for any number of threads
/// @cost    99 cells of 4,000 points: measured by tests/bench/bench_grid
class CellPainter
{
public:
    /// Paints into `canvas` (of size x dpr, Format_ARGB32_Premultiplied; made if it is not); pixels
    /// between the cells are the theme's background.
    /// @param size  of the canvas, in logical pixels
    /// @return what all cells together hold; radiusPx is that of the first
    ScatterCounts paint(QImage& canvas, QSize size, double dpr, std::span<const PaintedCell> cells,
                        const ScatterStyle& style, int numThreads);

private:
    std::vector<ScatterPainter> m_painters; ///< one per worker
};

} // namespace headscope::viz
