// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/colorings/coloring.h"
#include "app/desktop/shell/study.h"
#include "model/data/maps/head_map.h"
#include "ui/models/named_sets.h"
#include "ui/state/color_choice.h"
#include "viz/color/inks.h"
#include "viz/scatter/point_coloring.h"

#include <QString>

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace headscope::desktop
{

/// What the colour box offers for every cache, in the words of the stage.
[[nodiscard]] std::vector<ui::ColorEntry> colorEntries(const ui::CacheOverview& overview, Stage stage);
/// The further entries that it offers while there are named sets.
[[nodiscard]] std::vector<ui::ColorEntry> setColorEntries();
/// The colouring that is chosen; by head where it is not known.
[[nodiscard]] const colorings::Coloring& coloringOf(const ui::ColorChoice& choice);
/// Whether views of several maps colour each map separately: by strengths, or by points other than by head.
[[nodiscard]] bool ofEachMap(const colorings::Coloring& coloring);

/// The named sets as they are now.
/// @param documents  how many the cache has
[[nodiscard]] colorings::SetColors setColors(const ui::NamedSets& sets, std::int64_t documents);

/// What jobs have found out about the points of a map, by the key of the finder.
using MapFindings = std::map<std::string_view, std::shared_ptr<const colorings::Found>>;

/// Colours and legend of a map's points, as the data panel asks for now; by head when what is asked
/// for is not there (yet), and the legend says so.
/// @param order  codes of labels that come first in the legend
/// @pre a cache is open
/// @return what colours the points, linear in their number; it holds all it needs and runs on any thread
[[nodiscard]] colorings::Task mapColoring(const Study& study, const std::shared_ptr<const HeadMap>& map,
                                          viz::InkTheme theme, const MapFindings& findings = {},
                                          const std::vector<std::int32_t>& order = {});

/// The same for views of several maps: what belongs to one map alone (density, trust, nearest heads), and
/// strengths of another layer or stage than the chosen one, are by head, and the legend says why.
/// @pre a cache is open; every point has a head
[[nodiscard]] viz::PointColoring panelColoring(const Study& study, const std::shared_ptr<const PointIds>& points,
                                               LayerIndex layer, Stage stage, viz::InkTheme theme);
/// Why the data panel's colours are those of heads in views of several maps; empty where they are not.
[[nodiscard]] QString whyByHead(const Study& study, LayerIndex layer, Stage stage);

/// The number or name that a point's colour stands for, for its card; empty where the card shows it already.
[[nodiscard]] QString coloredValue(const Study& study, const HeadMap& map, const MapFindings& findings,
                                   std::int64_t point);

} // namespace headscope::desktop
