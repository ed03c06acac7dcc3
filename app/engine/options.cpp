// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/options.h"

#include "app/shell/wrong_use.h"
#include "model/base/text/split_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>

namespace headscope::engine
{
namespace
{

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

using shell::wrongUse;

/// What is said where indices are none.
struct IndexWords
{
    std::string_view option;
    std::string_view wanted;
    std::string there; ///< those that are
};

/// "0,15,20-31", ascending and without repeats.
Result<std::vector<std::int64_t>> indicesOf(std::string_view text, std::int64_t count, const IndexWords& words)
{
    std::vector<std::int64_t> chosen;
    for (const auto& piece : splitText(text, ','))
    {
        const auto dash = piece.find('-');
        const auto first = wholeNumber(std::string_view(piece).substr(0, dash));
        const auto last = dash == std::string::npos ? first : wholeNumber(std::string_view(piece).substr(dash + 1));
        if (!first || !last || *last < *first)
            return wrongUse(words.option, words.wanted, piece);
        if (*last >= count)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected {}, found {}", words.there, *last),
                         {},
                         std::string(words.option)};
        for (auto index = *first; index <= *last; ++index)
            chosen.push_back(index);
    }
    if (chosen.empty())
        return wrongUse(words.option, words.wanted, text);
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

} // namespace

std::vector<std::string> splitColumns(std::string_view text)
{
    std::vector<std::string> names;
    if (!text.empty())
        names.emplace_back();
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const bool escaped = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
        if (!escaped && text[i] == ',')
            names.emplace_back();
        else
            names.back() += text[escaped ? ++i : i];
    }
    return names;
}

Result<std::int64_t> parseCount(std::string_view text, std::string_view option)
{
    const auto value = wholeNumber(text);
    if (!value || *value < 1)
        return wrongUse(option, "an integer of 1 or more", text);
    return *value;
}

Result<std::vector<Stage>> parseStages(std::string_view text)
{
    std::vector<Stage> stages;
    for (const auto& piece : splitText(text, ','))
    {
        const auto stage = stageFromName(piece);
        if (!stage || *stage == Stage::Embedding) // that one comes by itself
            return wrongUse("--stages", "1, 2, 3 or contribution", piece);
        stages.push_back(*stage);
    }
    if (stages.empty())
        return wrongUse("--stages", "at least one of 1, 2, 3 and contribution", text);
    std::sort(stages.begin(), stages.end());
    stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
    return stages;
}

Result<std::vector<std::int64_t>> parseLayers(std::string_view text, std::int64_t layers)
{
    std::vector<std::int64_t> chosen;
    if (text == "last")
        return std::vector<std::int64_t>{layers - 1};
    if (text == "all")
    {
        chosen.resize(static_cast<std::size_t>(layers));
        std::iota(chosen.begin(), chosen.end(), 0);
        return chosen;
    }
    return indicesOf(text, layers,
                     {"--layers", "last, all or layers from 0 such as 0,15,20-31",
                      fmt::format("layers 0 to {} (the model has {})", layers - 1, layers)});
}

Result<std::vector<std::int64_t>> parseRows(std::string_view text, std::int64_t documents)
{
    if (text.empty() || text == "all")
    {
        std::vector<std::int64_t> all(static_cast<std::size_t>(documents));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    return indicesOf(text, documents,
                     {"--rows", "all, or rows from 0 such as 0-99,120", fmt::format("rows 0 to {}", documents - 1)});
}

Result<DocumentRange> parseRange(std::string_view text, std::string_view option)
{
    const auto colon = text.find(':');
    const auto begin = wholeNumber(text.substr(0, colon));
    const auto end = colon == std::string_view::npos ? std::nullopt : wholeNumber(text.substr(colon + 1));
    if (!begin || !end || *end <= *begin)
        return wrongUse(option, "a range of documents counted from 0, such as 0:1000, in which the end is excluded",
                        text);
    return DocumentRange{*begin, *end};
}

Result<std::uint64_t> parseBytes(std::string_view text, std::string_view option)
{
    constexpr std::string_view kSuffixes = "kMG";
    const auto suffix = text.empty() ? std::string_view::npos : kSuffixes.find(text.back());
    const int shift = suffix == std::string_view::npos ? 0 : 10 * static_cast<int>(suffix + 1);
    const auto value = wholeNumber(shift > 0 ? text.substr(0, text.size() - 1) : text);
    if (!value || *value < 1 || *value > std::numeric_limits<std::int64_t>::max() >> shift)
        return wrongUse(option, "a number of bytes such as 3000000000, 2500M or 3G", text);
    return static_cast<std::uint64_t>(*value) << shift;
}

} // namespace headscope::engine
