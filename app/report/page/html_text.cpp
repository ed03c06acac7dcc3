// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/page/html_text.h"

#include "app/report/page/base64.h"
#include "model/base/utf8.h"

#include <fmt/format.h>

namespace headscope::report
{
namespace
{

std::string wellFormed(std::string_view text)
{
    std::string repaired(text);
    static_cast<void>(repairUtf8(repaired));
    return repaired;
}

/// Controls that no page may hold; line ends and tabs are blanks there.
bool isControl(char32_t c)
{
    return (c < 0x20 && c != U'\n' && c != U'\t' && c != U'\r') || (c >= 0x7F && c < 0xA0);
}

/// What stands for a character in markup; empty: itself.
std::string_view htmlEntity(char32_t c)
{
    switch (c)
    {
    case U'&':
        return "&amp;";
    case U'<':
        return "&lt;";
    case U'>':
        return "&gt;";
    case U'"':
        return "&quot;";
    case U'\'':
        return "&#39;";
    case 0x2028:
        return "&#8232;";
    case 0x2029:
        return "&#8233;";
    default:
        return isControl(c) ? kReplacementCharacter : std::string_view();
    }
}

/// Whether a character is written by its number inside a script element.
bool needsNumber(char32_t c)
{
    return c < 0x20 || c == U'<' || c == U'>' || c == U'&' || c == U'\'' || (c >= 0x7F && c < 0xA0) || c == 0x2028 ||
           c == 0x2029;
}

} // namespace

HtmlText htmlText(std::string_view text)
{
    const std::string repaired = wellFormed(text);
    std::string html;
    html.reserve(repaired.size());
    for (std::size_t at = 0; at < repaired.size();)
    {
        const Utf8Character character = utf8At(repaired, at);
        const std::string_view entity = htmlEntity(character.codePoint);
        html += entity.empty() ? std::string_view(repaired).substr(at, character.size) : entity;
        at += character.size;
    }
    return HtmlLanguage::taken(std::move(html));
}

HtmlText htmlName(std::string_view text)
{
    return "<bdi>" + htmlText(text) + "</bdi>";
}

ScriptText scriptText(std::string_view text)
{
    std::string repaired = wellFormed(text);
    static_cast<void>(replaceNul(repaired));
    std::string json = "\"";
    json.reserve(repaired.size() + 2);
    for (std::size_t at = 0; at < repaired.size();)
    {
        const Utf8Character character = utf8At(repaired, at);
        if (character.codePoint == U'"' || character.codePoint == U'\\')
            json += {'\\', repaired[at]};
        else if (needsNumber(character.codePoint))
            json += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(character.codePoint));
        else
            json.append(repaired, at, character.size);
        at += character.size;
    }
    return ScriptLanguage::taken(json + '"');
}

HtmlText pageId(std::string_view text)
{
    std::string id;
    for (const char c : text)
    {
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            id += upper ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (!id.empty() && id.back() == '-')
        id.pop_back();
    return HtmlLanguage::taken(id.empty() ? "part" : id);
}

HtmlText htmlBase64(std::span<const std::byte> bytes)
{
    return HtmlLanguage::taken(base64(bytes));
}

HtmlText htmlFile(std::string_view (*file)())
{
    return HtmlLanguage::taken(std::string(file()));
}

HtmlText htmlData(const ScriptText& json)
{
    return HtmlLanguage::taken(json.bytes());
}

ScriptText scriptBase64(std::span<const std::byte> bytes)
{
    return ScriptLanguage::taken(base64(bytes));
}

} // namespace headscope::report
