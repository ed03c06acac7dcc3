// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/theme.h"

namespace headscope::viz
{

/// What all small charts take: surroundings, and the height of body text in the painter's units.
struct ChartStyle
{
    Theme theme = Theme::Light;
    double textPx = 11;
};

} // namespace headscope::viz
