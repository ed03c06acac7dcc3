// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headscope
{

/// U+FFFD in UTF-8, which stands for what could not be read.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// Byte offset of the first ill-formed sequence, or text.size() when there is none. Overlong forms,
/// surrogates and numbers above U+10FFFF are ill-formed.
/// @cost one pass, eight bytes at a time where the text is ASCII
/// @source Unicode 15, table 3-7
[[nodiscard]] std::size_t validUtf8Prefix(std::string_view text);

/// Whether the whole text is well-formed UTF-8.
[[nodiscard]] inline bool isValidUtf8(std::string_view text)
{
    return validUtf8Prefix(text) == text.size();
}

/// Replaces what is not UTF-8 by U+FFFD, in place: one for each maximal part that could have begun
/// a character, as browsers and Python do it.
/// @return whether anything had to be replaced
/// @cost one pass and no copy when nothing has to be replaced
/// @source Unicode 15, chapter 3.9, "substitution of maximal subparts"
[[nodiscard]] bool repairUtf8(std::string& text);

/// Replaces every NUL byte by U+FFFD, in place: C interfaces end a text there, and two ids that differ behind
/// it would be one.
/// @return whether there was any
/// @cost one pass; one copy where there is any
[[nodiscard]] bool replaceNul(std::string& text);

/// One character of a text, and how many bytes it takes there.
struct Utf8Character
{
    char32_t codePoint;
    std::size_t size;
};

/// The character that begins at `offset` of a well-formed text; 0 <= offset < text.size().
[[nodiscard]] inline Utf8Character utf8At(std::string_view text, std::size_t offset)
{
    const auto byte = [&](std::size_t i) {
        return static_cast<char32_t>(static_cast<unsigned char>(text[offset + i]));
    };
    const char32_t lead = byte(0);
    if (lead < 0x80)
        return {lead, 1};
    if (lead < 0xE0)
        return {((lead & 0x1F) << 6) | (byte(1) & 0x3F), 2};
    if (lead < 0xF0)
        return {((lead & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F), 3};
    return {((lead & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F), 4};
}

/// Number of bytes of the character that a lead byte of a well-formed text begins.
[[nodiscard]] constexpr std::size_t utf8SizeFromLead(char lead)
{
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// Appends a character; surrogates and numbers above U+10FFFF become U+FFFD.
void appendUtf8(std::string& text, char32_t codePoint);

/// Number of characters of a well-formed text.
[[nodiscard]] std::size_t countCharacters(std::string_view text);

} // namespace headscope
