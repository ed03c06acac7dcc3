// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// The pieces of "a,b,c" between its separators, empty ones too; none for an empty text.
[[nodiscard]] std::vector<std::string> splitText(std::string_view text, char separator);

/// A text without the blanks around it.
/// @param blanks  what counts as blank
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

/// As much of a UTF-8 text as these bytes have room for, cut between characters.
[[nodiscard]] std::string_view beginningOf(std::string_view text, std::size_t bytes);

} // namespace headscope
