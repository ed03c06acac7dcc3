// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/json_type.h"
#include "model/data/maps/map_trust.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headscope::results
{

/// A number, or a list of several.
[[nodiscard]] Json perplexityJson(const std::vector<double>& perplexities);

/// kl_exact, kl_exact_neighbors, knn10, trustworthiness, continuity, spearman, sampled.
/// @param neighbors  of each point in P of the divergence (affinityNeighbors)
[[nodiscard]] Json trustJson(const MapTrust& trust, std::int64_t neighbors);

/// The most that a map can keep of the 10 nearest if it knows nothing but the classes (the heads): the neighbours on it
/// drawn at random among the points of the same class, and all nearest vectors of that class. Mean over points.
/// @param classes  [P]; NaN where it is empty or there is one class alone
[[nodiscard]] double keptWithinClasses(std::span<const std::int32_t> classes);

/// The same as trustJson for factsText.
/// @param withinClasses  keptWithinClasses of the heads; NaN: not shown
[[nodiscard]] std::vector<std::pair<std::string, std::string>> trustFacts(const MapTrust& trust, std::int64_t points,
                                                                          std::int64_t neighbors, double withinClasses);

} // namespace headscope::results
