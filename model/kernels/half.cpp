// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/half.h"

#include "model/base/assert.h"

#include <immintrin.h>

#include <cstddef>

namespace headscope
{
namespace
{

/// Whether the CPU converts half precision itself: F16C, which came before AVX2 (and which not every
/// compiler can ask for by name).
bool hasF16c()
{
    static const bool found = __builtin_cpu_supports("avx2") != 0;
    return found;
}

__attribute__((target("avx,f16c"))) std::size_t expandHalfs(const std::uint16_t* from, float* to, std::size_t count)
{
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
    return i;
}

__attribute__((target("avx,f16c"))) std::size_t packHalfs(const float* from, std::uint16_t* to, std::size_t count)
{
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
    return i;
}

} // namespace

float floatFromHalf(std::uint16_t bits)
{
    const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fU;
    const std::uint32_t fraction = bits & 0x3ffU;
    if (exponent == 0x1f)
        return std::bit_cast<float>(sign | 0x7f800000U | (fraction << 13));
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
    const float magnitude = static_cast<float>(fraction) * 0x1.0p-24F; // zero and subnormals
    return sign != 0 ? -magnitude : magnitude;
}

std::uint16_t halfFromFloat(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U)
        return static_cast<std::uint16_t>(sign | 0x7e00U | ((magnitude >> 13) & 0x3ffU));
    if (magnitude >= 0x477ff000U) // rounds to 2^16 or more
        return static_cast<std::uint16_t>(sign | 0x7c00U);
    if (magnitude < 0x38800000U) // below the smallest normal half
    {
        // Adding 0.5 puts the value into the low bits of the sum, rounded by the addition itself.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U));
    }
    const std::uint32_t rounded = magnitude - 0x38000000U + 0xfffU + ((magnitude >> 13) & 1U);
    return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

void floatsFromHalf(std::span<const std::uint16_t> from, std::span<float> to)
{
    HEADSCOPE_ASSERT(from.size() == to.size());
    std::size_t i = hasF16c() ? expandHalfs(from.data(), to.data(), from.size()) : 0;
    for (; i < from.size(); ++i)
        to[i] = floatFromHalf(from[i]);
}

void halfFromFloats(std::span<const float> from, std::span<std::uint16_t> to)
{
    HEADSCOPE_ASSERT(from.size() == to.size());
    std::size_t i = hasF16c() ? packHalfs(from.data(), to.data(), from.size()) : 0;
    for (; i < from.size(); ++i)
        to[i] = halfFromFloat(from[i]);
}

void floatsFromBfloat16(std::span<const std::uint16_t> from, std::span<float> to)
{
    HEADSCOPE_ASSERT(from.size() == to.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] = floatFromBfloat16(from[i]);
}

void bfloat16FromFloats(std::span<const float> from, std::span<std::uint16_t> to)
{
    HEADSCOPE_ASSERT(from.size() == to.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] = bfloat16FromFloat(from[i]);
}

} // namespace headscope
