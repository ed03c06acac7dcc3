// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/assert.h"
#include "model/base/result.h"
#include "model/formats/json.h"
#include "model/net/config/known_keys.h"
#include "model/net/config/model_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope
{

/// Reads fields of config.json, or of the object of its rotary embedding, and remembers everything that is wrong with
/// them. null counts as absent. A key that is read stands in known_keys.cpp.
class JsonFields
{
public:
    /// @param prefix  of the places of its problems: "" of config.json itself, "text_config." of an object in it
    JsonFields(JsonView object, KeyTable table, std::string prefix, std::vector<Error>& problems)
        : m_object(object), m_table(table), m_prefix(std::move(prefix)), m_problems(problems)
    {}

    [[nodiscard]] std::optional<JsonView> find(std::string_view key) const
    {
        HEADSCOPE_ASSERT(isReadKey(m_table, key));
        const auto value = m_object.find(key);
        return value && !value->isNull() ? value : std::nullopt;
    }
    [[nodiscard]] bool isNull(std::string_view key) const
    {
        const auto value = m_object.find(key);
        return value && value->isNull();
    }
    std::int64_t integer(std::string_view key, std::optional<std::int64_t> absent)
    {
        return read<std::int64_t>(
            key, absent, [](const JsonView& v) { return v.asInt(); }, "an integer");
    }
    double number(std::string_view key, std::optional<double> absent)
    {
        return read<double>(
            key, absent, [](const JsonView& v) { return v.asDouble(); }, "a number");
    }
    bool boolean(std::string_view key, bool absent)
    {
        return read<bool>(
            key, absent, [](const JsonView& v) { return v.asBool(); }, "true or false");
    }
    std::string text(std::string_view key, std::string_view absent)
    {
        return std::string(read<std::string_view>(
            key, absent, [](const JsonView& v) { return v.asString(); }, "a string"));
    }
    /// The numbers of an array; empty where there is none.
    std::vector<double> numbers(std::string_view key)
    {
        std::vector<double> found;
        const auto array = find(key);
        if (!array)
            return found;
        if (!array->isArray())
            report(ErrorCode::BadFormat, key,
                   std::string("expected an array of numbers, found ").append(jsonKindName(array->kind())));
        for (const JsonView& element : array->elements())
        {
            const auto number = element.asDouble();
            if (!number)
                report(number.error().code, key, number.error().message);
            found.push_back(number ? *number : 1.0);
        }
        return found;
    }
    /// The fields of an object of this one; its problems go to the same list.
    [[nodiscard]] JsonFields inner(std::string_view key, JsonView object, KeyTable table) const
    {
        return {object, table, m_prefix + std::string(key) + ".", m_problems};
    }
    [[nodiscard]] JsonView object() const { return m_object; }
    void report(ErrorCode code, std::string_view key, std::string message)
    {
        m_problems.push_back({code, std::move(message), {}, m_prefix + std::string(key)});
    }

private:
    template <class T, class Read>
    T read(std::string_view key, std::optional<T> absent, const Read& asKind, std::string_view kind)
    {
        const auto value = find(key);
        if (!value)
        {
            if (!absent)
                report(ErrorCode::BadFormat, key, std::string("expected ").append(kind).append(", found nothing"));
            return absent.value_or(T{});
        }
        Result<T> result = asKind(*value);
        if (result)
            return *result;
        report(result.error().code, key, result.error().message);
        // The default, so that one wrong field is not reported twice.
        return absent.value_or(T{});
    }

    JsonView m_object;
    KeyTable m_table;
    std::string m_prefix;
    std::vector<Error>& m_problems;
};

/// The rotary embeddings that an entry of config.json holds: itself, or one of each kind of layers, with ": " and its
/// name.
[[nodiscard]] std::vector<std::pair<std::string, JsonView>> ropeObjects(const JsonView& entry);

/// Reads the rotary embedding: rope_theta and rope_scaling of transformers 4, or rope_parameters of
/// transformers 5 in place of both; and that of the layers with a window, where the family has another for these.
void readRope(JsonFields& fields, ModelConfig& config);

/// Reads which tokens a token sees: windows of the layers, and whether attention is causal.
void readWindows(JsonFields& fields, ModelConfig& config);
void readDirection(JsonFields& fields, ModelConfig& config);

} // namespace headscope
