// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/ablation_spec.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace headscope::engine
{

/// Adds what was changed in a model to an answer: "ablated" [{"layer", "heads"}] (heads from 1), "ablation", "regroup"
/// and "changed", null where nothing was.
/// @param ablation  empty: no head was off
/// @param regroup   0: the groups of the model
/// @param changed   ModelChanges::words
void addAblation(nlohmann::ordered_json& object, const ChosenHeads& ablated, const std::string& ablation,
                 std::int64_t regroup, const std::string& changed);

} // namespace headscope::engine
