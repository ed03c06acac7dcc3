// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headscope::tokenize
{

/// The printable character that stands for a byte in byte-level vocabularies: printable Latin-1
/// stands for itself, the other 68 bytes in order from U+0100 on (space is U+0120).
/// @source GPT-2's byte-to-character table
[[nodiscard]] char32_t byteLevelCharacter(unsigned char byte);

/// The byte a character stands for; nothing when it stands for none.
[[nodiscard]] std::optional<unsigned char> byteLevelByte(char32_t character);

/// Appends each byte of `bytes` as the UTF-8 of its character.
void appendByteLevel(std::string& text, std::string_view bytes);

/// The bytes that a text of byte-level characters stands for; other characters stay as they are.
[[nodiscard]] std::string bytesFromByteLevel(std::string_view text);

} // namespace headscope::tokenize
