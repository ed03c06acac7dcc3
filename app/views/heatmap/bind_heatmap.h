// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope::ui
{

class HeatmapWidget;
class ViewState;

/// The zoom of a heatmap as a value of a state.
/// @param key  "heatmap0"
void bind(ViewState& state, const QString& key, HeatmapWidget& canvas);

} // namespace headscope::ui
