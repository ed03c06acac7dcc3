// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui
{

class MainWindow;
class Settings;
struct FigureSize;

/// Adds the commands that give out what the view in front shows: to a file, to the clipboard, as a command line.
void addOutputCommands(MainWindow& window);
/// The size at which the last picture was saved.
[[nodiscard]] FigureSize lastFigureSize(const Settings& settings);

} // namespace headscope::ui
