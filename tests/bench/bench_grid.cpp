// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the grid of small maps while it is panned, one JSON line a case.
//
//   bench_grid [--threads N]
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "viz/grid/cell_painter.h"
#include "viz/grid/grid_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

constexpr QSizeF kView(1600, 1000);

/// A map of round clusters, as t-SNE makes them.
std::vector<float> mapOf(std::int64_t documents, std::uint64_t seed)
{
    const CounterRandom random(seed);
    std::vector<float> xy;
    for (std::int64_t i = 0; i < documents; ++i)
    {
        const auto at = static_cast<std::uint64_t>(2 * i);
        xy.push_back(static_cast<float>(static_cast<double>(i % 5) + 0.2 * random.normal(at)));
        xy.push_back(static_cast<float>(static_cast<double>(i % 7 % 4) + 0.2 * random.normal(at + 1)));
    }
    return xy;
}

void bench(std::int64_t blocks, std::int64_t columns, std::int64_t documents, double zoom, int threads)
{
    constexpr int kColors = 20;
    constexpr int kFrames = 15;
    GridContents contents;
    for (std::int64_t column = 0; column < columns; ++column)
        contents.columns.push_back(QString::number(column));
    for (std::int64_t block = 0; block < blocks; ++block)
    {
        contents.blocks.push_back({});
        for (std::int64_t column = 0; column < columns; ++column)
        {
            contents.cells.emplace_back();
            contents.cells.back().block = block;
            contents.cells.back().column = column;
        }
    }
    const GridLayout layout(contents, kView);
    std::vector<QRgb> colors;
    for (int i = 0; i < kColors; ++i)
        colors.push_back(QColor::fromHsv(360 * i / kColors, 200, 200).rgb());
    std::vector<std::uint16_t> index;
    for (std::int64_t i = 0; i < documents; ++i)
        index.push_back(static_cast<std::uint16_t>(i % kColors));
    std::vector<std::vector<float>> maps;
    for (std::size_t i = 0; i < layout.count(); ++i)
        maps.push_back(mapOf(documents, i + 1));
    CellPainter painter;
    QImage canvas;
    std::vector<double> times;
    for (int frame = 0; frame < kFrames; ++frame)
    {
        const auto begin = std::chrono::steady_clock::now();
        std::vector<PaintedCell> cells;
        for (std::size_t i = 0; i < layout.count(); ++i)
        {
            PaintedCell cell;
            cell.box = layout.plot(i);
            cell.data.xy = maps[i];
            cell.data.index = index;
            cell.data.colors = colors;
            cell.view = ViewTransform::fit(QRectF(-1, -1, 6, 5), layout.plotSize(), 4)
                            .zoomedAt(QPointF(20, 20), zoom)
                            .panned(QPointF(frame, frame));
            cell.scaleGain = zoom;
            cells.push_back(cell);
        }
        painter.paint(canvas, kView.toSize(), 1, cells, {}, threads);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    fmt::print("{{\"case\": \"grid of {} cells of {} documents, zoom {:g}\", \"value\": {:.2f}, \"unit\": \"ms\", "
               "\"slowest\": {:.2f}, \"threads\": {}}}\n",
               layout.count(), documents, zoom, times[times.size() / 2], times.back(), threads);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    int threads = availableCores();
    if (argc == 3 && std::string(argv[1]) == "--threads")
        threads = std::max(1, std::atoi(argv[2]));
    bench(3, 10, 4'000, 1, threads);
    bench(3, 33, 4'000, 1, threads);
    bench(3, 33, 4'000, 4, threads);
    bench(3, 33, 20'000, 1, threads);
    return 0;
}
