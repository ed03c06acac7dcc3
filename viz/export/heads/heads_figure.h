// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/model_info.h"
#include "model/data/results/head_results.h"
#include "viz/export/figure_export.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// What a caption of the heads must say: of what, how many, how the intervals and tests were made.
[[nodiscard]] QString headsCaption(const HeadReport& report, const ModelInfo& info);

/// The heads of one layer and stage: what labels say of each as dots with intervals, how spread out its vectors are,
/// and how alike they are to each other.
/// @param heads  that are drawn, 0-based, ascending
/// @errors InvalidArgument (no head)
[[nodiscard]] Figure figureOfHeads(HeadReport report, ModelInfo info, std::vector<std::int64_t> heads);

} // namespace headscope::viz
