// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// C = A B^T + beta C with A and B in bfloat16; sums and C are float32, row-major, on the calling thread alone.
///
/// A is [m, k] with row stride lda, B is [n, k] with row stride ldb, C is [m, n] with row stride ldc.
/// @param beta  0 or 1
/// @threads reentrant; never starts threads of its own
/// @errors  std::bad_alloc, std::runtime_error where the library fails or this CPU has no such product; C is then
///          undefined
/// @cost    with AMX some 4 to 8 times the rate of gemmNT; with AVX-512's bfloat16 alone about half of it
void gemmBfloat16NT(std::int64_t m, std::int64_t n, std::int64_t k, const std::uint16_t* a, std::int64_t lda,
                    const std::uint16_t* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);

/// Whether the CPU has instructions for products of bfloat16 (AVX-512 or AMX), and the library uses them.
[[nodiscard]] bool hasBfloat16Products();

/// How many times as fast as gemmNT a product of the size of a layer is, the rounding of both factors included; 0
/// without hasBfloat16Products().
/// @cost    measured at the first call, 50 ms; of five runs of each, alternating, the fastest count
[[nodiscard]] double bfloat16Speedup();

} // namespace headscope
