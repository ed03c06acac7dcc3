// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/checked_size.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headscope
{

/// How the numbers of a stored tensor are written. Names as safetensors and GGUF spell them.
enum class TensorType : std::uint8_t
{
    F32,
    F16,
    BF16,
    F64,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q8_1,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    Q8_K,
    Bool,
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    C64,
    F8_E4M3,
    F8_E5M2,
    F8_E8M0,
    F8_E4M3FNUZ,
    F8_E5M2FNUZ,
    F6_E2M3,
    F6_E3M2,
    F4,
    IQ4_NL,
    IQ4_XS,
    MXFP4,
    IQ1_S,
    IQ1_M,
    IQ2_XXS,
    IQ2_XS,
    IQ2_S,
    IQ3_XXS,
    IQ3_S,
};

/// A type's name and the smallest unit it is stored in: `blockElements` numbers in `blockBytes`
/// bytes. Blocks never cross the end of a row.
struct TensorTypeInfo
{
    TensorType type;
    std::string_view name;
    std::uint32_t blockElements;
    std::uint32_t blockBytes;
    bool readable; ///< whether kernels/dequantise turns it into float32
};

/// Every type, in the order of the enumeration: the one table of names and sizes.
inline constexpr std::array kTensorTypes = {
    TensorTypeInfo{TensorType::F32, "F32", 1, 4, true},
    TensorTypeInfo{TensorType::F16, "F16", 1, 2, true},
    TensorTypeInfo{TensorType::BF16, "BF16", 1, 2, true},
    TensorTypeInfo{TensorType::F64, "F64", 1, 8, true},
    TensorTypeInfo{TensorType::Q4_0, "Q4_0", 32, 18, true},
    TensorTypeInfo{TensorType::Q4_1, "Q4_1", 32, 20, true},
    TensorTypeInfo{TensorType::Q5_0, "Q5_0", 32, 22, true},
    TensorTypeInfo{TensorType::Q5_1, "Q5_1", 32, 24, true},
    TensorTypeInfo{TensorType::Q8_0, "Q8_0", 32, 34, true},
    TensorTypeInfo{TensorType::Q8_1, "Q8_1", 32, 36, false},
    TensorTypeInfo{TensorType::Q2_K, "Q2_K", 256, 84, true},
    TensorTypeInfo{TensorType::Q3_K, "Q3_K", 256, 110, true},
    TensorTypeInfo{TensorType::Q4_K, "Q4_K", 256, 144, true},
    TensorTypeInfo{TensorType::Q5_K, "Q5_K", 256, 176, true},
    TensorTypeInfo{TensorType::Q6_K, "Q6_K", 256, 210, true},
    TensorTypeInfo{TensorType::Q8_K, "Q8_K", 256, 292, false},
    TensorTypeInfo{TensorType::Bool, "BOOL", 1, 1, false},
    TensorTypeInfo{TensorType::U8, "U8", 1, 1, false},
    TensorTypeInfo{TensorType::I8, "I8", 1, 1, false},
    TensorTypeInfo{TensorType::U16, "U16", 1, 2, false},
    TensorTypeInfo{TensorType::I16, "I16", 1, 2, false},
    TensorTypeInfo{TensorType::U32, "U32", 1, 4, false},
    TensorTypeInfo{TensorType::I32, "I32", 1, 4, false},
    TensorTypeInfo{TensorType::U64, "U64", 1, 8, false},
    TensorTypeInfo{TensorType::I64, "I64", 1, 8, false},
    TensorTypeInfo{TensorType::C64, "C64", 1, 8, false},
    TensorTypeInfo{TensorType::F8_E4M3, "F8_E4M3", 1, 1, false},
    TensorTypeInfo{TensorType::F8_E5M2, "F8_E5M2", 1, 1, false},
    TensorTypeInfo{TensorType::F8_E8M0, "F8_E8M0", 1, 1, false},
    TensorTypeInfo{TensorType::F8_E4M3FNUZ, "F8_E4M3FNUZ", 1, 1, false},
    TensorTypeInfo{TensorType::F8_E5M2FNUZ, "F8_E5M2FNUZ", 1, 1, false},
    TensorTypeInfo{TensorType::F6_E2M3, "F6_E2M3", 4, 3, false},
    TensorTypeInfo{TensorType::F6_E3M2, "F6_E3M2", 4, 3, false},
    TensorTypeInfo{TensorType::F4, "F4", 2, 1, false},
    TensorTypeInfo{TensorType::IQ4_NL, "IQ4_NL", 32, 18, true},
    TensorTypeInfo{TensorType::IQ4_XS, "IQ4_XS", 256, 136, true},
    TensorTypeInfo{TensorType::MXFP4, "MXFP4", 32, 17, true},
    TensorTypeInfo{TensorType::IQ1_S, "IQ1_S", 256, 50, true},
    TensorTypeInfo{TensorType::IQ1_M, "IQ1_M", 256, 56, true},
    TensorTypeInfo{TensorType::IQ2_XXS, "IQ2_XXS", 256, 66, true},
    TensorTypeInfo{TensorType::IQ2_XS, "IQ2_XS", 256, 74, true},
    TensorTypeInfo{TensorType::IQ2_S, "IQ2_S", 256, 82, true},
    TensorTypeInfo{TensorType::IQ3_XXS, "IQ3_XXS", 256, 98, true},
    TensorTypeInfo{TensorType::IQ3_S, "IQ3_S", 256, 110, true},
};

static_assert(
    [] {
        for (std::size_t i = 0; i < kTensorTypes.size(); ++i)
            if (static_cast<std::size_t>(kTensorTypes[i].type) != i)
                return false;
        return kTensorTypes.back().type == TensorType::IQ3_S;
    }(),
    "the table stands in the order of the enumeration");

/// Name and sizes of a type.
[[nodiscard]] constexpr const TensorTypeInfo& tensorTypeInfo(TensorType type)
{
    return kTensorTypes[static_cast<std::size_t>(type)];
}

/// The type's name: "BF16", "Q4_K".
[[nodiscard]] constexpr std::string_view tensorTypeName(TensorType type)
{
    return tensorTypeInfo(type).name;
}

/// The type of that name, or nothing.
[[nodiscard]] constexpr std::optional<TensorType> tensorTypeFromName(std::string_view name)
{
    for (const auto& info : kTensorTypes)
        if (info.name == name)
            return info.type;
    return std::nullopt;
}

/// Bytes of `elements` numbers; nothing when they are no whole number of blocks, or the size does
/// not fit into 64 bits.
[[nodiscard]] constexpr std::optional<std::uint64_t> tensorBytes(TensorType type, std::uint64_t elements)
{
    const auto& info = tensorTypeInfo(type);
    if (elements % info.blockElements != 0)
        return std::nullopt;
    return checkedMultiply(elements / info.blockElements, info.blockBytes);
}

} // namespace headscope
