// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/chart/layer_schema.h"
#include "viz/export/figure_export.h"

namespace headscope::viz
{

/// The schema of a layer. An empty caption in `options` is filled with schemaCaption.
[[nodiscard]] Figure figureOfSchema(LayerSchema schema);

} // namespace headscope::viz
