// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headscope
{

/// How texts stand in a CSV file.
enum class CsvTexts
{
    /// A text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a carriage return, and is
    /// no number) has an apostrophe before it: ids and labels may come from anybody.
    Safe,
    Plain, ///< as they are, for programs
};

/// A text as one CSV field: quoted where it holds a comma, a quote or a line end.
[[nodiscard]] std::string csvField(std::string_view text, CsvTexts texts);

} // namespace headscope
