// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/formats/json.h"

#include <optional>
#include <string>

namespace headscope
{

/// The first key that an object in a value holds twice; none when every key is there once.
/// @cost one walk over the value; few keys are compared with each other, many go through a hash set
[[nodiscard]] std::optional<std::string> duplicateKey(const JsonView& value);

} // namespace headscope
