// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headscope
{

/// Types of metadata values, numbered as in the file.
enum class GgufType : std::uint32_t
{
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    F32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    U64 = 10,
    I64 = 11,
    F64 = 12,
};

/// The type in words, with its article: "a string".
[[nodiscard]] std::string_view ggufTypeName(GgufType type);

/// Many strings in one piece of memory, as vocabularies have them.
class GgufStrings
{
public:
    [[nodiscard]] std::size_t size() const { return m_ends.size(); }
    /// Bytes as they stand in the file: usually UTF-8, not checked.
    [[nodiscard]] std::string_view operator[](std::size_t index) const
    {
        const std::uint64_t begin = index == 0 ? 0 : m_ends[index - 1];
        return std::string_view(m_text).substr(begin, m_ends[index] - begin);
    }
    void append(std::string_view text)
    {
        m_text.append(text);
        m_ends.push_back(m_text.size());
    }

private:
    std::string m_text;
    std::vector<std::uint64_t> m_ends;
};

/// An array of numbers or truth values: the elements' bytes as they stand in the file.
struct GgufNumbers
{
    GgufType element = GgufType::U8;
    std::vector<std::byte> bytes;

    [[nodiscard]] std::size_t size() const;
};

/// One value. Unsigned integers and truth values are kept as uint64, signed ones as int64, both
/// kinds of float as double.
struct GgufValue
{
    GgufType type = GgufType::U8;
    std::variant<std::uint64_t, std::int64_t, double, std::string, GgufStrings, GgufNumbers> value;
};

/// The metadata of a GGUF file, with getters that do not mind in which width a number was written.
/// Every getter: nothing when the key is absent, BadFormat with the key as place when the value is
/// of another kind.
/// @threads reentrant
class GgufMetadata
{
public:
    [[nodiscard]] bool contains(std::string_view key) const { return m_values.contains(key); }
    /// All values by key, sorted.
    [[nodiscard]] const std::map<std::string, GgufValue, std::less<>>& values() const { return m_values; }

    /// Any integer type; a per-layer array is refused by saying so.
    [[nodiscard]] Result<std::optional<std::int64_t>> integer(std::string_view key) const;
    /// Any float or integer type.
    [[nodiscard]] Result<std::optional<double>> number(std::string_view key) const;
    /// bool, or an integer that is 0 or 1.
    [[nodiscard]] Result<std::optional<bool>> boolean(std::string_view key) const;
    [[nodiscard]] Result<std::optional<std::string_view>> string(std::string_view key) const;
    /// An array of strings (nullptr when absent), valid as long as this object.
    [[nodiscard]] Result<const GgufStrings*> strings(std::string_view key) const;
    /// An array of any float or integer type as floats.
    [[nodiscard]] Result<std::optional<std::vector<float>>> floats(std::string_view key) const;
    /// An array of any integer type.
    [[nodiscard]] Result<std::optional<std::vector<std::int64_t>>> integers(std::string_view key) const;

    /// As integer and string, but an absent key is an error: "expected the key, found none".
    [[nodiscard]] Result<std::int64_t> requiredInteger(std::string_view key) const;
    [[nodiscard]] Result<std::string_view> requiredString(std::string_view key) const;

    /// Adds a value. @return false when the key is there already
    [[nodiscard]] bool insert(std::string key, GgufValue value);

private:
    [[nodiscard]] const GgufValue* find(std::string_view key) const;

    std::map<std::string, GgufValue, std::less<>> m_values;
};

} // namespace headscope
