// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/text/escaped.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace headscope
{

/// How texts stand in a CSV file.
enum class CsvTexts
{
    /// For people and their spreadsheets: ids and labels may come from anybody. A text that a spreadsheet would take
    /// for a formula has an apostrophe before it: it begins with = + - @, narrow or wide, after blanks, marks of byte
    /// order and what has no width, and is no number; or with a tab or a carriage return. Control characters but tabs
    /// and line ends are shown as a terminal shows them.
    Safe,
    Plain, ///< as they are, for programs
};

class CsvLanguage;
/// Lines of CSV (RFC 4180), or fields of them.
using CsvText = Escaped<CsvLanguage>;

/// A text as one CSV field: quoted where it holds a comma, a quote or a line end.
[[nodiscard]] CsvText csvField(std::string_view text, CsvTexts texts);

/// @errors Resource
[[nodiscard]] Status writeCsvFile(const std::filesystem::path& target, const CsvText& csv);

class CsvLanguage
{
    static CsvText taken(std::string text) { return CsvText::taken(std::move(text)); }
    friend CsvText csvField(std::string_view text, CsvTexts texts);
};

} // namespace headscope
