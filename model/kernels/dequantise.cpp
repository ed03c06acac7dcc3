// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/dequantise.h"

#include "model/kernels/dequantise_grids.h"
#include "model/kernels/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace headscope
{
namespace
{

static_assert(std::endian::native == std::endian::little, "stored numbers are read as they lie");

using Bytes = const std::uint8_t*;

template <class T>
T load(Bytes from)
{
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

float loadHalf(Bytes from)
{
    return floatFromHalf(load<std::uint16_t>(from));
}

/// A 4-bit number of a byte: the low or the high one, 0..15.
int low4(std::uint8_t byte)
{
    return byte & 15;
}

int high4(std::uint8_t byte)
{
    return byte >> 4;
}

// Blocks of 32. d is the scale, m the minimum; number j has its 4 bits in the low half of byte j,
// number j + 16 in the high half of the same byte.

/// d, 16 bytes of nibbles: y = d (q - 8)
void expandQ4_0(Bytes block, float* y)
{
    const float d = loadHalf(block);
    const Bytes q = block + 2;
    for (int j = 0; j < 16; ++j)
    {
        y[j] = static_cast<float>(low4(q[j]) - 8) * d;
        y[j + 16] = static_cast<float>(high4(q[j]) - 8) * d;
    }
}

/// d, m, 16 bytes of nibbles: y = d q + m
void expandQ4_1(Bytes block, float* y)
{
    const float d = loadHalf(block);
    const float m = loadHalf(block + 2);
    const Bytes q = block + 4;
    for (int j = 0; j < 16; ++j)
    {
        y[j] = static_cast<float>(low4(q[j])) * d + m;
        y[j + 16] = static_cast<float>(high4(q[j])) * d + m;
    }
}

/// The fifth bit of number j (0..31), as 0 or 16.
int fifthBit(std::uint32_t bits, int j)
{
    return static_cast<int>((bits >> j) & 1U) << 4;
}

/// d, 32 fifth bits, 16 bytes of nibbles: y = d (q - 16)
void expandQ5_0(Bytes block, float* y)
{
    const float d = loadHalf(block);
    const auto bits = load<std::uint32_t>(block + 2);
    const Bytes q = block + 6;
    for (int j = 0; j < 16; ++j)
    {
        y[j] = static_cast<float>((low4(q[j]) | fifthBit(bits, j)) - 16) * d;
        y[j + 16] = static_cast<float>((high4(q[j]) | fifthBit(bits, j + 16)) - 16) * d;
    }
}

/// d, m, 32 fifth bits, 16 bytes of nibbles: y = d q + m
void expandQ5_1(Bytes block, float* y)
{
    const float d = loadHalf(block);
    const float m = loadHalf(block + 2);
    const auto bits = load<std::uint32_t>(block + 4);
    const Bytes q = block + 8;
    for (int j = 0; j < 16; ++j)
    {
        y[j] = static_cast<float>(low4(q[j]) | fifthBit(bits, j)) * d + m;
        y[j + 16] = static_cast<float>(high4(q[j]) | fifthBit(bits, j + 16)) * d + m;
    }
}

/// d, 32 signed bytes: y = d q
void expandQ8_0(Bytes block, float* y)
{
    const float d = loadHalf(block);
    for (int j = 0; j < 32; ++j)
        y[j] = static_cast<float>(static_cast<std::int8_t>(block[2 + j])) * d;
}

// Blocks of 256, in sub-blocks of 16 or 32 numbers with scales of their own, which are scaled by d
// (and the minima by dmin) in turn.

/// 16 bytes of scale | minimum << 4, 64 bytes of 2-bit numbers, d, dmin: y = d s q - dmin m
void expandQ2_K(Bytes block, float* y)
{
    Bytes scale = block;
    Bytes q = block + 16;
    const float d = loadHalf(block + 80);
    const float dmin = loadHalf(block + 82);
    for (int half = 0; half < 2; ++half, q += 32)
        for (int shift = 0; shift < 8; shift += 2)
            for (int part = 0; part < 32; part += 16)
            {
                const float factor = d * static_cast<float>(low4(*scale));
                const float minimum = dmin * static_cast<float>(high4(*scale));
                ++scale;
                for (int l = 0; l < 16; ++l)
                    *y++ = factor * static_cast<float>((q[part + l] >> shift) & 3) - minimum;
            }
}

/// The sixteen 6-bit scales of Q3_K, packed into 12 bytes: bytes 0..7 hold the low four bits of
/// scales 0..7 and 8..15, byte 8 + i the upper two of scales i, i + 4, i + 8, i + 12. Offset 32.
int scaleQ3_K(Bytes packed, int i)
{
    const int low = i < 8 ? low4(packed[i]) : high4(packed[i - 8]);
    const int high = (packed[8 + i % 4] >> (2 * (i / 4))) & 3;
    return (low | high << 4) - 32;
}

/// 32 bytes of third bits (bit k belongs to the k-th run of 32 numbers), 64 bytes of 2-bit numbers,
/// 12 bytes of scales, d: y = d s (q - 4 where the third bit is not set)
void expandQ3_K(Bytes block, float* y)
{
    const Bytes third = block;
    Bytes q = block + 32;
    const Bytes scales = block + 96;
    const float d = loadHalf(block + 108);
    int scale = 0;
    int bit = 0;
    for (int half = 0; half < 2; ++half, q += 32)
        for (int shift = 0; shift < 8; shift += 2, ++bit)
            for (int part = 0; part < 32; part += 16)
            {
                const float factor = d * static_cast<float>(scaleQ3_K(scales, scale++));
                for (int l = part; l < part + 16; ++l)
                    *y++ = factor * static_cast<float>(((q[l] >> shift) & 3) - ((third[l] >> bit & 1) != 0 ? 0 : 4));
            }
}

/// A scale and a minimum of 6 bits each.
struct ScaleAndMinimum
{
    int scale;
    int minimum;
};

/// The eight pairs of Q4_K and Q5_K, packed into 12 bytes: pairs 0..3 in the low six bits of bytes
/// 0..3 and 4..7, whose upper two bits complete the nibbles of pairs 4..7 in bytes 8..11.
ScaleAndMinimum scaleQ4_K(Bytes packed, int j)
{
    if (j < 4)
        return {packed[j] & 63, packed[j + 4] & 63};
    return {low4(packed[j + 4]) | packed[j - 4] >> 6 << 4, high4(packed[j + 4]) | packed[j] >> 6 << 4};
}

/// d, dmin, 12 bytes of scales and minima; of Q5_K 32 bytes of fifth bits (bit j of byte l belongs to
/// number l of run j); 128 bytes of nibbles (low halves of 32 bytes, then high halves): y = d s q - dmin m
template <bool HasFifthBits>
void expandQ4_K(Bytes block, float* y)
{
    const float d = loadHalf(block);
    const float dmin = loadHalf(block + 2);
    const Bytes scales = block + 4;
    const Bytes fifth = block + 16;
    Bytes q = block + (HasFifthBits ? 48 : 16);
    for (int j = 0; j < 8; ++j)
    {
        const auto pair = scaleQ4_K(scales, j);
        const float factor = d * static_cast<float>(pair.scale);
        const float minimum = dmin * static_cast<float>(pair.minimum);
        const int shift = 4 * (j % 2);
        for (int l = 0; l < 32; ++l)
        {
            int number = (q[l] >> shift) & 15;
            if constexpr (HasFifthBits)
                number |= (fifth[l] >> j & 1) << 4;
            *y++ = factor * static_cast<float>(number) - minimum;
        }
        q += 32 * (j % 2);
    }
}

/// 128 bytes of low nibbles, 64 bytes of upper two bits, 16 signed scales, d: y = d s (q - 32). In
/// each half of 128, run r of 32 numbers takes nibbles of bytes 32 (r % 2) + l and bits 2r of byte l.
void expandQ6_K(Bytes block, float* y)
{
    Bytes nibbles = block;
    Bytes upper = block + 128;
    Bytes scale = block + 192;
    const float d = loadHalf(block + 208);
    for (int half = 0; half < 2; ++half, nibbles += 64, upper += 32)
        for (int run = 0; run < 4; ++run)
            for (int l = 0; l < 32; ++l)
            {
                const std::uint8_t byte = nibbles[32 * (run % 2) + l];
                const int low = run < 2 ? low4(byte) : high4(byte);
                const int q = (low | (upper[l] >> (2 * run) & 3) << 4) - 32;
                const auto s = static_cast<std::int8_t>(scale[8 * half + 2 * run + l / 16]);
                *y++ = d * static_cast<float>(s) * static_cast<float>(q);
            }
}

/// What the 4-bit numbers of IQ4_NL and IQ4_XS stand for: steps that are finer near zero.
constexpr std::array<std::int8_t, 16> kUnevenSteps = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                      1,    13,   25,  38,  53,  69,  89,  113};

/// 32 nibbles, low halves of 16 bytes first: y = factor v(q)
void expandSteps(const std::array<std::int8_t, 16>& values, float factor, Bytes q, float* y)
{
    for (int j = 0; j < 16; ++j)
    {
        y[j] = factor * static_cast<float>(values[static_cast<std::size_t>(low4(q[j]))]);
        y[j + 16] = factor * static_cast<float>(values[static_cast<std::size_t>(high4(q[j]))]);
    }
}

/// d, 16 bytes of nibbles: y = d v(q)
void expandIQ4_NL(Bytes block, float* y)
{
    expandSteps(kUnevenSteps, loadHalf(block), block + 2, y);
}

/// d, the upper two bits of eight 6-bit scales (2 bytes), their low nibbles (4 bytes), 128 bytes of nibbles:
/// y = d (s - 32) v(q)
void expandIQ4_XS(Bytes block, float* y)
{
    const float d = loadHalf(block);
    const int upper = load<std::uint16_t>(block + 2);
    const Bytes lower = block + 4;
    const Bytes q = block + 8;
    for (int run = 0; run < 8; ++run)
    {
        const int low = lower[run / 2] >> (4 * (run % 2)) & 15;
        const int scale = (low | (upper >> (2 * run) & 3) << 4) - 32;
        expandSteps(kUnevenSteps, d * static_cast<float>(scale), q + 16 * run, y + 32 * run);
    }
}

/// The exponent of a power of two, e - 127 (E8M0), 16 bytes of nibbles (E2M1): y = 2^(e - 127) v(q)
/// @source Open Compute Project, Microscaling Formats (MX) Specification 1.0
void expandMXFP4(Bytes block, float* y)
{
    constexpr std::array<std::int8_t, 16> kDoubled = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    constexpr int kBias = 128; // of the halves of the doubled values
    expandSteps(kDoubled, std::ldexp(1.0F, block[0] - kBias), block + 1, y);
}

template <void (*expand)(Bytes, float*)>
void expandBlocks(const TensorTypeInfo& info, Bytes from, std::span<float> to)
{
    for (std::size_t i = 0; i < to.size(); i += info.blockElements, from += info.blockBytes)
        expand(from, to.data() + i);
}

/// 16-bit numbers, by way of a small aligned buffer because a file may hold them at odd places.
void expand16(void (*convert)(std::span<const std::uint16_t>, std::span<float>), Bytes from, std::span<float> to)
{
    std::array<std::uint16_t, 2048> buffer;
    while (!to.empty())
    {
        const auto count = std::min(buffer.size(), to.size());
        std::memcpy(buffer.data(), from, count * sizeof(std::uint16_t));
        convert(std::span(buffer).first(count), to.first(count));
        from += count * sizeof(std::uint16_t);
        to = to.subspan(count);
    }
}

void expand(const TensorTypeInfo& info, Bytes from, std::span<float> to)
{
    switch (info.type)
    {
    case TensorType::F32:
        std::memcpy(to.data(), from, to.size_bytes());
        return;
    case TensorType::F16:
        return expand16(floatsFromHalf, from, to);
    case TensorType::BF16:
        return expand16(floatsFromBfloat16, from, to);
    case TensorType::F64:
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = static_cast<float>(load<double>(from + i * sizeof(double)));
        return;
    case TensorType::Q4_0:
        return expandBlocks<expandQ4_0>(info, from, to);
    case TensorType::Q4_1:
        return expandBlocks<expandQ4_1>(info, from, to);
    case TensorType::Q5_0:
        return expandBlocks<expandQ5_0>(info, from, to);
    case TensorType::Q5_1:
        return expandBlocks<expandQ5_1>(info, from, to);
    case TensorType::Q8_0:
        return expandBlocks<expandQ8_0>(info, from, to);
    case TensorType::Q2_K:
        return expandBlocks<expandQ2_K>(info, from, to);
    case TensorType::Q3_K:
        return expandBlocks<expandQ3_K>(info, from, to);
    case TensorType::Q4_K:
        return expandBlocks<expandQ4_K<false>>(info, from, to);
    case TensorType::Q5_K:
        return expandBlocks<expandQ4_K<true>>(info, from, to);
    case TensorType::Q6_K:
        return expandBlocks<expandQ6_K>(info, from, to);
    case TensorType::IQ4_NL:
        return expandBlocks<expandIQ4_NL>(info, from, to);
    case TensorType::IQ4_XS:
        return expandBlocks<expandIQ4_XS>(info, from, to);
    case TensorType::MXFP4:
        return expandBlocks<expandMXFP4>(info, from, to);
    case TensorType::IQ1_S:
        return expandBlocks<expandIQ1_S>(info, from, to);
    case TensorType::IQ1_M:
        return expandBlocks<expandIQ1_M>(info, from, to);
    case TensorType::IQ2_XXS:
        return expandBlocks<expandIQ2_XXS>(info, from, to);
    case TensorType::IQ2_XS:
        return expandBlocks<expandIQ2_XS>(info, from, to);
    case TensorType::IQ2_S:
        return expandBlocks<expandIQ2_S>(info, from, to);
    case TensorType::IQ3_XXS:
        return expandBlocks<expandIQ3_XXS>(info, from, to);
    case TensorType::IQ3_S:
        return expandBlocks<expandIQ3_S>(info, from, to);
    default:
        HEADSCOPE_ASSERT(false && "the table calls a type readable that is not");
    }
}

} // namespace

Status dequantise(TensorType type, std::span<const std::byte> from, std::span<float> to)
{
    const auto& info = tensorTypeInfo(type);
    if (!info.readable)
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected a type that can be turned into float32, found {}", info.name),
                     {},
                     {}};
    if (tensorBytes(type, to.size()) != from.size())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected the bytes of {} {} numbers, found {}", to.size(), info.name, from.size()),
                     {},
                     {}};
    if (!to.empty())
        expand(info, reinterpret_cast<Bytes>(from.data()), to);
    return {};
}

} // namespace headscope
