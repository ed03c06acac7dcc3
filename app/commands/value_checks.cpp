// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/value_checks.h"

#include "model/base/text/split_text.h"
#include "model/data/documents/column_order.h"
#include "model/data/results/heads_frame.h"
#include "model/data/stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace headscope::commands
{
namespace
{

std::string fault(std::string_view wanted, std::string_view found)
{
    return fmt::format("expected {}, found \"{}\"", wanted, found);
}

std::optional<std::int64_t> wholeFrom(std::int64_t least, std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < least)
        return std::nullopt;
    return value;
}

std::vector<std::string_view> piecesOf(std::string_view text)
{
    std::vector<std::string_view> pieces;
    for (bool more = true; more;)
    {
        const auto comma = text.find(',');
        more = comma != std::string_view::npos;
        pieces.push_back(text.substr(0, comma));
        text.remove_prefix(more ? comma + 1 : text.size());
    }
    return pieces;
}

/// "7" or "3-7", blanks around them.
bool isRange(std::string_view piece, std::int64_t least)
{
    const auto dash = piece.find('-');
    const auto first = wholeFrom(least, trimmed(piece.substr(0, dash)));
    const auto last = dash == std::string_view::npos ? first : wholeFrom(least, trimmed(piece.substr(dash + 1)));
    return first && last && *first <= *last;
}

bool areRanges(std::string_view text, std::int64_t least)
{
    const auto pieces = piecesOf(text);
    return std::ranges::all_of(pieces, [least](std::string_view piece) { return isRange(piece, least); });
}

/// "3:7".
bool isHalfOpen(std::string_view text)
{
    const auto colon = text.find(':');
    const auto begin = wholeFrom(0, text.substr(0, colon));
    const auto end = colon == std::string_view::npos ? std::nullopt : wholeFrom(1, text.substr(colon + 1));
    return begin && end && *begin < *end;
}

bool isFinite(std::string_view text)
{
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

} // namespace

std::string layerFault(const std::string& text)
{
    if (text == "all")
        return {};
    for (const std::string_view piece : piecesOf(text))
        if (piece != "last" && !wholeFrom(0, piece))
            return fault("last, all or numbers from 0 such as 0,15", text);
    return {};
}

std::string layersFault(const std::string& text)
{
    return text == "last" || text == "all" || areRanges(text, 0)
               ? std::string()
               : fault("last, all or layers from 0 such as 0,15,20-31", text);
}

std::string rangeFault(const std::string& text)
{
    return text.empty() || isHalfOpen(text)
               ? std::string()
               : fault("a range of documents counted from 0, such as 0:1000, in which the end is excluded", text);
}

std::string tokensFault(const std::string& text)
{
    return isHalfOpen(text)
               ? std::string()
               : fault("a range of tokens counted from 0, such as 5:8, in which the end is excluded", text);
}

std::string idsFault(const std::string& text)
{
    const auto pieces = piecesOf(text);
    const bool known = std::ranges::all_of(pieces, [](std::string_view piece) {
        const auto id = wholeFrom(0, piece);
        return id && *id <= std::numeric_limits<std::int32_t>::max();
    });
    return known ? std::string() : fault("token ids (0 or more), such as 1,5,9", text);
}

std::string stagesFault(const std::string& text)
{
    for (const std::string_view piece : piecesOf(text))
        if (const auto stage = stageFromName(piece); !stage || *stage == Stage::Embedding)
            return fault("1, 2, 3 or contribution", text);
    return {};
}

std::string storedStagesFault(const std::string& text)
{
    for (const std::string_view piece : piecesOf(text))
        if (!stageFromName(piece))
            return fault("1, 2, 3, contribution or embedding", text);
    return {};
}

std::string headsFault(const std::string& text)
{
    return text.empty() || text == "all" || areRanges(text, 1) ? std::string()
                                                               : fault("all, or numbers from 1 such as 1-4,9", text);
}

std::string rowsFault(const std::string& text)
{
    const bool plain = text.empty() || text == "all" || text.find('=') != std::string::npos;
    return plain || areRanges(text, 0) ? std::string() : fault("rows such as 0-99,120 or label=value", text);
}

std::string countFault(const std::string& text)
{
    return wholeFrom(1, text) ? std::string() : fault("an integer of 1 or more", text);
}

std::string autoOrCountFault(const std::string& text)
{
    return text == "auto" || wholeFrom(1, text) ? std::string() : fault("auto or an integer of 1 or more", text);
}

std::string bytesFault(const std::string& text)
{
    constexpr std::string_view kSuffixes = "kMG";
    const auto suffix = text.empty() ? std::string_view::npos : kSuffixes.find(text.back());
    const int shift = suffix == std::string_view::npos ? 0 : 10 * static_cast<int>(suffix + 1);
    const auto value = wholeFrom(1, std::string_view(text).substr(0, text.size() - (shift > 0 ? 1 : 0)));
    return value && *value <= std::numeric_limits<std::int64_t>::max() >> shift
               ? std::string()
               : fault("a number of bytes such as 3000000000, 2500M or 3G", text);
}

std::string poolFault(const std::string& text)
{
    constexpr std::array<std::string_view, 5> kNames = {"concat", "mean", "score", "groups", "all"};
    if (std::ranges::find(kNames, text) != kNames.end())
        return {};
    constexpr std::string_view kBest = "best:";
    return text.starts_with(kBest) && wholeFrom(1, std::string_view(text).substr(kBest.size()))
               ? std::string()
               : fault("concat, mean, score, best:K, groups or all", text);
}

std::string orderFault(const std::string& text)
{
    return ColumnOrder::fromName(text) ? std::string() : fault("full, cluster, none or a head number from 1", text);
}

std::string scaleFault(const std::string& text)
{
    const auto pieces = piecesOf(text);
    const bool limits = pieces.size() == 2 && std::ranges::all_of(pieces, isFinite);
    return text == "data" || text == "zero" || limits ? std::string()
                                                      : fault("data, zero or two limits such as -0.2,0.6", text);
}

std::string headColumnFault(const std::string& text)
{
    std::vector<std::string> columns;
    for (const Slot& slot : possibleFileSlots(kHeadsFrame))
    {
        if (slot.facet != Facet::Value && slot.facet != Facet::Q)
            continue;
        Column column;
        column.info = kHeadsFrame.find(slot.column);
        columns.push_back(headerOf({&column, slot}));
        if (!column.info->alias.empty()) // rows are named by the stage
            columns.emplace_back(column.info->alias);
    }
    return std::ranges::find(columns, text) != columns.end()
               ? std::string()
               : fault(fmt::format("one of {}", fmt::join(columns, ", ")), text);
}

std::string templateFault(const std::string& text)
{
    const auto at = text.find("{}");
    return at != std::string::npos && text.find("{}", at + 1) == std::string::npos ? std::string()
                                                                                   : fault("a text with one {}", text);
}

std::optional<std::array<double, 4>> insetCorners(const std::string& text)
{
    const auto pieces = piecesOf(text);
    std::array<double, 4> corners{};
    if (pieces.size() != corners.size())
        return std::nullopt;
    for (std::size_t i = 0; i < corners.size(); ++i)
    {
        const auto [end, code] = std::from_chars(pieces[i].data(), pieces[i].data() + pieces[i].size(), corners[i]);
        if (code != std::errc() || end != pieces[i].data() + pieces[i].size() || !std::isfinite(corners[i]))
            return std::nullopt;
    }
    return corners;
}

std::string insetFault(const std::string& text)
{
    constexpr std::string_view kHeads = "heads:";
    if (text.empty())
        return {};
    if (text.starts_with(kHeads))
        return headsFault(text.substr(kHeads.size()));
    const auto corners = insetCorners(text);
    if (!corners || (*corners)[0] == (*corners)[2] || (*corners)[1] == (*corners)[3])
        return fault("heads:3, or two corners X,Y,X,Y of a rectangle on the map", text);
    return {};
}

std::string startFault(const std::string& text)
{
    const bool array = text.find(":/") != std::string::npos || text.ends_with(".npy");
    return text == "pca" || text == "random" || array ? std::string()
                                                      : fault("pca, random, FILE.h5:/path or FILE.npy", text);
}

} // namespace headscope::commands
