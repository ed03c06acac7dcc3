// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui
{

class MainWindow;
class MapView;

/// Joins the map to the window: its canvas to the one Selection and to the choices, its commands to the menus, and
/// what it shows to screen readers.
/// @param view, window  the window must outlive the view
void joinMapView(MapView& view, MainWindow& window);

} // namespace headscope::ui
