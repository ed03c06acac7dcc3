// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the map, one JSON line a case: our painter against QPainter::drawPoints at every size, the
// point under the pointer, a lasso. All in one run, each side's fastest frame.
//
//   bench_scatter [POINTS]... [--threads N]

#include "model/base/parallel.h"
#include "model/base/random.h"
#include "viz/color/head_palette.h"
#include "viz/geometry/spatial_grid.h"
#include "viz/scatter/scatter_painter.h"

#include <QApplication>
#include <QPainter>
#include <QPolygonF>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

constexpr QSizeF kView(1600, 1200);
constexpr std::int64_t kHeads = 32;
constexpr std::int64_t kMaxForSeries = 20'000;

struct Points
{
    std::vector<float> xy;
    std::vector<std::uint16_t> head;
};

/// Round clusters on a grid of 8 x 4, about a quarter of the view, as t-SNE maps are.
Points clusters(std::int64_t count)
{
    const CounterRandom random(1);
    Points points;
    points.xy.reserve(static_cast<std::size_t>(2 * count));
    for (std::int64_t i = 0; i < count; ++i)
    {
        const std::int64_t head = i % kHeads;
        const auto counter = static_cast<std::uint64_t>(2 * i);
        points.xy.push_back(static_cast<float>(static_cast<double>(head % 8) + 0.18 * random.normal(counter)));
        points.xy.push_back(
            static_cast<float>(1.5 * static_cast<double>(head / 8) + 0.22 * random.normal(counter + 1)));
        points.head.push_back(static_cast<std::uint16_t>(head));
    }
    return points;
}

/// Milliseconds of the fastest of `runs` calls.
template <class F>
double bestMs(int runs, F f)
{
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < runs; ++run)
    {
        const auto start = std::chrono::steady_clock::now();
        f();
        best =
            std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

void print(const std::string& name, double value, const std::string& peer = {}, double peerValue = 0)
{
    if (peer.empty())
        fmt::print("{{\"case\": \"{}\", \"value\": {:.2f}, \"unit\": \"ms\"}}\n", name, value);
    else
        fmt::print("{{\"case\": \"{}\", \"value\": {:.2f}, \"unit\": \"ms\", \"peer\": \"{}\", \"peer_value\": {:.2f}, "
                   "\"ratio\": {:.2f}}}\n",
                   name, value, peer, peerValue, peerValue / value);
    std::fflush(stdout);
}

/// One point per pixel by Qt, class after class, without antialiasing: the least it can do.
double qtDrawPointsMs(const Points& points, const HeadPalette& palette, const ViewTransform& view, int runs)
{
    std::vector<QPolygonF> byHead(kHeads);
    for (std::size_t i = 0; i < points.head.size(); ++i)
        byHead[points.head[i]] << view.screenFromData(
            {static_cast<double>(points.xy[2 * i]), static_cast<double>(points.xy[2 * i + 1])});
    QImage image(kView.toSize(), QImage::Format_ARGB32_Premultiplied);
    return bestMs(runs, [&] {
        image.fill(Qt::white);
        QPainter painter(&image);
        for (std::int64_t head = 0; head < kHeads; ++head)
        {
            painter.setPen(QPen(palette.color(HeadIndex(head)), 2));
            painter.drawPoints(byHead[static_cast<std::size_t>(head)]);
        }
    });
}

void benchSize(std::int64_t count, int cores)
{
    const Points points = clusters(count);
    const HeadPalette palette(8, 4);
    std::vector<QRgb> colors;
    for (std::int64_t head = 0; head < kHeads; ++head)
        colors.push_back(palette.color(HeadIndex(head)).rgb());
    ScatterData data;
    data.xy = points.xy;
    data.index = points.head;
    data.colors = colors;
    const ViewTransform view = ViewTransform::fit(dataBounds(points.xy).value_or(QRectF()), kView);
    ScatterPainter painter;
    const int runs = count > 2'000'000 ? 3 : 12;
    const auto frameMs = [&](const ScatterStyle& style, double dpr, int threads) {
        return bestMs(runs, [&] { static_cast<void>(painter.paint(data, style, view, dpr, threads)); });
    };
    const double qt = qtDrawPointsMs(points, palette, view, std::min(runs, 5));
    const auto name = [&](std::string_view what) { return fmt::format("scatter/{}/{}", what, count); };
    const double dots = frameMs({}, 1, cores);
    print(name("dots"), dots, "QPainter::drawPoints", qt);
    print(name("dots-1-thread"), frameMs({}, 1, 1));
    print(name("dots-dpr2"), frameMs({}, 2, cores));
    ScatterStyle density;
    density.mode = ScatterMode::Density;
    print(name("density"), frameMs(density, 1, cores), "QPainter::drawPoints", qt);
    ScatterStyle meanColor;
    meanColor.mode = ScatterMode::MeanColor;
    print(name("mean-color"), frameMs(meanColor, 1, cores));

    print(name("grid-build"), bestMs(3, [&] { static_cast<void>(SpatialGrid(points.xy).count()); }));
    const SpatialGrid grid(points.xy);
    // In the middle of a cluster, where most dots lie under the pointer, with a test of each.
    const std::vector<PointState> states(points.head.size(), PointState::Shown);
    const auto isShown = [&states](std::int64_t point) {
        return states[static_cast<std::size_t>(point)] == PointState::Shown;
    };
    print(name("hover"), bestMs(20, [&] { static_cast<void>(grid.nearest({3, 1.5}, 8 / view.scale(), isShown)); }));
    QPolygonF lasso;
    for (int i = 0; i < 200; ++i)
        lasso << view.centre() + QPointF(3.6 * std::cos(i * 0.0314159), 2.4 * std::sin(i * 0.0314159));
    print(name("lasso"), bestMs(3, [&] { static_cast<void>(grid.inPolygon(lasso)); }));
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    std::vector<std::int64_t> sizes;
    int threads = availableCores();
    for (int i = 1; i < argc; ++i)
    {
        if (std::string_view(argv[i]) == "--threads" && i + 1 < argc)
            threads = std::max(1, std::atoi(argv[++i]));
        else
            sizes.push_back(std::atoll(argv[i]));
    }
    if (sizes.empty())
        sizes = {kMaxForSeries, 320'000, 1'000'000, 10'000'000};
    for (const std::int64_t size : sizes)
        benchSize(size, threads);
    return 0;
}
