// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/save_job.h"
#include "ui/canvas/scatter/scatter_widget.h"

namespace headscope::desktop
{

/// What a canvas shows as a figure on white: the part in view, its colours and legend with what is hidden or
/// pale, names of places, rings of sets, and the document that is marked.
/// @pre the canvas has a map
[[nodiscard]] viz::Figure canvasFigure(const Study& study, ui::ScatterWidget& canvas);

} // namespace headscope::desktop
