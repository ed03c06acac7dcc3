// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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

/// JSON text in which integers of more than 18 digits that may not fit into 64 bits are written as
/// doubles (an exponent e0 is appended). Strings are not touched.
/// @cost O(bytes)
[[nodiscard]] RepairedText widenLargeIntegers(std::string_view json);

} // namespace headscope
