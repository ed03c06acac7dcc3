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

class LatexLanguage;
/// Text of LaTeX, comments included.
using LatexText = Escaped<LatexLanguage>;

/// A sentence of running text: what LaTeX takes for a command is escaped, signs that not every font of LaTeX has are
/// written by its commands, a line end or a tab is a blank, and other control characters are shown as a terminal shows
/// them. A bracket or star at its beginning is no argument of the command before it.
/// @param text  any bytes; what is not UTF-8 becomes U+FFFD
[[nodiscard]] LatexText latexSentence(std::string_view text);

/// The same for a cell of a table: a hyphen before a number is a minus, one that stands alone a dash.
[[nodiscard]] LatexText latexCell(std::string_view text);

/// A whole line that LaTeX passes over. What would end it is shown as a terminal shows it.
[[nodiscard]] LatexText latexComment(std::string_view text);

/// Whether \includegraphics and \input take the name of a file.
[[nodiscard]] bool isLatexName(std::string_view name);

/// The name of a file, for these. One that they do not take is escaped: they find no such file, and do nothing else.
[[nodiscard]] LatexText latexName(std::string_view name);

/// A comment line that says which LaTeX sets this text, where pdflatex does not; else empty.
[[nodiscard]] LatexText latexEngineComment(const LatexText& text);

/// @errors Resource
[[nodiscard]] Status writeLatexFile(const std::filesystem::path& target, const LatexText& text);

class LatexLanguage
{
    static LatexText taken(std::string text) { return LatexText::taken(std::move(text)); }
    friend LatexText latexSentence(std::string_view text);
    friend LatexText latexComment(std::string_view text);
    friend LatexText latexName(std::string_view name);
};

} // namespace headscope
