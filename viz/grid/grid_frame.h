// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/theme.h"
#include "viz/grid/grid_contents.h"
#include "viz/grid/grid_layout.h"

class QPainter;

namespace headscope::viz
{

struct GridFrameStyle
{
    Theme theme = Theme::Light;
    double textPx = 11; ///< of captions and headings
};

/// Everything of a grid but its dots: headings, captions, the colour edges of the KV groups, and a
/// hairline around each map.
/// Needs a QGuiApplication (fonts).
void paintGridFrame(QPainter& painter, const GridContents& contents, const GridLayout& layout,
                    const GridFrameStyle& style);

} // namespace headscope::viz
