// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/json_type.h"
#include "app/results/result_table.h"
#include "model/data/results/layer_results.h"

#include <memory>
#include <vector>

namespace headscope::results
{

using LayerList = std::vector<std::shared_ptr<const LayerMeasures>>;

/// The measures of one stage of one layer as --json prints them; what was not measured is null.
[[nodiscard]] Json layerJson(const LayerMeasures& measures);

/// One row a layer and stage, in the order of layers and stages.
[[nodiscard]] ResultTable layerTable(const LayerList& measures);

} // namespace headscope::results
