// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/json_type.h"
#include "app/results/result_table.h"
#include "model/data/results/layer_results.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope
{

using LayerList = std::vector<std::shared_ptr<const LayerMeasures>>;

/// The measures of one stage of one layer as --json prints them; what was not measured is null.
[[nodiscard]] Json layerJson(const LayerMeasures& measures);

/// p of the purities after Benjamini-Hochberg over all these places, in their order; NaN where there is no p.
[[nodiscard]] std::vector<double> purityQ(const LayerList& measures);

/// What the columns of the table mean, and how they were tested; several lines.
[[nodiscard]] std::string layersLegend(const LayerList& measures);

/// One row a layer and stage, in the order of layers and stages.
[[nodiscard]] ResultTable layerTable(const LayerList& measures);

} // namespace headscope
