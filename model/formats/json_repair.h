// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// A text and how many places of it were changed.
struct RepairedText
{
    std::string text;
    std::size_t repairs = 0;
};

/// `bytes` with everything that is not UTF-8 replaced by U+FFFD, by the rule of base's repairUtf8,
/// and the number of these places.
/// @cost O(bytes)
[[nodiscard]] RepairedText replaceInvalidUtf8(std::string_view bytes);

/// JSON text in which escapes of surrogates without a partner (\ud800 alone) became \ufffd.
/// Everything else is kept byte for byte, malformed JSON included.
/// @cost O(bytes)
[[nodiscard]] RepairedText replaceLoneSurrogateEscapes(std::string_view json);

/// An integer as it was written, and how many numbers stand before it in its text.
struct WrittenInteger
{
    std::size_t number = 0;
    std::string digits; ///< with its sign
};

/// JSON text in which integers of more than 18 digits that may not fit into 64 bits are written as
/// doubles (an exponent e0 is appended). Strings are not touched.
/// @param integers  gets those, in their order, as they were written; null: nobody asks for them
/// @cost O(bytes)
[[nodiscard]] RepairedText widenLargeIntegers(std::string_view json, std::vector<WrittenInteger>* integers = nullptr);

} // namespace headscope
