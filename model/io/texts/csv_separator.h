// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headscope
{

/// The separator of a table, guessed from its first rows: the comma, semicolon, tab or bar that gives all of them the
/// same number of fields, more than one; of several the one that gives the most, then the one with fewer names that
/// begin with a blank, then in this order. Separators inside quotes are none. Where no candidate fits every row (one
/// is damaged), the one that fits the most; a table of one column has a comma.
/// @errors those of openByteSource() and of reading
[[nodiscard]] Result<char> guessSeparator(const std::filesystem::path& path);

/// A separator by its name on a command line: "comma", "semicolon", "tab" or "pipe"; nothing for others ("auto").
[[nodiscard]] std::optional<char> separatorFromName(std::string_view name);

/// Whether a text is a number ("3.14", "-1e3"). Where semicolons separate, as spreadsheets write where the comma is the
/// decimal sign, so is "3,14": one comma between digits, and no point.
[[nodiscard]] bool isNumberIn(char separator, std::string_view text);

/// A number as programs read it: with a point in place of a decimal comma.
[[nodiscard]] std::string withDecimalPoint(std::string number);

} // namespace headscope
