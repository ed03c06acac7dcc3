// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/tensor_type.h"
#include "model/formats/gguf_types.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::test
{

/// Puts GGUF files together byte by byte, sound ones and broken ones.
class GgufBuilder
{
public:
    std::uint32_t version = 3;
    std::uint64_t alignment = 32;     ///< of the data; write general.alignment as well to change it
    std::uint64_t countedTensors = 0; ///< added to the true count
    std::uint64_t countedEntries = 0;
    std::string magic = "GGUF";

    template <class T>
    static std::string raw(T value)
    {
        std::string bytes(sizeof value, '\0');
        std::memcpy(bytes.data(), &value, sizeof value);
        return bytes;
    }
    static std::string string(std::string_view text) { return raw<std::uint64_t>(text.size()) + std::string(text); }
    static std::string type(GgufType value) { return raw(static_cast<std::uint32_t>(value)); }

    /// An entry whose value (type included) is given as bytes.
    GgufBuilder& entry(std::string_view key, const std::string& typeAndValue)
    {
        m_metadata += string(key) + typeAndValue;
        ++m_numEntries;
        return *this;
    }
    template <class T>
    GgufBuilder& number(std::string_view key, GgufType valueType, T value)
    {
        return entry(key, type(valueType) + raw(value));
    }
    GgufBuilder& text(std::string_view key, std::string_view value)
    {
        return entry(key, type(GgufType::String) + string(value));
    }
    GgufBuilder& strings(std::string_view key, const std::vector<std::string>& values)
    {
        std::string bytes = type(GgufType::Array) + type(GgufType::String) + raw<std::uint64_t>(values.size());
        for (const auto& value : values)
            bytes += string(value);
        return entry(key, bytes);
    }
    template <class T>
    GgufBuilder& array(std::string_view key, GgufType element, const std::vector<T>& values)
    {
        std::string bytes = type(GgufType::Array) + type(element) + raw<std::uint64_t>(values.size());
        for (const auto value : values)
            bytes += raw(value);
        return entry(key, bytes);
    }

    /// A tensor at the next place of the data section, or at `offset`.
    /// @param extents  fastest axis first, as the file has them
    GgufBuilder& tensor(std::string_view name, const std::vector<std::int64_t>& extents, std::uint32_t typeId,
                        std::uint64_t bytes, std::int64_t offset = -1)
    {
        const auto place = offset >= 0 ? static_cast<std::uint64_t>(offset) : m_dataBytes;
        m_infos += string(name) + raw(static_cast<std::uint32_t>(extents.size()));
        for (const auto extent : extents)
            m_infos += raw(extent);
        m_infos += raw(typeId) + raw(place);
        if (place + bytes < (1U << 20))
            m_lastEnd = std::max(m_lastEnd, place + bytes);
        m_dataBytes = (place + bytes + alignment - 1) / alignment * alignment;
        ++m_numTensors;
        return *this;
    }

    /// A float32 tensor with its numbers, at the next place.
    GgufBuilder& floats(std::string_view name, const std::vector<std::int64_t>& extents, std::span<const float> values)
    {
        const std::uint64_t place = m_dataBytes;
        tensor(name, extents, 0, values.size_bytes());
        m_lastEnd = place + values.size_bytes();
        m_data.resize(m_lastEnd, '\x11');
        std::memcpy(m_data.data() + place, values.data(), values.size_bytes());
        return *this;
    }

    /// The file; the padding after the last tensor is left out, as the format allows, and data beyond 1 MiB.
    [[nodiscard]] std::string bytes() const
    {
        std::string file = magic + raw(version) + raw(m_numTensors + countedTensors) +
                           raw(m_numEntries + countedEntries) + m_metadata + m_infos;
        if (m_numTensors > 0)
        {
            const std::uint64_t begin = (file.size() + alignment - 1) / alignment * alignment;
            file.resize(begin + m_lastEnd, '\x11');
            file.replace(begin, m_data.size(), m_data);
        }
        return file;
    }

private:
    std::string m_metadata;
    std::string m_infos;
    std::string m_data; ///< of the tensors that came with their numbers
    std::uint64_t m_numEntries = 0;
    std::uint64_t m_numTensors = 0;
    std::uint64_t m_dataBytes = 0;
    std::uint64_t m_lastEnd = 0;
};

/// A file of every kind of value and a few tensors.
inline GgufBuilder soundGguf()
{
    GgufBuilder builder;
    builder.text("general.architecture", "llama")
        .number<std::uint32_t>("general.alignment", GgufType::U32, 32)
        .number<std::uint8_t>("a.u8", GgufType::U8, 200)
        .number<std::int8_t>("a.i8", GgufType::I8, -3)
        .number<std::uint16_t>("a.u16", GgufType::U16, 60000)
        .number<std::int16_t>("a.i16", GgufType::I16, -300)
        .number<std::int32_t>("a.i32", GgufType::I32, -70000)
        .number<std::uint64_t>("a.u64", GgufType::U64, 1ULL << 63)
        .number<std::int64_t>("a.i64", GgufType::I64, -(1LL << 40))
        .number<float>("a.f32", GgufType::F32, 1e-5F)
        .number<double>("a.f64", GgufType::F64, 0.25)
        .number<std::uint8_t>("a.true", GgufType::Bool, 1)
        .number<std::uint8_t>("a.false", GgufType::Bool, 0)
        .strings("tokens", {"a", "", std::string("b\0c", 3), "\xC4\xA0hello"})
        .array<float>("scores", GgufType::F32, {0.5F, -1.0F})
        .array<std::int32_t>("types", GgufType::I32, {1, -6, 3})
        .array<std::uint8_t>("flags", GgufType::Bool, {1, 0})
        .tensor("token_embd.weight", {64, 5}, 0, 64 * 5 * 4)
        .tensor("blk.0.attn_q.weight", {64, 2}, 2, 2 * 36)
        .tensor("norm", {7}, 0, 28);
    return builder;
}

inline std::span<const std::byte> bytesOf(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

} // namespace headscope::test
