// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/head_ranges.h"

#include "model/base/text/split_text.h"
#include "model/data/head_vectors.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>

namespace headscope
{
namespace
{

std::optional<std::int64_t> parseNumber(std::string_view text)
{
    text = trimmed(text);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

} // namespace

Result<std::vector<std::int64_t>> parseHeadRanges(std::string_view text, std::int64_t count)
{
    text = trimmed(text);
    if (text.empty() || text == "all")
        return allIndices(count);
    std::set<std::int64_t> chosen;
    while (!text.empty())
    {
        const auto comma = text.find(',');
        const std::string_view piece = trimmed(text.substr(0, comma));
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        const auto dash = piece.find('-');
        const auto first = parseNumber(piece.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : parseNumber(piece.substr(dash + 1));
        const bool understood = first && last && *first >= 1 && *first <= *last;
        if (!understood || *last > count)
            return Error{understood ? ErrorCode::InvalidArgument : ErrorCode::WrongUse,
                         fmt::format("expected heads such as 1-4,9 within 1-{}, found \"{}\"", count, piece),
                         {},
                         {}};
        for (std::int64_t number = *first; number <= *last; ++number)
            chosen.insert(number - 1);
    }
    return std::vector<std::int64_t>(chosen.begin(), chosen.end());
}

std::string formatRanges(std::span<const std::int64_t> numbers)
{
    std::string text;
    for (std::size_t i = 0; i < numbers.size();)
    {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        if (!text.empty())
            text += ',';
        text += end - i == 1 ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end - 1]);
        i = end;
    }
    return text;
}

std::string formatHeadRanges(std::span<const std::int64_t> heads)
{
    std::vector<std::int64_t> shown(heads.begin(), heads.end());
    for (std::int64_t& head : shown)
        ++head;
    return formatRanges(shown);
}

} // namespace headscope
