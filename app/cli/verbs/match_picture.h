// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/figure_files.h"
#include "app/results/cache_input.h"
#include "model/data/results/heatmap_panel.h"

#include <cstdint>
#include <vector>

namespace headscope::cli
{

/// A match as bars, with 95 % intervals by Wilson, where the heads were not chosen by the same labels.
/// @param match  its result, q and what the topics are
/// @param heads  that have a row, 0-based, ascending
/// @errors those of exportMatch
[[nodiscard]] Status writeMatchPicture(TopicMatch match, const CacheInput& input,
                                       const std::vector<std::int64_t>& heads, const FigureFiles& files);

} // namespace headscope::cli
