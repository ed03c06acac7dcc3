// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/gguf_metadata.h"

#include "model/base/assert.h"
#include "model/formats/gguf_types.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

Error wrongType(std::string_view key, std::string_view wanted, std::string_view found)
{
    return {ErrorCode::BadFormat, fmt::format("expected {}, found {}", wanted, found), {}, std::string(key)};
}

Error wrongType(std::string_view key, std::string_view wanted, const GgufValue& value)
{
    if (const auto* numbers = std::get_if<GgufNumbers>(&value.value))
        return wrongType(key, wanted, fmt::format("an array of {} numbers", numbers->size()));
    if (const auto* strings = std::get_if<GgufStrings>(&value.value))
        return wrongType(key, wanted, fmt::format("an array of {} strings", strings->size()));
    return wrongType(key, wanted, ggufTypeName(value.type));
}

Error missing(std::string_view key)
{
    return {ErrorCode::BadFormat, "this metadata key is missing", {}, std::string(key)};
}

template <class T>
T elementAt(const GgufNumbers& numbers, std::size_t index)
{
    T value;
    std::memcpy(&value, numbers.bytes.data() + index * sizeof(T), sizeof value);
    return value;
}

/// The elements of a numeric array as To; U64 values beyond its range become its largest value.
template <class To>
std::vector<To> convertElements(const GgufNumbers& numbers)
{
    std::vector<To> result(numbers.size());
    const auto fill = [&]<class From>(From) {
        for (std::size_t i = 0; i < result.size(); ++i)
        {
            const From from = elementAt<From>(numbers, i);
            if constexpr (std::is_integral_v<To> && std::is_integral_v<From>)
                result[i] = std::in_range<To>(from) ? static_cast<To>(from) : std::numeric_limits<To>::max();
            else
                result[i] = static_cast<To>(from);
        }
    };
    switch (numbers.element)
    {
    case GgufType::Bool:
    case GgufType::U8:
        fill(std::uint8_t{});
        break;
    case GgufType::I8:
        fill(std::int8_t{});
        break;
    case GgufType::U16:
        fill(std::uint16_t{});
        break;
    case GgufType::I16:
        fill(std::int16_t{});
        break;
    case GgufType::U32:
        fill(std::uint32_t{});
        break;
    case GgufType::I32:
        fill(std::int32_t{});
        break;
    case GgufType::U64:
        fill(std::uint64_t{});
        break;
    case GgufType::I64:
        fill(std::int64_t{});
        break;
    case GgufType::F32:
        if constexpr (std::is_floating_point_v<To>)
            fill(float{});
        break;
    case GgufType::F64:
        if constexpr (std::is_floating_point_v<To>)
            fill(double{});
        break;
    default:
        HEADSCOPE_ASSERT(false && "arrays of strings and arrays are kept elsewhere");
    }
    return result;
}

} // namespace

std::string_view ggufTypeName(GgufType type)
{
    switch (type)
    {
    case GgufType::U8:
    case GgufType::I8:
    case GgufType::U16:
    case GgufType::I16:
    case GgufType::U32:
    case GgufType::I32:
    case GgufType::U64:
    case GgufType::I64:
        return "an integer";
    case GgufType::F32:
    case GgufType::F64:
        return "a floating-point number";
    case GgufType::Bool:
        return "a truth value";
    case GgufType::String:
        return "a string";
    case GgufType::Array:
        return "an array";
    }
    return "an unknown type";
}

std::size_t ggufTypeBytes(GgufType type)
{
    switch (type)
    {
    case GgufType::U8:
    case GgufType::I8:
    case GgufType::Bool:
        return 1;
    case GgufType::U16:
    case GgufType::I16:
        return 2;
    case GgufType::U32:
    case GgufType::I32:
    case GgufType::F32:
        return 4;
    case GgufType::U64:
    case GgufType::I64:
    case GgufType::F64:
        return 8;
    case GgufType::String:
    case GgufType::Array:
        return 0;
    }
    return 0;
}

std::size_t GgufNumbers::size() const
{
    return bytes.size() / ggufTypeBytes(element);
}

const GgufValue* GgufMetadata::find(std::string_view key) const
{
    const auto place = m_values.find(key);
    return place != m_values.end() ? &place->second : nullptr;
}

