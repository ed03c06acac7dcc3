// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/inks.h"

namespace headscope::viz
{

/// What all small charts take: surroundings, and the height of body text in the painter's units.
struct ChartStyle
{
    InkTheme theme = InkTheme::Light;
    double textPx = 11;
};

} // namespace headscope::viz
