// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui
{

class MainWindow;
class ProbeView;

/// Joins the probe to the window: to the head under the pointer, to the choices, and its command to the menu.
/// @param view, window  the window must outlive the view
void joinProbeView(ProbeView& view, MainWindow& window);

} // namespace headscope::ui
