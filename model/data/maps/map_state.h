// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/maps/head_map_set.h"

namespace headscope
{

/// Whether the run of a map was stopped before its end. False for runs that stop by themselves, whose length is not
/// known in advance.
[[nodiscard]] inline bool wasStopped(const HeadMap& map)
{
    return map.iteration > 0 && map.iteration < map.options.iterations && !map.options.autoStop;
}

/// The same of the maps of a set, which are all at the same iteration.
[[nodiscard]] inline bool wasStopped(const HeadMapSet& set)
{
    return !set.maps.empty() && wasStopped(set.maps.front().map);
}

} // namespace headscope
