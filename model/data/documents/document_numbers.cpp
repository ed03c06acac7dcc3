// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/document_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>

namespace headscope
{
namespace
{

constexpr std::string_view kTokens = "tokens";
constexpr std::string_view kCharacters = "characters";
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

std::optional<float> numberFrom(std::string_view text)
{
    const auto isSpace = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    if (!text.empty() && text.front() == '+')
        text.remove_prefix(1);
    float value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || std::isinf(value))
        return std::nullopt;
    return value;
}

/// Numbers of the categories, or nothing when one is no number.
std::optional<std::vector<float>> categoryNumbers(const LabelColumn& column)
{
    std::vector<float> numbers;
    for (const std::string& category : column.categories)
    {
        const auto number = numberFrom(category);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    if (numbers.empty())
        return std::nullopt;
    return numbers;
}

/// Unicode characters of a UTF-8 text: every byte that continues none.
std::int64_t characters(std::string_view text)
{
    return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

} // namespace

std::optional<std::vector<float>> labelNumbers(const LabelColumn& column)
{
    const auto numbers = categoryNumbers(column);
    if (!numbers)
        return std::nullopt;
    std::vector<float> values;
    values.reserve(column.codes.size());
    for (const std::int32_t code : column.codes)
        values.push_back(code >= 0 && static_cast<std::size_t>(code) < numbers->size()
                             ? (*numbers)[static_cast<std::size_t>(code)]
                             : kNone);
    return values;
}

std::optional<DocumentNumbers> documentNumbers(const DocumentSet& documents, std::string_view name)
{
    if (const LabelColumn* label = documents.label(name))
    {
        auto values = labelNumbers(*label);
        return values ? std::optional(DocumentNumbers{label->name, std::move(*values)}) : std::nullopt;
    }
    DocumentNumbers column{std::string(name), {}};
    if (name == kTokens)
        column.values.assign(documents.tokens.begin(), documents.tokens.end());
    else if (name == kCharacters)
        for (const std::string& text : documents.texts)
            column.values.push_back(static_cast<float>(characters(text)));
    if (column.values.empty())
        return std::nullopt;
    return column;
}

std::vector<std::string> documentNumberNames(const DocumentSet& documents)
{
    std::vector<std::string> names;
    const auto addUnlessLabel = [&](std::string_view name, bool known) {
        if (known && documents.label(name) == nullptr)
            names.emplace_back(name);
    };
    addUnlessLabel(kTokens, !documents.tokens.empty());
    addUnlessLabel(kCharacters, !documents.texts.empty());
    for (const LabelColumn& label : documents.labels)
        if (categoryNumbers(label))
            names.push_back(label.name);
    return names;
}

bool isGroups(const LabelColumn& column)
{
    constexpr std::size_t kMaxNumberLabels = 30;
    return column.categories.size() <= kMaxNumberLabels || !labelNumbers(column);
}

} // namespace headscope
