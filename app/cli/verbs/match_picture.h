// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "model/data/results/heatmap_panel.h"
#include "viz/export/figure_export.h"

#include <cstdint>
#include <vector>

namespace headscope::cli
{

/// A match as bars, with 95% intervals by Wilson, where the heads were not chosen by the same labels.
/// @param match  its result, q and what the topics are
/// @param heads  that have a row, 0-based, ascending
[[nodiscard]] viz::Figure matchPicture(TopicMatch match, const CacheInput& input, std::vector<std::int64_t> heads);

} // namespace headscope::cli
