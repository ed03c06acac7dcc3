// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/facts.h"
#include "model/data/maps/noise_floor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope
{

/// neighbors, kept, chance (of unrelated maps), chance_within_heads (of maps that only know of which head or segment a
/// point is), correlation, correlation_shuffled; null where not known.
/// @param points  of the two maps
[[nodiscard]] Members agreementMembers(const MapAgreement& agreement, std::int64_t points);

/// "above", "within", "undecided", "unstable", "too_few_twins", "contradicting", "unknown", "same_vectors".
[[nodiscard]] std::string_view findingName(FloorFinding finding);

/// "agrees", "undecided", "contradicts"; empty: not known.
[[nodiscard]] std::string_view correlationName(CorrelationFinding finding);

/// The finding as a sentence without its full stop.
[[nodiscard]] std::string findingText(FloorFinding finding, CorrelationFinding correlation);

/// value, ci95 and ci95_method (null with fewer than kVerdictTwins), finding, correlation_finding; null without a
/// verdict.
[[nodiscard]] Node verdictNode(const std::optional<FloorVerdict>& verdict);

/// "+3.1 percentage points of neighbours kept (95% over documents and 3 twins: +1.2 to +5.0)".
[[nodiscard]] std::string verdictText(const FloorVerdict& verdict, std::int64_t twins);

/// The same of the twins, with kept_least, kept_most, correlation_least, correlation_most, twins, noise, seed.
[[nodiscard]] Members floorMembers(const NoiseFloor& floor, std::int64_t points);

/// "chance: unrelated maps 0.6%, maps that only know the heads 5.2%".
/// @param units  "heads" or "segments"
[[nodiscard]] std::string chanceText(const MapAgreement& agreement, std::int64_t points, std::string_view units);

/// "r 0.515 (documents permuted inside heads: 0.430)".
[[nodiscard]] std::string correlationText(const MapAgreement& agreement, std::string_view units);

/// "47.2% of the 10 nearest (CHANCE), CORRELATION".
[[nodiscard]] std::string agreementText(const MapAgreement& agreement, std::int64_t points, std::string_view units);

/// The floor for people: what it is, and what it means.
[[nodiscard]] FactLines floorLines(const NoiseFloor& floor, std::int64_t points, std::string_view units);

} // namespace headscope
