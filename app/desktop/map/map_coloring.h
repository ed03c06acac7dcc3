// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "model/analysis/maps/nearest_centroid.h"
#include "model/data/maps/head_map.h"
#include "model/data/maps/map_trust.h"
#include "viz/color/theme.h"
#include "viz/scatter/point_coloring.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace headscope::desktop
{

/// What jobs have found out about the points of a map; null where nobody has looked yet.
struct MapFindings
{
    std::shared_ptr<const PointTrust> trust;
    std::shared_ptr<const NearestCentroids> centroids;
    std::shared_ptr<const std::vector<float>> density; ///< [P]
};

/// Colours and legend of a map's points, as the data panel asks for now; by head when what is asked
/// for is not there (yet), and the legend says so.
/// @param order  codes of labels that come first in the legend
/// @pre a cache is open
/// @return what colours the points, linear in their number; it holds all it needs and runs on any thread
[[nodiscard]] std::function<viz::PointColoring()> mapColoring(const Study& study,
                                                              const std::shared_ptr<const HeadMap>& map,
                                                              viz::Theme theme, const MapFindings& findings = {},
                                                              const std::vector<std::int32_t>& order = {});

/// The same for views of several maps: what belongs to one map alone (density, trust, nearest heads), and
/// strengths of another layer or stage than the chosen one, are by head, and the legend says why.
/// @pre a cache is open; every point has a head
[[nodiscard]] viz::PointColoring panelColoring(const Study& study, const std::shared_ptr<const PointIds>& points,
                                               LayerIndex layer, Stage stage, viz::Theme theme);
/// Why the data panel's colours are those of heads in views of several maps; empty where they are not.
[[nodiscard]] QString whyByHead(const Study& study, LayerIndex layer, Stage stage);

/// The number or name that a point's colour stands for, for its card; empty where the card says it
/// anyway.
[[nodiscard]] QString coloredValue(const Study& study, const HeadMap& map, const MapFindings& findings,
                                   std::int64_t point);

} // namespace headscope::desktop
