// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/axis/legend_painter.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <functional>
#include <optional>

namespace headscope::viz
{

/// A picture and the legend that explains it, both from (0, 0), in the units of the figure.
struct FigureLegend
{
    std::optional<LegendLayout> legend; ///< nothing: the figure's height leaves no room for it
    QPointF place;                      ///< of the legend's top left corner
    bool below = false;                 ///< under the picture, else at its right
    QRectF picture;
    QSizeF size; ///< of both

    /// Everything moved to `corner`.
    void paint(QPainter& painter, QPointF corner, const std::vector<LegendHit>& faded = {}) const;
};

/// How high a picture of this width is.
using HeightOfWidth = std::function<double(double width)>;

/// Puts a legend next to a picture where that leaves most of the width to the picture, in one or more
/// columns no higher than the picture; else under it, in as many columns as fit. Every entry is there, and
/// none lies over the picture.
/// @param style   its card, maxWidth, maxHeight and columns do not count
/// @param room    of the figure; height 0: it follows from the content
/// @param height  of the picture, where the room has none
[[nodiscard]] FigureLegend figureLegend(const Legend& legend, LegendStyle style, QSizeF room,
                                        const HeightOfWidth& height);
/// The same with the legend under the picture, whatever the room.
[[nodiscard]] FigureLegend legendUnder(const Legend& legend, LegendStyle style, QSizeF room,
                                       const HeightOfWidth& height);
/// The same layout for a picture without a legend.
[[nodiscard]] FigureLegend figureWithoutLegend(QSizeF room, const HeightOfWidth& height);

} // namespace headscope::viz
