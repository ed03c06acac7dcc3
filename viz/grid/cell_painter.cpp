// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/cell_painter.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace headscope::viz
{
namespace
{

constexpr double kLargestRadiusPx = 3; ///< of a dot: cells are small, however few points they hold

/// The picture of a cell onto the canvas. Cells do not overlap, so that each worker writes to pixels
/// of its own.
void copyOnto(uchar* canvas, std::ptrdiff_t bytesPerLine, QSize canvasSize, const QImage& cell, QPoint place)
{
    const QRect inside = QRect(place, cell.size()).intersected(QRect(QPoint(0, 0), canvasSize));
    for (int y = inside.top(); y <= inside.bottom(); ++y)
        std::memcpy(canvas + y * bytesPerLine + std::ptrdiff_t{4} * inside.left(),
                    cell.constScanLine(y - place.y()) + std::ptrdiff_t{4} * (inside.left() - place.x()),
                    std::size_t{4} * static_cast<std::size_t>(inside.width()));
}

} // namespace

ScatterCounts CellPainter::paint(QImage& canvas, QSize size, double dpr, std::span<const PaintedCell> cells,
                                 const ScatterStyle& style, int numThreads)
{
    const QSize pixels(static_cast<int>(std::lround(size.width() * dpr)),
                       static_cast<int>(std::lround(size.height() * dpr)));
    if (canvas.size() != pixels || canvas.format() != QImage::Format_ARGB32_Premultiplied)
        canvas = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
    if (canvas.isNull())
        return {};
    canvas.setDevicePixelRatio(dpr);
    canvas.fill(inks(style.theme).background);
    const int threads = std::max(1, numThreads);
    if (m_painters.size() < static_cast<std::size_t>(threads))
        m_painters.resize(static_cast<std::size_t>(threads));
    uchar* bits = canvas.bits(); // detaches here, not on the threads
    const std::ptrdiff_t bytesPerLine = canvas.bytesPerLine();
    std::vector<ScatterCounts> counts(cells.size());
    parallelForBlocks(threads, static_cast<std::int64_t>(cells.size()), 1, [&](const Block& block, int worker) {
        const auto i = static_cast<std::size_t>(block.begin);
        ScatterData data = cells[i].data;
        data.marked = {};
        data.focus.reset();
        ScatterStyle own = style;
        own.scaleGain = cells[i].scaleGain;
        if (own.radiusPx <= 0)
            own.radiusPx = std::min(kLargestRadiusPx,
                                    automaticRadius(static_cast<std::int64_t>(data.xy.size() / 2),
                                                    cells[i].box.width() * cells[i].box.height(), own.scaleGain));
        const ScatterPicture picture =
            m_painters[static_cast<std::size_t>(worker)].paint(data, own, cells[i].view, dpr, 1);
        counts[i] = picture.counts;
        const QPoint place(static_cast<int>(std::lround(cells[i].box.left() * dpr)),
                           static_cast<int>(std::lround(cells[i].box.top() * dpr)));
        copyOnto(bits, bytesPerLine, pixels, picture.image, place);
    });
    ScatterCounts sum;
    for (const ScatterCounts& cell : counts)
        sum += cell;
    if (!counts.empty())
    {
        sum.radiusPx = counts.front().radiusPx;
        sum.opacity = counts.front().opacity;
    }
    return sum;
}

} // namespace headscope::viz
