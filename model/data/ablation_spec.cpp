// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/ablation_spec.h"

#include "model/base/text/split_text.h"
#include "model/data/head_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace headscope
{
namespace
{

constexpr const char* kPlace = "--ablate";

/// Some heads or KV groups of a layer, as typed; `last` is -1 for all heads.
struct Item
{
    std::int64_t layer = 0;
    bool groups = false;
    std::int64_t first = 1;
    std::int64_t last = 1;
};

std::optional<std::int64_t> numberFrom(std::int64_t least, std::string_view text)
{
    text = trimmed(text);
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < least)
        return std::nullopt;
    return value;
}

std::vector<std::string_view> pieces(std::string_view text, char separator)
{
    std::vector<std::string_view> found;
    for (bool more = true; more;)
    {
        const auto at = text.find(separator);
        more = at != std::string_view::npos;
        found.push_back(trimmed(text.substr(0, at)));
        text.remove_prefix(more ? at + 1 : text.size());
    }
    return found;
}

/// "1-3", "9", "g2", "all".
std::optional<Item> itemFrom(std::string_view text, std::int64_t layer)
{
    if (text == "all")
        return Item{layer, false, 1, -1};
    const bool groups = text.starts_with('g');
    text.remove_prefix(groups ? 1 : 0);
    const auto dash = text.find('-');
    const auto first = numberFrom(1, text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : numberFrom(1, text.substr(dash + 1));
    if (!first || !last || *last < *first)
        return std::nullopt;
    return Item{layer, groups, *first, *last};
}

Error notUnderstood(std::string_view text)
{
    return {ErrorCode::WrongUse,
            fmt::format("expected LAYER:HEADS such as \"29:1-3;12:g2\" (layers from 0, heads and KV groups from 1), "
                        "found \"{}\"",
                        text),
            {},
            kPlace};
}

Result<std::vector<Item>> itemsOf(std::string_view text)
{
    std::vector<Item> items;
    for (const std::string_view part : pieces(text, ';'))
    {
        const auto colon = part.find(':');
        const auto layer = colon == std::string_view::npos ? std::nullopt : numberFrom(0, part.substr(0, colon));
        if (!layer)
            return notUnderstood(part);
        for (const std::string_view piece : pieces(part.substr(colon + 1), ','))
        {
            const auto item = itemFrom(piece, *layer);
            if (!item)
                return notUnderstood(part);
            items.push_back(*item);
        }
    }
    return items;
}

Status checkItem(const Item& item, std::int64_t layers, std::int64_t heads, std::int64_t kvHeads)
{
    const auto missing = [](std::string_view what, std::int64_t first, std::int64_t last, std::int64_t has,
                            std::int64_t found) -> Status {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected {} {} to {} (the model has {}), found {}", what, first, last, has, found),
                     {},
                     kPlace};
    };
    if (item.layer >= layers)
        return missing("layers", 0, layers - 1, layers, item.layer);
    if (item.groups && item.last > kvHeads)
        return missing("KV groups", 1, kvHeads, kvHeads, item.last);
    if (!item.groups && item.last > heads)
        return missing("heads", 1, heads, heads, item.last);
    return {};
}

} // namespace

Result<ChosenHeads> parseAblation(std::string_view text, std::int64_t layers, std::int64_t heads, std::int64_t kvHeads)
{
    HEADSCOPE_TRY(const auto items, itemsOf(text));
    std::map<std::int64_t, std::set<std::int64_t>> chosen;
    for (const Item& item : items)
    {
        HEADSCOPE_CHECK(checkItem(item, layers, heads, kvHeads));
        const std::int64_t size = item.groups ? heads / kvHeads : 1;
        const std::int64_t end = item.last < 0 ? heads : item.last * size;
        for (std::int64_t head = (item.first - 1) * size; head < end; ++head)
            chosen[item.layer].insert(head);
    }
    ChosenHeads found;
    for (const auto& [layer, numbers] : chosen)
        for (const std::int64_t head : numbers)
            found[layer].emplace_back(head);
    return found;
}

std::string ablationFault(std::string_view text)
{
    const auto items = itemsOf(text);
    return items ? std::string() : items.error().message;
}

std::map<std::string, std::string> ablationSettings(const ModelChanges& changes)
{
    std::map<std::string, std::string> settings = {{"--ablate", changes.ablated},
                                                   {"--ablation", changes.ablation},
                                                   {"the reference of --ablation mean", changes.reference}};
    std::erase_if(settings, [](const auto& each) { return each.second.empty(); });
    return settings;
}

std::string ablationText(const ChosenHeads& chosen)
{
    std::string text;
    for (const auto& [layer, heads] : chosen)
    {
        std::vector<std::int64_t> numbers;
        std::ranges::transform(heads, std::back_inserter(numbers), [](HeadIndex head) { return head.value(); });
        text += fmt::format("{}{}:{}", text.empty() ? "" : ";", layer, formatHeadRanges(numbers));
    }
    return text;
}

} // namespace headscope
