// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui
{

class MainWindow;

/// Adds the Help menu, and the dialogs of settings and keys to the Edit menu.
void addHelpMenu(MainWindow& window);

} // namespace headscope::ui
