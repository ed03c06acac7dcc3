// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/view_state.h"

#include <QString>

#include <functional>

namespace headscope::ui
{

class ColorBar;
class HeatmapWidget;
class LegendWidget;
class MapGrid;
class ScatterWidget;

/// Canvases as values of a state: their zooms, unless they follow what they show or show all of it; the labels that a
/// legend shows, unless it shows all; the tools. A canvas outlives the state, or goes with it.

/// @param key  "scatter0"; tools and the search of the legend have keys of their own, the same in each canvas
void bind(ViewState& state, const QString& key, ScatterWidget& canvas);
void bind(ViewState& state, const QString& key, HeatmapWidget& canvas);
void bind(ViewState& state, const QString& key, MapGrid& grid);
/// The scale that a bar shows.
/// @param key  "scale0": a scale stays the same while layers and stages change, so that what is shown does not say
///             where it came from
/// @param bar    asked each time: which one a key is of may depend on what is shown
void bind(ViewState& state, const QString& key, std::function<ColorBar&()> bar);
/// What is searched for in a legend that stands beside its canvas.
void bindSearch(ViewState& state, LegendWidget& legend);

} // namespace headscope::ui
