// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_vectors.h"
#include "ui/models/named_sets.h"
#include "viz/scatter/point_coloring.h"

#include <cstdint>

namespace headscope::desktop
{

/// Points in the colours of the named sets their documents are in; those of no set are grey, those of
/// several have the mean of their colours and an entry of their own.
/// @param documents  how many the cache has
[[nodiscard]] viz::PointColoring colorBySets(const PointIds& points, const ui::NamedSets& sets, std::int64_t documents,
                                             viz::Theme theme);

} // namespace headscope::desktop
