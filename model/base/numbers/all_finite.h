// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace headscope
{

/// Whether no value is NaN or infinite.
[[nodiscard]] bool allFinite(std::span<const float> values);

/// Whether a vector has a direction: all its values are finite, and one is not 0.
[[nodiscard]] bool hasDirection(std::span<const float> values);

} // namespace headscope
