// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/welcome_page.h"

#include <QList>

#include <string>
#include <string_view>

namespace headscope::desktop
{

/// The bundled caches, the one shown first in front: next to an installed program, else in the
/// source tree it was built from.
[[nodiscard]] QList<ui::Demo> bundledDemos();

/// "headscope: SENTENCE" on standard error.
void say(std::string_view sentence);

/// Why there is no window where Qt finds nothing to draw on.
[[nodiscard]] std::string platformFault();

/// Opens the window and runs until it is closed.
///
/// Without an argument it shows the bundled demo; with one it opens a cache, work, a figure, a model or texts.
/// @return the process's exit code
[[nodiscard]] int runWindow(int argc, char** argv);

} // namespace headscope::desktop
