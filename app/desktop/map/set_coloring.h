// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_vectors.h"
#include "ui/models/named_sets.h"
#include "viz/scatter/point_coloring.h"

#include <QColor>

#include <cstdint>
#include <vector>

namespace headscope::desktop
{

/// The named sets as they are at a moment.
struct SetColors
{
    LabelColumn column;       ///< of the documents
    std::vector<QRgb> colors; ///< of its categories
};

/// @param documents  how many the cache has
[[nodiscard]] SetColors setColors(const ui::NamedSets& sets, std::int64_t documents);

/// Points in the colours of the named sets their documents are in; those of no set are grey, those of
/// several have the mean of their colours and an entry of their own.
/// @threads reentrant
[[nodiscard]] viz::PointColoring colorBySets(const PointIds& points, const SetColors& sets, viz::Theme theme);

} // namespace headscope::desktop
