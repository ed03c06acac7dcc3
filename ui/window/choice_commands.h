// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui
{

class MainWindow;

/// Adds the commands of the choice to the Edit menu, and those that choose heads to the Heads menu.
void addChoiceCommands(MainWindow& window);

} // namespace headscope::ui
