// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/view_state.h"
#include "viz/geometry/view_transform.h"

#include <QJsonObject>
#include <QSizeF>
#include <QString>

#include <functional>
#include <optional>

namespace headscope::ui
{

class ColorBar;
class LegendWidget;
class ScatterWidget;

/// A zoom as a work file has it, and of it the view of a canvas of this size; nothing where it is none.
[[nodiscard]] QJsonObject zoomJson(const viz::ViewTransform& view);
[[nodiscard]] std::optional<viz::ViewTransform> zoomOf(const QJsonObject& zoom, QSizeF canvas);

/// A value of what shows something, or does not yet.
/// @param read   undefined: nothing was chosen
/// @param shows  whether it shows something; else it takes no value
/// @param unset  what shows as if nothing was chosen
void bindPlace(ViewState& state, StatePart part, const QString& key, std::function<QJsonValue()> read,
               std::function<bool()> shows, std::function<void(const QJsonValue&)> write, std::function<void()> unset);

/// Canvases as values of a state: their zooms, unless they follow what they show or show all of it; the labels that a
/// legend shows, unless it shows all; the tools. A canvas outlives the state, or goes with it.

/// @param key  "scatter0"; tools and the search of the legend have keys of their own, the same in each canvas
void bind(ViewState& state, const QString& key, ScatterWidget& canvas);
/// The scale that a bar keeps.
/// @param key  "scale0": saved where it is kept, because what is shown does not say where it came from
/// @param bar    asked each time: which one a key is of may depend on what is shown
void bind(ViewState& state, const QString& key, std::function<ColorBar&()> bar);
/// What is searched for in a legend that is next to its canvas.
void bindSearch(ViewState& state, LegendWidget& legend);

} // namespace headscope::ui
