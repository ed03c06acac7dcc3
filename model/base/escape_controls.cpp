// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/escape_controls.h"

#include "model/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace headscope
{
namespace
{

constexpr char32_t kFirstPrinted = 0x20;
constexpr char32_t kDelete = 0x7F;
constexpr char32_t kLastOfC1 = 0x9F;

/// Whether a character does something to a terminal instead of being seen.
bool acts(char32_t c)
{
    if (c < kFirstPrinted)
        return true;
    if (c < kDelete)
        return false;
    return c <= kLastOfC1 || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/// Whether a byte can begin one of them: C0 and DEL themselves, C2 of C1, E2 of the others.
bool mayAct(char byte)
{
    const auto b = static_cast<unsigned char>(byte);
    return b < kFirstPrinted || b == kDelete || b == 0xC2 || b == 0xE2;
}

/// Every character that acts in the words of `escape`; the others as they are.
template <class Escape>
std::string escaped(std::string_view text, const Escape& escape)
{
    std::string whole;
    if (!isValidUtf8(text))
    {
        whole = text;
        [[maybe_unused]] const bool repaired = repairUtf8(whole);
        text = whole;
    }
    std::string shown;
    shown.reserve(text.size());
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t next = static_cast<std::size_t>(
            std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), mayAct) - text.begin());
        shown.append(text.substr(at, next - at));
        if (next == text.size())
            break;
        const Utf8Character found = utf8At(text, next);
        if (!acts(found.codePoint) || !escape(shown, found.codePoint))
            shown.append(text.substr(next, found.size));
        at = next + found.size;
    }
    return shown;
}

} // namespace

std::string escapeControls(std::string_view text, LineBreaks lineBreaks)
{
    return escaped(text, [lineBreaks](std::string& shown, char32_t c) {
        if (c == U'\n' || c == U'\t')
        {
            if (lineBreaks == LineBreaks::Kept)
                return false;
            shown += c == U'\n' ? "\\n" : "\\t";
        }
        else if (c <= kDelete)
            fmt::format_to(std::back_inserter(shown), "\\x{:02x}", static_cast<unsigned>(c));
        else
            fmt::format_to(std::back_inserter(shown), "\\u{:04x}", static_cast<unsigned>(c));
        return true;
    });
}

std::string visibleJson(std::string_view json)
{
    return escaped(json, [](std::string& shown, char32_t c) {
        if (c < kFirstPrinted) // inside strings JSON has none; between them they are white space
            return false;
        fmt::format_to(std::back_inserter(shown), "\\u{:04x}", static_cast<unsigned>(c));
        return true;
    });
}

} // namespace headscope
