// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/figures/annotation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace headscope::commands
{
namespace
{

constexpr std::size_t kLongestText = 200;
constexpr std::string_view kMap = "map:";

/// The next word, taken off `rest`.
std::string_view nextWord(std::string_view& rest)
{
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size());
    return word;
}

std::optional<double> numberIn(std::string_view text)
{
    double number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

std::optional<AnnotationPlace> placeIn(std::string_view word)
{
    AnnotationPlace place;
    place.onMap = word.starts_with(kMap);
    if (place.onMap)
        word.remove_prefix(kMap.size());
    const auto comma = word.find(',');
    if (comma == std::string_view::npos)
        return std::nullopt;
    const auto x = numberIn(word.substr(0, comma));
    const auto y = numberIn(word.substr(comma + 1));
    if (!x || !y)
        return std::nullopt;
    const auto isShare = [](double value) { return value >= 0 && value <= 1; };
    if (!place.onMap && (!isShare(*x) || !isShare(*y)))
        return std::nullopt;
    place.x = *x;
    place.y = *y;
    return place;
}

Error wrong(std::string_view wanted, std::string_view found)
{
    return {ErrorCode::WrongUse, fmt::format("expected {}, found \"{}\"", wanted, found.substr(0, 60)), {}, {}};
}

} // namespace

Result<AnnotationWords> readAnnotation(const std::string& text)
{
    std::string_view rest = text;
    const std::string_view kind = nextWord(rest);
    AnnotationWords read;
    if (kind == "arrow")
        read.kind = AnnotationWords::Kind::Arrow;
    else if (kind == "box")
        read.kind = AnnotationWords::Kind::Box;
    else if (kind != "label")
        return wrong("\"label X,Y TEXT\", \"arrow X,Y X,Y TEXT\" or \"box X,Y X,Y TEXT\"", text);
    for (AnnotationPlace* place : {&read.from, &read.to})
    {
        if (place == &read.to && read.kind == AnnotationWords::Kind::Label)
            continue;
        const std::string_view word = nextWord(rest);
        const auto at = placeIn(word);
        if (!at)
            return wrong("a position X,Y (fractions of the figure from 0 to 1, or map:X,Y)", word);
        *place = *at;
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    read.text = rest;
    if (read.text.empty() && read.kind == AnnotationWords::Kind::Label)
        return wrong("a text after the position", text);
    if (read.text.size() > kLongestText || std::ranges::any_of(read.text, [](unsigned char c) { return c < ' '; }))
        return wrong(fmt::format("one line of at most {} bytes", kLongestText), read.text);
    return read;
}

std::string annotationFault(const std::string& text)
{
    const auto read = readAnnotation(text);
    return read ? std::string() : read.error().message;
}

} // namespace headscope::commands
