// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/results/layer_results.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// The measures of layers and stages: a row for each.
extern const FrameInfo kLayersFrame;

/// The measures in their order.
[[nodiscard]] Frame layersFrame(const LayerList& measures);
/// The same in the order of layers and stages.
[[nodiscard]] Frame sortedLayersFrame(const LayerList& measures);

/// p of the purities after Benjamini-Hochberg over all these places, in their order; NaN where there is no p.
[[nodiscard]] std::vector<double> purityQ(const LayerList& measures);

/// What the columns of the table mean, and how they were tested; several lines.
[[nodiscard]] std::string layersLegend(const LayerList& measures);

} // namespace headscope
