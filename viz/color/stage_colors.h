// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/stage.h"
#include "viz/color/inks.h"
#include "viz/scatter/marker.h"

#include <QColor>

namespace headscope::viz
{

/// The colour of a stage where stages are compared as curves: safe for colour-blind eyes, the same in
/// every view, and none of a head.
[[nodiscard]] QColor stageColor(Stage stage, InkTheme theme);
/// The marker of a stage, so that curves differ without their colours.
[[nodiscard]] MarkerShape stageMarker(Stage stage);

} // namespace headscope::viz
