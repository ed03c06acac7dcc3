// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace headscope
{

/// How one number lies in a file. The halves are kept raw and converted by model/kernels/half.h,
/// because HDF5's own conversion is some forty times slower.
enum class NumberType
{
    F16,
    Bf16, ///< in HDF5: uint16 with the attribute dtype = "bfloat16"
    F32,
    F64,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
};

/// Bytes of one number.
[[nodiscard]] constexpr std::size_t numberBytes(NumberType type)
{
    switch (type)
    {
    case NumberType::I8:
    case NumberType::U8:
        return 1;
    case NumberType::F16:
    case NumberType::Bf16:
    case NumberType::I16:
    case NumberType::U16:
        return 2;
    case NumberType::F32:
    case NumberType::I32:
    case NumberType::U32:
        return 4;
    case NumberType::F64:
    case NumberType::I64:
    case NumberType::U64:
        return 8;
    }
    return 8;
}

[[nodiscard]] constexpr bool isFloating(NumberType type)
{
    return type == NumberType::F16 || type == NumberType::Bf16 || type == NumberType::F32 || type == NumberType::F64;
}

/// "float16", "bfloat16", "int32", ...
[[nodiscard]] std::string_view numberTypeName(NumberType type);

/// Numbers of a floating type, as they lie in the file, to float32 (float64 is rounded).
/// @param from  to.size() numbers of this type, without alignment
void floatsFromRaw(NumberType type, std::span<const std::byte> from, std::span<float> to);

/// The inverse, for F16, Bf16, F32 and F64; round to nearest even.
void rawFromFloats(NumberType type, std::span<const float> from, std::span<std::byte> to);

} // namespace headscope
