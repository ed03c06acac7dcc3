// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/atlas/atlas_figure.h"

#include "viz/export/figure_text.h"
#include "viz/export/part_figures.h"

#include <algorithm>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kWhole = 1e6; // on a line of its own

ChartStyle paperStyle()
{
    ChartStyle style;
    style.textPx = kFigureTextPt;
    return style;
}

FigurePart partOf(const HeadDots& dots, const HeadMarks& marks)
{
    constexpr double kHigh = 0.6; // of the width
    FigurePart part;
    part.least = kWhole;
    part.height = [](double width) { return std::max(180.0, kHigh * width); };
    part.paint = [dots, marks](QPainter& painter, const QRectF& box, double) {
        HeadScatterLayout(dots, box, paperStyle()).paint(painter, marks);
    };
    return part;
}

FigurePart partOf(const HeadGrid& grid, const HeadMarks& marks)
{
    constexpr double kRow = 11; // points
    constexpr double kAround = 40;
    FigurePart part;
    part.least = kWhole;
    part.height = [layers = grid.layers](double width) {
        return std::clamp(kRow * static_cast<double>(layers) + kAround, 140.0, std::max(140.0, 1.2 * width));
    };
    part.paint = [grid, marks](QPainter& painter, const QRectF& box, double) {
        HeadGridLayout(grid, box, paperStyle()).paint(painter, marks);
    };
    return part;
}

bool isEmpty(const HeadDots& dots)
{
    return dots.dots.empty();
}
bool isEmpty(const HeadGrid& grid)
{
    return grid.layers <= 0 || grid.heads <= 0;
}

} // namespace

Figure figureOfAtlas(AtlasFigure figure)
{
    figure.marks.hovered.reset(); // a pointer is no finding
    return [figure = std::move(figure)](FigureOptions options) -> Result<FigureSpec> {
        if (std::visit([](const auto& shown) { return isEmpty(shown); }, figure.shown))
            return Error{ErrorCode::InvalidArgument, "no head has a value to draw", {}, {}};
        return partsSpec(
            {std::visit([&figure](const auto& shown) { return partOf(shown, figure.marks); }, figure.shown)},
            std::move(options));
    };
}

} // namespace headscope::viz
