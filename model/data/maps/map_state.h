// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/maps/head_map_set.h"

namespace headscope
{

/// Whether the run of a map was left before its end. One that stops by itself says nothing of that: how far it was
/// to go is not known.
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
