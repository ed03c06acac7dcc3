// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of any origin inside a page: nothing of them is taken for markup or for code.
#pragma once

#include <string>
#include <string_view>

namespace headscope::report
{

/// The text between tags or inside a quoted attribute. What is not UTF-8, and control characters but line ends and
/// tabs, become U+FFFD.
/// @threads reentrant
[[nodiscard]] std::string htmlText(std::string_view text);

/// The same as an element that keeps the order of its letters, right-to-left or overridden, to itself.
[[nodiscard]] std::string htmlName(std::string_view text);

/// The text as a JSON string, quotes included, which may stand inside a script element: it holds neither `<` nor `&`
/// nor a line separator. What is not UTF-8, and NUL, becomes U+FFFD.
/// @threads reentrant
[[nodiscard]] std::string scriptText(std::string_view text);

/// A name for an id or an address inside the page: letters, digits and single dashes of it in lower case, or "part"
/// where it has none.
[[nodiscard]] std::string pageId(std::string_view text);

} // namespace headscope::report
