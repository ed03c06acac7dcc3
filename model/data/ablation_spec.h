// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/model_changes.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Documents of a run that replace a reference that is not named, at most.
inline constexpr std::int64_t kMaxReferenceDocuments = 1000;

/// Heads by layer, ascending, none twice; no layer without any.
using ChosenHeads = std::map<std::int64_t, std::vector<HeadIndex>>;

/// The heads that "29:1-3;12:g2" names: layers from 0, heads and KV groups (g) from 1, "all" for every head of a layer.
/// @param layers, heads, kvHeads  of the model, as it runs
/// @errors WrongUse (not understood), InvalidArgument (a layer, head or group that the model does not have)
[[nodiscard]] Result<ChosenHeads> parseAblation(std::string_view text, std::int64_t layers, std::int64_t heads,
                                                std::int64_t kvHeads);

/// What no model could make right in it: "expected ..., found ..."; empty: nothing.
[[nodiscard]] std::string ablationFault(std::string_view text);

/// The heads that were off, by the names of the options that say so, as they are written for people: vectors may only
/// be put together where these are the same. Empty where none was off.
[[nodiscard]] std::map<std::string, std::string> ablationSettings(const ModelChanges& changes);

/// The one way to write heads: by layer, as ranges, "12:4-6;29:1-3".
[[nodiscard]] std::string ablationText(const ChosenHeads& chosen);

} // namespace headscope
