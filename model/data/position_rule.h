// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"

#include <optional>

namespace headscope
{

/// Whether queries and keys are rotated by the position of their token (RoPE). None: the file does not say the family.
[[nodiscard]] std::optional<bool> rotatesByPosition(const ModelInfo& info);

} // namespace headscope
