// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace headscope
{

/// Whether no value is NaN or infinite.
[[nodiscard]] bool allFinite(std::span<const float> values);

/// Whether a vector points anywhere. A cosine with one that does not is undefined: nothing is near it.
enum class Pointing
{
    Points,
    Zero,
    NotFinite,
};
[[nodiscard]] Pointing directionOf(std::span<const float> vector);
/// Whether all values of a vector are finite, and one is not 0.
[[nodiscard]] bool hasDirection(std::span<const float> vector);

} // namespace headscope
