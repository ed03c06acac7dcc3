// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/figure_files.h"
#include "app/results/cache_input.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::cli
{

/// A match as bars, with 95 % intervals by Wilson.
/// @param heads  that have a row, 0-based, ascending
/// @errors those of exportMatch
[[nodiscard]] Status writeMatchPicture(const MatchResult& result, const CacheInput& input,
                                       const std::string& vectorsText, const std::vector<std::int64_t>& heads,
                                       const FigureFiles& files);

} // namespace headscope::cli
