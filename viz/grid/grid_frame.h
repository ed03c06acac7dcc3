// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/inks.h"
#include "viz/grid/grid_contents.h"
#include "viz/grid/grid_layout.h"

class QPainter;

namespace headscope::viz
{

/// Width of the colour edge on the left of a cell.
inline constexpr double kGridEdge = 3;

struct GridFrameStyle
{
    InkTheme theme = InkTheme::Light;
    double textPx = 11; ///< of captions and headings
};

/// Room that the caption of a cell needs in a figure: the least width of a cell, and the caption's height, with a
/// second line for the numbers where they do not fit next to the name.
struct GridCaptionRoom
{
    double least = 0;
    double height = 0;
};

/// The room for the captions of these cells.
/// @param cellWidth  of the cells; 0: not known yet
[[nodiscard]] GridCaptionRoom captionRoom(const GridContents& contents, const GridFrameStyle& style,
                                          bool columnHeadings, double cellWidth);

/// Everything of a grid but its dots: headings, captions, the colour edges of the KV groups, and a
/// hairline around each map.
/// Needs a QGuiApplication (fonts).
void paintGridFrame(QPainter& painter, const GridContents& contents, const GridLayout& layout,
                    const GridFrameStyle& style);

} // namespace headscope::viz
