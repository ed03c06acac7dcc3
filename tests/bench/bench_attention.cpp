// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the attention view's pictures while they are moved, zoomed and pointed at, and what is made once for
// them: 32 x 32 heads, and one head of 4,096 tokens. One JSON line a case.

#include "model/base/clock.h"
#include "tests/support/attention_runs.h"
#include "viz/attention/line_pool.h"
#include "viz/attention/thumbnail_atlas.h"
#include "viz/attention/thumbnail_grid.h"
#include "viz/attention/token_lines.h"
#include "viz/attention/weight_matrix.h"
#include "viz/axis/text.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

constexpr int kFrames = 90;
constexpr int kMakings = 5;
constexpr std::int64_t kTokens = 4096;

void measure(const std::string& name, int runs, const std::function<void(int)>& run)
{
    std::vector<double> seconds;
    for (int i = 0; i < runs; ++i)
    {
        const auto begin = Clock::now();
        run(i);
        seconds.push_back(secondsSince(begin));
    }
    std::sort(seconds.begin(), seconds.end());
    const auto at = [&](double share) {
        return 1e3 * seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
    };
    fmt::print("{{\"case\": \"attention/{}\", \"value\": {:.2f}, \"unit\": \"ms\", \"p95\": {:.2f}, \"worst\": "
               "{:.2f}}}\n",
               name, at(0.5), at(0.95), at(1));
    std::fflush(stdout);
}

/// A canvas of this size in logical pixels.
QImage canvasOf(QSize size, double dpr)
{
    QImage image(size * dpr, QImage::Format_RGB32);
    image.setDevicePixelRatio(dpr);
    image.fill(Qt::white);
    return image;
}

/// Frames of all heads; the pictures are made when the size of a cell changes, and only then.
void benchHeads(double dpr)
{
    const auto run = test::makeAttentionRun({.tokens = 64, .layers = 32, .heads = 32, .kvHeads = 8});
    const HeadPalette palette(run->model);
    const QSize size(600, 640);
    QImage canvas = canvasOf(size, dpr);
    const std::string suffix = dpr > 1 ? "_2x" : "";
    const auto frame = [&](ThumbnailAtlas& atlas, const ThumbnailGridStyle& style, int hovered) {
        const ThumbnailGridLayout layout(run->layers, run->model, QRectF(QPointF(0, 0), QSizeF(size)), style);
        QPainter painter(&canvas);
        painter.fillRect(QRectF(QPointF(0, 0), QSizeF(size)), Qt::white);
        atlas.prepare(run, layout.cellSize() * dpr, Theme::Light, true);
        paintThumbnails(painter, layout, atlas);
        layout.paintHeadings(painter, palette, ThumbnailCell{12, HeadIndex(3)});
        paintThumbnailMarks(
            painter, layout,
            {ThumbnailCell{12, HeadIndex(3)}, {}, ThumbnailCell{hovered % 32, HeadIndex(hovered % 32)}});
    };
    measure("heads_32x32_made" + suffix, kMakings, [&](int) {
        ThumbnailAtlas atlas;
        frame(atlas, {}, 0);
    });
    ThumbnailAtlas atlas;
    frame(atlas, {}, 0);
    measure("heads_32x32_hover" + suffix, kFrames, [&](int i) { frame(atlas, {}, i); });
    ThumbnailGridStyle close;
    close.cell = QSize(32, 32);
    frame(atlas, close, 0);
    measure("heads_32x32_pan" + suffix, kFrames, [&](int i) {
        close.offset = QPointF(5 * i, 4 * i);
        frame(atlas, close, i);
    });
}

void benchMatrix(const std::shared_ptr<const MatrixF>& rows, const TokenNames& names, double dpr)
{
    const QSize size(560, 560);
    const QRectF box(QPointF(0, 0), QSizeF(size));
    QImage canvas = canvasOf(size, dpr);
    const std::string suffix = dpr > 1 ? "_2x" : "";
    if (dpr == 1)
        measure("matrix_4096_made", kMakings,
                [&](int) { static_cast<void>(WeightPyramid(ShownWeights(rows, true, true))); });
    const WeightPyramid pyramid(ShownWeights(rows, true, true));
    const auto frame = [&](const MatrixWindow& window) {
        const WeightMatrixLayout layout(names, box, Theme::Light, window);
        QPainter painter(&canvas);
        painter.fillRect(box, Qt::white);
        layout.paint(painter, pyramid, {WeightCell{2000, 1000}, WeightCell{2100, 900}}, dpr);
    };
    measure("matrix_4096_all" + suffix, kFrames, [&](int) { frame({}); });
    for (const double cell : {0.5, 1.5, 5.0, 24.0})
        measure(fmt::format("matrix_4096_pan_{}px{}", cell, suffix), kFrames, [&](int i) {
            frame({cell, 900 * cell + 3 * i, 2000 * cell + 2 * i});
        });
    measure("matrix_4096_zoom" + suffix, kFrames, [&](int i) {
        const double cell = 0.12 * std::pow(1.06, i);
        frame({cell, 900 * cell, 2000 * cell});
    });
}

void benchLines(const std::shared_ptr<const MatrixF>& rows, const TokenNames& names)
{
    const QSize size(560, 560);
    const QRectF box(QPointF(0, 0), QSizeF(size));
    QImage canvas = canvasOf(size, 1);
    const auto make = [&] { return LinePool({{ShownWeights(rows, true, true), QColor(0, 128, 128)}}); };
    measure("lines_4096_made", kMakings, [&](int) { static_cast<void>(make()); });
    const LinePool pool = make();
    const auto frame = [&](double row, double offset, std::optional<LineEnd> focus, std::int64_t most) {
        TokenLinesStyle style;
        style.rowHeight = row;
        style.offset = offset;
        const TokenLinesLayout layout(names, box, style);
        QPainter painter(&canvas);
        painter.fillRect(box, Qt::white);
        static_cast<void>(layout.paint(painter, pool, focus, most));
    };
    measure("lines_4096_all", kFrames, [&](int) { frame(0, 0, {}, 1200); });
    measure("lines_4096_hover", kFrames, [&](int i) {
        frame(0, 0, LineEnd{LineEnd::Side::Reading, 1000 + 20 * i}, 1200);
    });
    measure("lines_4096_drag", kFrames, [&](int i) { frame(16, 20'000 + 7 * i, {}, 400); });
    measure("lines_4096_still", kFrames, [&](int i) { frame(16, 20'000 + 7 * i, {}, 1200); });
}

} // namespace

int main(int argc, char** argv)
{
    QGuiApplication application(argc, argv);
    benchHeads(1);
    benchHeads(2);
    const test::AttentionRunShape shape{.tokens = kTokens};
    const auto rows = std::make_shared<const MatrixF>(test::attentionPattern(shape, 0, 3));
    std::vector<std::string> tokens;
    for (std::int64_t token = 0; token < kTokens; ++token)
        tokens.push_back(" token" + std::to_string(token));
    const TokenNames names(tokens, textFont(12));
    benchMatrix(rows, names, 1);
    benchMatrix(rows, names, 2);
    benchLines(rows, names);
    return 0;
}
