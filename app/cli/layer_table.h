// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/result_table.h"
#include "app/cli/verb.h"
#include "model/data/layer_results.h"

#include <memory>
#include <vector>

namespace headscope::cli
{

using LayerList = std::vector<std::shared_ptr<const LayerMeasures>>;

/// The measures of one stage of one layer as --json prints them; what was not measured is null.
[[nodiscard]] Json layerJson(const LayerMeasures& measures);

/// One row a layer and stage, in the order of layers and stages.
[[nodiscard]] ResultTable layerTable(const LayerList& measures);

} // namespace headscope::cli
