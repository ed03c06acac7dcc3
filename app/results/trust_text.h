// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/json_type.h"
#include "model/data/maps/map_trust.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headscope::results
{

/// kl_exact, knn10, trustworthiness, continuity, spearman, sampled.
[[nodiscard]] Json trustJson(const MapTrust& trust);

/// The same for factsText.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> trustFacts(const MapTrust& trust, std::int64_t points);

} // namespace headscope::results
