// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/pictures/window_figure.h"

namespace headscope::desktop
{

/// Opens the figure in a window that is on no screen, waits until its view has computed what it shows, and saves it.
/// Neither settings nor kept work are written; label colours are the user's own.
/// @threads GUI thread, with a QApplication; runs an event loop
/// @cost   that of opening the cache and computing the view
[[nodiscard]] Result<cli::WindowFigureMade> makeWindowFigure(const cli::WindowFigureRequest& request, JobContext& job);

} // namespace headscope::desktop
