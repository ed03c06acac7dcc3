// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope
{

/// The four normal forms of Unicode.
enum class NormalForm
{
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
};

/// Class L: what `\p{L}` matches.
[[nodiscard]] bool isLetter(char32_t c);
/// Class N, all of it: digits, letters that count, fractions (what `\p{N}` matches).
[[nodiscard]] bool isNumber(char32_t c);
/// The property White_Space (what `\s` matches).
[[nodiscard]] bool isWhitespace(char32_t c);
/// Class M: every mark.
[[nodiscard]] bool isMark(char32_t c);
/// Class P: every punctuation.
[[nodiscard]] bool isPunctuation(char32_t c);
/// A character of a word (`\w` of Unicode's Annex 18): alphabetic, marks, decimal digits, connectors.
[[nodiscard]] bool isWordCharacter(char32_t c);

// The reference implementation asks some classes of old versions of Unicode, whatever came later.

/// Class M of Unicode 9: what StripAccents drops.
[[nodiscard]] bool isReferenceMark(char32_t c);
/// Class Mn of Unicode 8, marks that take no room of their own: BERT's accents.
[[nodiscard]] bool isReferenceNonspacingMark(char32_t c);
/// Class P of Unicode 8 and the ASCII symbols: BERT's punctuation.
[[nodiscard]] bool isBertPunctuation(char32_t c);
/// What BERT's clean_text drops: controls, format characters and private use, but not tab, line
/// feed and carriage return.
[[nodiscard]] bool isBertControl(char32_t c);
/// The ideographs around which BERT puts spaces. The ranges are those of the reference, with its
/// gap from U+2B820 to U+2B91F.
[[nodiscard]] bool isBertIdeograph(char32_t c);

/// The character in lower case, by itself (simple mapping: one character for one).
[[nodiscard]] char32_t simpleLowerCase(char32_t c);

/// The text in a normal form.
/// @param text  well-formed UTF-8
/// @threads reentrant
/// @cost    one pass where all characters are below U+0300 (U+0080 but for NFC); otherwise a sort
///          of each run of marks, O(n log n) at worst
/// @source  Unicode 15, Annex 15; the data are utf8proc's
[[nodiscard]] std::string normalized(std::string_view text, NormalForm form);

/// Where the extended grapheme cluster that begins at `begin` ends: what a reader takes for one character.
/// @param text  well-formed UTF-8; 0 <= begin < text.size(), at the beginning of a cluster
/// @cost  one step a character
/// @source  Unicode 15, Annex 29
[[nodiscard]] std::size_t clusterEnd(std::string_view text, std::size_t begin);

/// The text with each character in lower case (full mapping, no regard to neighbours).
/// @param text  well-formed UTF-8
[[nodiscard]] std::string lowerCase(std::string_view text);

} // namespace headscope
