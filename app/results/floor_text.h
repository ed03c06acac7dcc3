// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/json_type.h"
#include "model/data/maps/noise_floor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::results
{

/// neighbors, kept, chance, correlation.
/// @param points  of the two maps
[[nodiscard]] Json agreementJson(const MapAgreement& agreement, std::int64_t points);

/// "above", "within", "unclear", "unstable", "contradicting", "unknown".
[[nodiscard]] std::string_view findingName(FloorFinding finding);

/// The finding as a sentence without its full stop.
[[nodiscard]] std::string findingText(FloorFinding finding);

/// value, ci95, ci95_method and finding; null without a verdict.
[[nodiscard]] Json verdictJson(const std::optional<FloorVerdict>& verdict);

/// "+3.1 percentage points (95 % by jackknife over documents: 1.2 to 5.0)".
[[nodiscard]] std::string verdictText(const FloorVerdict& verdict);

/// The same of the twins, with kept_least, kept_most, twins, noise, seed.
[[nodiscard]] Json floorJson(const NoiseFloor& floor, std::int64_t points);

/// "47.2 % of the 10 nearest (chance 2.5 %), r 0.515".
[[nodiscard]] std::string agreementText(const MapAgreement& agreement, std::int64_t points);

/// The floor for factsText: what it is, and what it means.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> floorFacts(const NoiseFloor& floor, std::int64_t points);

} // namespace headscope::results
