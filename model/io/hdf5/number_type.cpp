// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/number_type.h"

#include "model/base/assert.h"
#include "model/kernels/half.h"

#include <cstring>
#include <vector>

namespace headscope
{
namespace
{

/// Bytes without alignment as an array of T.
template <class T>
std::vector<T> aligned(std::span<const std::byte> from)
{
    std::vector<T> values(from.size() / sizeof(T));
    std::memcpy(values.data(), from.data(), values.size() * sizeof(T));
    return values;
}

} // namespace

std::string_view numberTypeName(NumberType type)
{
    switch (type)
    {
    case NumberType::F16:
        return "float16";
    case NumberType::Bf16:
        return "bfloat16";
    case NumberType::F32:
        return "float32";
    case NumberType::F64:
        return "float64";
    case NumberType::I8:
        return "int8";
    case NumberType::U8:
        return "uint8";
    case NumberType::I16:
        return "int16";
    case NumberType::U16:
        return "uint16";
    case NumberType::I32:
        return "int32";
    case NumberType::U32:
        return "uint32";
    case NumberType::I64:
        return "int64";
    case NumberType::U64:
        return "uint64";
    }
    return "unknown";
}

void floatsFromRaw(NumberType type, std::span<const std::byte> from, std::span<float> to)
{
    HEADSCOPE_ASSERT(isFloating(type) && from.size() == to.size() * numberBytes(type));
    switch (type)
    {
    case NumberType::F16:
        floatsFromHalf(aligned<std::uint16_t>(from), to);
        break;
    case NumberType::Bf16:
        floatsFromBfloat16(aligned<std::uint16_t>(from), to);
        break;
    case NumberType::F64:
        for (std::size_t i = 0; i < to.size(); ++i)
        {
            double value = 0;
            std::memcpy(&value, from.data() + i * sizeof(double), sizeof(double));
            to[i] = static_cast<float>(value);
        }
        break;
    default:
        if (!to.empty())
            std::memcpy(to.data(), from.data(), from.size());
    }
}

void rawFromFloats(NumberType type, std::span<const float> from, std::span<std::byte> to)
{
    HEADSCOPE_ASSERT(isFloating(type) && to.size() == from.size() * numberBytes(type));
    std::vector<std::uint16_t> halves;
    switch (type)
    {
    case NumberType::F16:
        halves.resize(from.size());
        halfFromFloats(from, halves);
        break;
    case NumberType::Bf16:
        halves.resize(from.size());
        bfloat16FromFloats(from, halves);
        break;
    case NumberType::F64:
        for (std::size_t i = 0; i < from.size(); ++i)
        {
            const double value = from[i];
            std::memcpy(to.data() + i * sizeof(double), &value, sizeof(double));
        }
        return;
    default:
        if (!from.empty())
            std::memcpy(to.data(), from.data(), to.size());
        return;
    }
    if (!halves.empty())
        std::memcpy(to.data(), halves.data(), to.size());
}

} // namespace headscope
