// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui
{

class HeatmapView;
class MainWindow;

/// Joins the heatmap to the window: to the one Selection, to the choices, and what it shows to screen readers.
/// @param view, window  the window must outlive the view
void joinHeatmapView(HeatmapView& view, MainWindow& window);

} // namespace headscope::ui
