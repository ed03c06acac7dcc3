// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/facts.h"
#include "model/data/maps/map_trust.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace headscope
{

/// A number, or a list of several.
[[nodiscard]] Node perplexityNode(const std::vector<double>& perplexities);

/// How far maps can be trusted: a row for each.
extern const FrameInfo kTrustFrame;

/// The numbers of one map, a column of kTrustFrame each, without what was not measured.
/// @param neighbors  of each point in P of the divergence (affinityNeighbors)
/// @param within     keptWithinClasses of the 10 nearest by head or segment
[[nodiscard]] Members trustMembers(const MapTrust& trust, std::int64_t neighbors, std::optional<double> within = {});

/// Neighbours that measureMap looks at.
inline constexpr std::int64_t kTrustNeighbors = 10;

/// What a run's own divergence is, and what may be compared by it.
inline constexpr const char* kOwnDivergence = "for the map's own affinities, as estimated by the run; comparable only "
                                              "with maps of the same vectors, perplexity and affinities";

/// The same for people.
/// @param within  keptWithinClasses of the 10 nearest by head or segment; nothing: not shown
/// @param units   "heads" or "segments"
[[nodiscard]] FactLines trustLines(const MapTrust& trust, std::int64_t points, std::int64_t neighbors,
                                   std::optional<double> within, std::string_view units);

} // namespace headscope
