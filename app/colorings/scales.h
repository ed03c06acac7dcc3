// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/color_scale.h"

#include <span>

namespace headscope::colorings
{

/// Robust limits, widened to round numbers; 0..1 where no number is finite.
inline viz::ScaleLimits limitsOf(std::span<const float> values)
{
    return viz::roundedOutwards(viz::robustLimits(values).value_or(viz::ScaleLimits{}));
}

} // namespace headscope::colorings
