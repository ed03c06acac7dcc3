// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/heads/head_parts.h"

#include "viz/axis/key_line.h"
#include "viz/axis/text.h"
#include "viz/color/color_map.h"
#include "viz/color/head_palette.h"
#include "viz/export/figure_text.h"
#include "viz/heatmap/matrix_painter.h"
#include "viz/heatmap/scale_bar.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kKeyPt = kFigureTextPt - 1;
constexpr double kAfter = 3; ///< between picture and key
constexpr double kLargestMatrix = 300;
constexpr double kLargestCell = 19; ///< that its number fills
constexpr double kMatrixNames = 28;
constexpr double kMinMatrix = 170;
constexpr double kLargestPlane = 300;
constexpr double kMinPart = 130;         ///< three beside each other on a page, each below the other in a column
constexpr double kPointsPerPixel = 0.65; ///< of the window, whose smallest text becomes a figure's

/// How alike heads are, those of a KV group framed.
struct Likeness
{
    MatrixD values;
    QStringList names;
    MatrixStyle style;
    QString scaleTitle;
};

Likeness likenessOf(const MatrixD& all, const QString& measure, bool grouped, const ModelInfo& info,
                    std::span<const std::int64_t> heads, InkTheme theme)
{
    Likeness likeness;
    const auto count = std::ssize(heads);
    likeness.values = MatrixD(count, count);
    const HeadPalette palette(info, theme);
    bool below = false;
    for (std::int64_t row = 0; row < count; ++row)
    {
        const std::int64_t head = heads[static_cast<std::size_t>(row)];
        for (std::int64_t column = 0; column < count; ++column)
        {
            likeness.values(row, column) = row == column ? std::numeric_limits<double>::quiet_NaN()
                                                         : all(head, heads[static_cast<std::size_t>(column)]);
            below |= likeness.values(row, column) < 0;
        }
        likeness.names << QString::number(head + 1);
        likeness.style.rowColors.push_back(palette.color(HeadIndex(head)));
        auto& blocks = likeness.style.blocks;
        const bool same = row > 0 && grouped &&
                          heads[static_cast<std::size_t>(row - 1)] / info.groupSize() == head / info.groupSize();
        if (same)
            blocks.back().second = row + 1;
        else if (grouped)
            blocks.emplace_back(row, row + 1);
    }
    likeness.style.textPx = kFigureTextPt;
    likeness.style.square = true;
    likeness.style.leastNumber = kMinNumberPt;
    likeness.style.scale = ColorScale(sequentialMap(InkTheme::Light), {0, 1});
    likeness.scaleTitle = below ? QStringLiteral("%1, below 0 as 0").arg(measure) : measure;
    return likeness;
}

} // namespace

FigurePart likenessPart(const MatrixD& values, const QString& measure, bool grouped, const ModelInfo& info,
                        std::span<const std::int64_t> heads, InkTheme theme)
{
    constexpr double kTall = 20'000;
    const double scale = std::ceil(lineHeight(textFont(kKeyPt))) + 4;
    const Likeness likeness = likenessOf(values, measure, grouped, info, heads, theme);
    FigurePart part;
    part.least = kMinPart;
    part.most = std::clamp(kMatrixNames + kLargestCell * static_cast<double>(heads.size()), kMinMatrix, kLargestMatrix);
    part.height = [likeness, scale](double width) {
        return MatrixLayout(likeness.values, likeness.names, likeness.names, {0, 0, width, kTall}, likeness.style)
                   .bottom() +
               4 + scale;
    };
    part.paint = [likeness, scale](QPainter& painter, const QRectF& box, double dpr) {
        MatrixLayout(likeness.values, likeness.names, likeness.names, box.adjusted(0, 0, 0, -scale - 4), likeness.style)
            .paint(painter, dpr);
        paintScaleBar(painter, likeness.style.scale, likeness.scaleTitle,
                      {box.left(), box.bottom() - scale, box.width(), scale}, kKeyPt);
    };
    return part;
}

FigurePart headDiscsPart(std::vector<HeadDisc> discs, const ModelInfo& info, InkTheme theme)
{
    FigurePart part;
    part.least = kMinPart;
    part.most = kLargestPlane;
    part.height = [](double width) { return width; };
    part.paint = [discs = std::move(discs), palette = HeadPalette(info, theme)](QPainter& painter, const QRectF& box, double) {
        HeadDiscLayout(discs, box, {InkTheme::Light, palette, textFont(kKeyPt), kPointsPerPixel}).paint(painter);
    };
    return part;
}

FigurePart pruningPart(PruningChart chart)
{
    FigurePart part;
    part.least = kMinPart;
    const auto height = [](double width) {
        constexpr double kShape = 0.5;
        constexpr double kLowest = 130;
        constexpr double kHighest = 230;
        return std::clamp(kShape * width, kLowest, kHighest);
    };
    const std::vector<KeyEntry> key = pruningKey(chart);
    part.height = [key, height](double width) { return height(width) + kAfter + keyHeight(key, width, kKeyPt); };
    part.paint = [chart = std::move(chart), key](QPainter& painter, const QRectF& box, double) {
        const double below = keyHeight(key, box.width(), kKeyPt);
        paintPruningChart(painter, chart, box.adjusted(0, 0, 0, -below - kAfter), kFigureTextPt);
        paintKey(painter, key, {box.left(), box.bottom() - below, box.width(), below}, kKeyPt);
    };
    return part;
}

} // namespace headscope::viz
