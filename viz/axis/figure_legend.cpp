// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/figure_legend.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kBetween = 12;     ///< picture and legend
constexpr double kMaxBeside = 0.36; ///< of the width, for a legend at the side
constexpr int kMaxBesideColumns = 3;
constexpr int kGridColumns = 4; ///< of single heads, each as wide as four of them
/// Of a height that is given, what the picture has to keep.
constexpr double kMinPicture = 0.4;

int columnsUnder(const LegendLayout& single, double width)
{
    if (single.rowCount() == 0)
        return kGridColumns;
    const double pitch = single.size().width() + kBetweenLegendColumns;
    const double most = std::max(1.0, std::floor((width + kBetweenLegendColumns) / pitch));
    const auto rows = static_cast<int>(single.rowCount());
    const int columns = std::min(static_cast<int>(most), rows);
    const int lines = (rows + columns - 1) / columns;
    return (rows + lines - 1) / lines; // no column stays empty
}

std::optional<FigureLegend> beside(const Legend& legend, LegendStyle style, QSizeF room, const HeightOfWidth& height)
{
    // Names keep their length: where they are too long for the side, the legend goes under the picture.
    const bool names = std::holds_alternative<CategoryLegend>(legend.content);
    style.maxWidth = names ? room.width() : std::max(16 * style.textPx, kMaxBeside * room.width());
    for (style.columns = 1; style.columns <= kMaxBesideColumns; ++style.columns)
    {
        LegendLayout layout(legend, style);
        const double width = room.width() - layout.size().width() - kBetween;
        if (width < (1 - kMaxBeside) * room.width())
            return std::nullopt;
        const double high = room.height() > 0 ? room.height() : height(width);
        if (layout.size().height() > high)
            continue;
        FigureLegend made;
        made.picture = QRectF(0, 0, width, high);
        made.place = QPointF(width + kBetween, 0);
        made.size = QSizeF(room.width(), high);
        made.legend = std::move(layout);
        return made;
    }
    return std::nullopt;
}

} // namespace

void FigureLegend::paint(QPainter& painter, QPointF corner, const std::vector<LegendHit>& faded) const
{
    if (legend)
        legend->paint(painter, corner + place, faded);
}

FigureLegend figureWithoutLegend(QSizeF room, const HeightOfWidth& height)
{
    FigureLegend made;
    made.size = QSizeF(room.width(), room.height() > 0 ? room.height() : height(room.width()));
    made.picture = QRectF(QPointF(0, 0), made.size);
    return made;
}

FigureLegend figureLegend(const Legend& legend, LegendStyle style, QSizeF room, const HeightOfWidth& height)
{
    style.card = false;
    style.maxHeight = 0;
    if (auto made = beside(legend, style, room, height))
        return std::move(*made);
    return legendUnder(legend, style, room, height);
}

FigureLegend legendUnder(const Legend& legend, LegendStyle style, QSizeF room, const HeightOfWidth& height)
{
    style.card = false;
    style.maxHeight = 0;
    style.columns = 1;
    style.maxWidth = room.width();
    const LegendLayout single(legend, style);
    style.columns = columnsUnder(single, room.width());
    LegendLayout layout = style.columns == 1 ? single : LegendLayout(legend, style);
    const double under = layout.size().height() + kBetween;
    FigureLegend made = figureWithoutLegend(room, height);
    if (room.height() > 0 && room.height() - under < kMinPicture * room.height())
        return made;
    made.below = true;
    made.picture.setHeight(room.height() > 0 ? room.height() - under : made.picture.height());
    made.place = QPointF(0, made.picture.bottom() + kBetween);
    made.size.setHeight(made.picture.height() + under);
    made.legend = std::move(layout);
    return made;
}

} // namespace headscope::viz
