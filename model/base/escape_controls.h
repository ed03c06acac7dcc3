// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headscope
{

/// What a line break in a text means.
enum class LineBreaks
{
    Kept,  ///< the text is written in lines
    Shown, ///< the text is one line, so that a name cannot pretend to be another line
};

/// A text as a terminal may be given it: what would move its cursor, colour it, name its window or turn the order of
/// letters is shown as an escape, "\x1b" or "\u202e", and what is not UTF-8 as U+FFFD. That is C0 (but line breaks
/// and tabs, unless they are to be shown), DEL, C1, line and paragraph separators, and embeddings, overrides and
/// isolates of direction. Applying it again changes nothing.
/// @threads reentrant
/// @cost one pass; no copy but of the text itself when nothing has to be shown
[[nodiscard]] std::string escapeControls(std::string_view text, LineBreaks lineBreaks = LineBreaks::Kept);

/// The same characters in a JSON text, by JSON's own escapes: what is read of it stays the same.
/// @param json  well-formed: such characters stand inside strings alone
[[nodiscard]] std::string visibleJson(std::string_view json);

} // namespace headscope
