// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/one_line.h"

#include "model/base/text/split_text.h"
#include "model/base/utf8.h"

#include <algorithm>

namespace headscope
{
namespace
{

constexpr std::size_t kRead = 4096; ///< bytes, besides those of the characters that are shown

std::string beginning(std::string_view text, std::size_t most)
{
    std::string start(beginningOf(text, kRead + 4 * most));
    static_cast<void>(repairUtf8(start));
    return start;
}

bool isBlank(char c)
{
    return static_cast<unsigned char>(c) <= 0x20;
}

std::string folded(std::string_view text, std::size_t most)
{
    std::string shown;
    std::size_t beforeLast = 0; // where the last character that fits begins
    std::size_t characters = 0;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t size = utf8SizeFromLead(text[at]);
        const bool blank = isBlank(text[at]);
        if (!blank || (!shown.empty() && shown.back() != ' '))
        {
            if (++characters > most && !blank)
                return std::string(trimmed(shown.substr(0, beforeLast))) + "\u2026";
            if (characters <= most)
                beforeLast = shown.size();
            shown += blank ? " " : text.substr(at, size);
        }
        at += size;
    }
    return std::string(trimmed(shown));
}

} // namespace

std::string tokenOnOneLine(std::string token)
{
    std::ranges::replace_if(
        token, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return token;
}

std::string spelledToken(std::string_view token)
{
    std::string text;
    for (const char c : token)
        text += c == ' ' ? "\u00b7" : c == '\n' ? "\u21b5" : c == '\t' ? "\u21e5" : std::string(1, c);
    return text;
}

std::string beginningOnOneLine(std::string_view text, std::size_t most)
{
    return folded(beginning(text, most), most);
}

std::string firstLine(std::string_view text, std::size_t most)
{
    const std::string start = beginning(text, most);
    const auto first = std::ranges::find_if_not(start, isBlank);
    return folded({first, std::find(first, start.end(), '\n')}, most);
}

} // namespace headscope
