// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/colorings/coloring.h"

/// Every colouring, in the order in which boxes show them: a line here, and a function of that name in a file of its
/// own (density_coloring.cpp).
#define HEADSCOPE_COLORINGS(COLORING) \
    COLORING(headColoring) \
    COLORING(strengthColoring) \
    COLORING(labelColoring) \
    COLORING(numberColoring) \
    COLORING(densityColoring) \
    COLORING(nearestHeadColoring) \
    COLORING(keptColoring) \
    COLORING(divergenceColoring) \
    COLORING(setColoring)

namespace headscope::colorings
{

#define HEADSCOPE_DECLARE_COLORING(name) [[nodiscard]] Coloring name();
HEADSCOPE_COLORINGS(HEADSCOPE_DECLARE_COLORING)
#undef HEADSCOPE_DECLARE_COLORING

} // namespace headscope::colorings
