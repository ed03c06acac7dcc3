// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui
{

class MainWindow;

/// Adds the menus "Light or dark" and "Colours of labels", which follow the settings and change them.
void addAppearanceMenus(MainWindow& window);

} // namespace headscope::ui