bool GgufMetadata::insert(std::string key, GgufValue value)
{
    return m_values.emplace(std::move(key), std::move(value)).second;
}

Result<std::optional<std::int64_t>> GgufMetadata::integer(std::string_view key) const
{
    const auto* value = find(key);
    if (value == nullptr)
        return std::optional<std::int64_t>();
    if (value->type == GgufType::Bool)
        return wrongType(key, "an integer", *value);
    if (const auto* number = std::get_if<std::uint64_t>(&value->value))
    {
        if (!std::in_range<std::int64_t>(*number))
            return wrongType(key, "an integer below 2^63", fmt::format("{}", *number));
        return std::optional(static_cast<std::int64_t>(*number));
    }
    if (const auto* number = std::get_if<std::int64_t>(&value->value))
        return std::optional(*number);
    if (std::holds_alternative<GgufNumbers>(value->value))
        return wrongType(key, "one integer for all layers", *value);
    return wrongType(key, "an integer", *value);
}

Result<std::optional<double>> GgufMetadata::number(std::string_view key) const
{
    const auto* value = find(key);
    if (value == nullptr)
        return std::optional<double>();
    if (const auto* number = std::get_if<double>(&value->value))
        return std::optional(*number);
    if (const auto* number = std::get_if<std::int64_t>(&value->value))
        return std::optional(static_cast<double>(*number));
    if (const auto* number = std::get_if<std::uint64_t>(&value->value);
        number != nullptr && value->type != GgufType::Bool)
        return std::optional(static_cast<double>(*number));
    return wrongType(key, "a number", *value);
}

Result<std::optional<bool>> GgufMetadata::boolean(std::string_view key) const
{
    const auto* value = find(key);
    if (value == nullptr)
        return std::optional<bool>();
    if (const auto* number = std::get_if<std::uint64_t>(&value->value); number != nullptr && *number <= 1)
        return std::optional(*number == 1);
    if (const auto* number = std::get_if<std::int64_t>(&value->value);
        number != nullptr && (*number == 0 || *number == 1))
        return std::optional(*number == 1);
    return wrongType(key, "true or false", *value);
}

Result<std::optional<std::string_view>> GgufMetadata::string(std::string_view key) const
{
    const auto* value = find(key);
    if (value == nullptr)
        return std::optional<std::string_view>();
    if (const auto* text = std::get_if<std::string>(&value->value))
        return std::optional<std::string_view>(*text);
    return wrongType(key, "a string", *value);
}

Result<const GgufStrings*> GgufMetadata::strings(std::string_view key) const
{
    const auto* value = find(key);
    if (value == nullptr)
        return static_cast<const GgufStrings*>(nullptr);
    if (const auto* texts = std::get_if<GgufStrings>(&value->value))
        return texts;
    return wrongType(key, "an array of strings", *value);
}

Result<std::optional<std::vector<float>>> GgufMetadata::floats(std::string_view key) const
{
    const auto* value = find(key);
    if (value == nullptr)
        return std::optional<std::vector<float>>();
    if (const auto* numbers = std::get_if<GgufNumbers>(&value->value);
        numbers != nullptr && numbers->element != GgufType::Bool)
        return std::optional(convertElements<float>(*numbers));
    return wrongType(key, "an array of numbers", *value);
}

Result<std::optional<std::vector<std::int64_t>>> GgufMetadata::integers(std::string_view key) const
{
    const auto* value = find(key);
    if (value == nullptr)
        return std::optional<std::vector<std::int64_t>>();
    const auto* numbers = std::get_if<GgufNumbers>(&value->value);
    if (numbers == nullptr || numbers->element == GgufType::F32 || numbers->element == GgufType::F64)
        return wrongType(key, "an array of integers", *value);
    return std::optional(convertElements<std::int64_t>(*numbers));
}

Result<std::int64_t> GgufMetadata::requiredInteger(std::string_view key) const
{
    HEADSCOPE_TRY(const auto value, integer(key));
    if (!value)
        return missing(key);
    return *value;
}

Result<std::string_view> GgufMetadata::requiredString(std::string_view key) const
{
    HEADSCOPE_TRY(const auto value, string(key));
    if (!value)
        return missing(key);
    return *value;
}

} // namespace headscope
