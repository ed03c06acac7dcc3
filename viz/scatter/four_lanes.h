// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace headscope::viz
{

// Four numbers in a register of every x86-64 and AArch64 processor. Each lane rounds as a float does, so that pictures
// do not depend on how many numbers are computed at a time. Code for instruction sets with fused products would round
// once where this rounds twice: pictures would differ.

inline constexpr int kLanes = 4;

using Floats4 = float __attribute__((vector_size(16)));
/// Comparisons of Floats4 give -1 where they hold, otherwise 0.
using Ints4 = std::int32_t __attribute__((vector_size(16)));

[[nodiscard]] inline Floats4 loadFloats(const float* from)
{
    Floats4 values;
    std::memcpy(&values, from, sizeof values);
    return values;
}

[[nodiscard]] inline Ints4 loadInts(const void* from)
{
    Ints4 values;
    std::memcpy(&values, from, sizeof values);
    return values;
}

/// Four bytes, from 0 to 255.
[[nodiscard]] inline Ints4 loadBytes(const void* from)
{
    using Bytes4 = std::uint8_t __attribute__((vector_size(4)));
    Bytes4 bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(bytes, Ints4);
}

/// Four numbers of two bytes, from 0 to 65,535.
[[nodiscard]] inline Ints4 loadShorts(const void* from)
{
    using Shorts4 = std::uint16_t __attribute__((vector_size(8)));
    Shorts4 shorts;
    std::memcpy(&shorts, from, sizeof shorts);
    return __builtin_convertvector(shorts, Ints4);
}

/// A bit for each lane that is negative, which those of a comparison that holds are; lane 0 is bit 0.
[[nodiscard]] inline unsigned signBits(Ints4 values)
{
#if defined(__SSE2__)
    return static_cast<unsigned>(__builtin_ia32_movmskps(std::bit_cast<Floats4>(values)));
#else
    const Ints4 bits = values < 0 ? Ints4{1, 2, 4, 8} : Ints4{};
    return static_cast<unsigned>(bits[0] | bits[1] | bits[2] | bits[3]);
#endif
}

/// The smaller of each two; `b` where one is not a number.
[[nodiscard]] inline Floats4 smaller(Floats4 a, Floats4 b)
{
#if defined(__SSE__)
    return __builtin_ia32_minps(a, b); // g++ 12 makes four instructions of the line below
#else
    return a < b ? a : b;
#endif
}

/// The larger of each two; `b` where one is not a number.
[[nodiscard]] inline Floats4 larger(Floats4 a, Floats4 b)
{
#if defined(__SSE__)
    return __builtin_ia32_maxps(a, b);
#else
    return a > b ? a : b;
#endif
}

inline void storeInts(Ints4 values, void* to)
{
    std::memcpy(to, &values, sizeof values);
}

/// Towards zero. Numbers that an int32 cannot hold give anything.
[[nodiscard]] inline Ints4 truncated(Floats4 values)
{
    return __builtin_convertvector(values, Ints4);
}

[[nodiscard]] inline Floats4 toFloats(Ints4 values)
{
    return __builtin_convertvector(values, Floats4);
}

} // namespace headscope::viz
