// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"
#include "model/data/frame/facts.h"
#include "model/data/frame/frame.h"
#include "model/data/maps/head_map.h"
#include "model/data/model_info.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headscope::cli
{

/// Neighbours of each point in the objective; null where it holds all pairs.
[[nodiscard]] Node neighborsNode(const HeadMap& map);

/// The heads or segments of the points; empty where the map does not say them.
[[nodiscard]] std::span<const std::int32_t> classesOf(const HeadMap& map);

/// "heads" or "segments": what the points of a map's documents are.
[[nodiscard]] std::string_view unitsOf(const HeadMap& map);

/// A notice where rows were left out.
/// @param what  "vectors that hold"
void noteLeftOut(Answer& answer, std::int64_t leftOut, std::string_view what);

/// Says how many points have the vector of another one.
void noteEqual(Answer& answer, const HeadMap& map);

/// A notice where the run ended while attraction was still exaggerated: it has not begun to fit the affinities
/// themselves.
void noteExaggerated(Answer& answer, const HeadMap& map);

/// What was changed in the model that the points are of; in JSON null where nothing was.
void addChanged(Facts& facts, const ModelInfo& model);

} // namespace headscope::cli
