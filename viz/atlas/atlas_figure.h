// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "viz/atlas/head_grid.h"
#include "viz/atlas/head_scatter.h"
#include "viz/export/figure_export.h"

#include <filesystem>
#include <optional>
#include <variant>

namespace headscope::viz
{

/// The heads of a model as a figure shows them, in light colours.
struct AtlasFigure
{
    std::variant<HeadDots, HeadGrid> shown;
    HeadMarks marks;
};

/// Dots over two axes, or the grid of layers and heads, with the legend; the caption is given in the options.
/// @errors InvalidArgument (no head)
[[nodiscard]] Figure figureOfAtlas(AtlasFigure figure);

} // namespace headscope::viz
