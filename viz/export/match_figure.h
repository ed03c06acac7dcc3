// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/model_info.h"
#include "model/data/results/heatmap_panel.h"
#include "viz/export/figure_export.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headscope::viz
{

/// "How often a document's own topic is the nearest, among 5 ...": what a caption of a match must say.
[[nodiscard]] QString matchCaption(const TopicMatch& match, const ModelInfo& info);

/// Bars of a match, a row for the full vector and one for each head, over their key.
/// @param heads  that have a row, 0-based, ascending; empty: all
/// @errors InvalidArgument (nothing was measured)
[[nodiscard]] Figure figureOfMatch(TopicMatch match, ModelInfo info, std::vector<std::int64_t> heads);

} // namespace headscope::viz
