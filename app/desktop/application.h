// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::desktop
{

/// Opens the window and runs until it is closed.
///
/// Without an argument it shows the bundled demo; with one it opens a cache, a model or texts.
/// @return the process's exit code
[[nodiscard]] int runWindow(int argc, char** argv);

} // namespace headscope::desktop
