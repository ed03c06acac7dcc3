// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headscope
{

/// A token in one line: each line end and tab is a space.
[[nodiscard]] std::string tokenOnOneLine(std::string token);
/// A token with its blanks visible: "\u00b7water", "\u21b5", "\u21e5".
[[nodiscard]] std::string spelledToken(std::string_view token);

/// The beginning of a text on one line of at most `most` characters: of a longer one an ellipsis is the last. Blanks
/// that follow each other become one; what is not UTF-8 is U+FFFD.
/// @param text  any bytes; only as many are read as may be shown
/// @param most  at least 1
[[nodiscard]] std::string beginningOnOneLine(std::string_view text, std::size_t most);

/// The same of the first line that is not blank.
[[nodiscard]] std::string firstLine(std::string_view text, std::size_t most);

} // namespace headscope
