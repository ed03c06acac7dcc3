// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headscope
{

/// Stands for a space at which no line breaks.
inline constexpr char kNoBreak = '\x1f';

/// Where the lines of a text break and begin, in bytes.
struct TextLines
{
    std::size_t width = 120; ///< of a line, unless a single word is longer
    std::size_t indent = 0;  ///< of every line but the first
    std::size_t begin = 0;   ///< where the first line begins: what stands before is not part of the text
};

/// A text of one line, broken into lines at spaces.
[[nodiscard]] std::string wrappedText(std::string_view text, const TextLines& lines);

} // namespace headscope
