// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/numbers/all_finite.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace headscope
{

bool allFinite(std::span<const float> values)
{
    // All numbers are tested, several at a time and without a branch at each: nearly all rows are finite.
    constexpr std::uint32_t kExponent = 0x7f800000;
    std::uint32_t others = 0;
    for (const float value : values)
        others |= (std::bit_cast<std::uint32_t>(value) & kExponent) == kExponent ? 1U : 0U;
    return others == 0;
}

Pointing directionOf(std::span<const float> vector)
{
    if (!allFinite(vector))
        return Pointing::NotFinite;
    return std::ranges::any_of(vector, [](float value) { return value != 0; }) ? Pointing::Points : Pointing::Zero;
}

bool hasDirection(std::span<const float> vector)
{
    return directionOf(vector) == Pointing::Points;
}

} // namespace headscope
