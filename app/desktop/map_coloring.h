// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/study.h"
#include "model/data/head_map.h"
#include "viz/color/theme.h"
#include "viz/scatter/point_coloring.h"

namespace headscope::desktop
{

/// Colours and legend of a map's points, as the data panel asks for; by head when what is asked for
/// is not there (yet).
/// @pre a cache is open
/// @cost linear in the points
[[nodiscard]] viz::PointColoring mapColoring(const Study& study, const HeadMap& map, viz::Theme theme);

} // namespace headscope::desktop
