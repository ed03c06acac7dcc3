// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace headscope
{

/// bfloat16 bits as float32 (exact).
[[nodiscard]] constexpr float floatFromBfloat16(std::uint16_t bits)
{
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

/// float32 as bfloat16 bits, round to nearest even; NaN stays NaN.
[[nodiscard]] constexpr std::uint16_t bfloat16FromFloat(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

/// IEEE half bits as float32 (exact, subnormals and infinities included).
[[nodiscard]] float floatFromHalf(std::uint16_t bits);
/// float32 as IEEE half bits, round to nearest even; overflow becomes infinity, NaN stays NaN.
[[nodiscard]] std::uint16_t halfFromFloat(float value);

/// Whole arrays of the above; `from` and `to` have equal length. SIMD where the CPU has it.
void floatsFromHalf(std::span<const std::uint16_t> from, std::span<float> to);
void halfFromFloats(std::span<const float> from, std::span<std::uint16_t> to);
void floatsFromBfloat16(std::span<const std::uint16_t> from, std::span<float> to);
void bfloat16FromFloats(std::span<const float> from, std::span<std::uint16_t> to);

} // namespace headscope
