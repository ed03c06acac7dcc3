// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headscope::results
{

/// A text with what LaTeX takes for a command escaped.
[[nodiscard]] std::string latexText(std::string_view text);

/// The same for a sentence of running text: signs that not every font of LaTeX has are written by its commands, and
/// a line end is a blank.
/// @param text  UTF-8
[[nodiscard]] std::string latexSentence(std::string_view text);

/// The same for a cell of a table: a hyphen before a number is a minus, one that stands alone a dash.
[[nodiscard]] std::string latexCell(std::string_view text);

/// A comment line that says which LaTeX sets this text, where pdflatex does not; else empty.
/// @param text  UTF-8
[[nodiscard]] std::string latexEngineComment(std::string_view text);

} // namespace headscope::results
