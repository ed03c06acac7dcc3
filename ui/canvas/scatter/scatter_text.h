// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/stage.h"
#include "viz/axis/legend.h"
#include "viz/scatter/point_states.h"

#include <QString>

namespace headscope::ui
{

class PointLayers;

/// "only head 2 is lit" while heads that are shown stand out from others; else empty.
[[nodiscard]] QString litText(const viz::PointStates& points, Stage stage);

/// What the badge over the map says: which part of the points or rings is shown, and which heads are lit; empty while
/// all are.
[[nodiscard]] QString badgeText(const PointLayers& layers, const viz::PointStates& points, Stage stage);

/// The map for a screen reader: "1,280 points, 80 shown, 4 labels, 2 documents chosen".
[[nodiscard]] QString mapText(const viz::PointStates& points, const viz::Legend& legend, Stage stage);

} // namespace headscope::ui
