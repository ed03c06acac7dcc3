// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

// Blocks of 256 numbers of some 1.6 to 3.4 bits: groups of 8 or 4 numbers are points of a grid, d a float16 scale, s a
// small one of 16 or 32 numbers.
// @source  ggml's block layouts (ggml-common.h); the arithmetic, bit for bit, is that of gguf-py's dequantize

/// d, 32 lower bytes of points, for each 32 numbers 4 x 3 upper bits, s and a sign: y = d (2 s + 1) (v +- 1/8)
void expandIQ1_S(const std::uint8_t* block, float* y);
/// 32 lower bytes, 32 nibbles of 3 upper bits and a sign, 16 scales of 3 bits with the nibbles of d: as IQ1_S
void expandIQ1_M(const std::uint8_t* block, float* y);
/// d, for each 32 numbers 4 bytes of points, 4 x 7 signs and s: y = d (s + 1/2) / 4 (+-v)
void expandIQ2_XXS(const std::uint8_t* block, float* y);
/// d, for each 8 numbers 9 bits of a point and 7 signs, 16 nibbles s: as IQ2_XXS
void expandIQ2_XS(const std::uint8_t* block, float* y);
/// d, 32 lower bytes, 32 bytes of signs, 32 x 2 upper bits, 16 nibbles s: as IQ2_XXS
void expandIQ2_S(const std::uint8_t* block, float* y);
/// d, 64 bytes of points, for each 32 numbers 4 x 7 signs and s: y = d (s + 1/2) / 2 (+-v)
void expandIQ3_XXS(const std::uint8_t* block, float* y);
/// d, 64 lower bytes, 64 upper bits, 32 bytes of signs, 8 nibbles s: y = d (2 s + 1) (+-v)
void expandIQ3_S(const std::uint8_t* block, float* y);

} // namespace headscope
