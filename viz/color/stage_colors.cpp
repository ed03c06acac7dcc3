// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/stage_colors.h"

#include "viz/color/category_palette.h"

#include <array>
#include <cstddef>

namespace headscope::viz
{

QColor stageColor(Stage stage, InkTheme theme)
{
    // Vermilion, blue, green and pink of the eight that are safe for colour-blind eyes.
    constexpr std::array<std::int64_t, 4> kCodes = {3, 0, 2, 4};
    return CategoryPalette(8, theme).color(kCodes[static_cast<std::size_t>(stage)]);
}

MarkerShape stageMarker(Stage stage)
{
    constexpr std::array<MarkerShape, 4> kShapes = {MarkerShape::Circle, MarkerShape::Square, MarkerShape::Triangle,
                                                    MarkerShape::Diamond};
    return kShapes[static_cast<std::size_t>(stage)];
}

} // namespace headscope::viz
