// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
