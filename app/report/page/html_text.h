// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of any origin inside a page: nothing of them is taken for markup or for code.
#pragma once

#include "model/base/text/escaped.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace headscope::report
{

class HtmlLanguage;
/// Text of HTML: markup, between tags, or inside a quoted attribute.
using HtmlText = Escaped<HtmlLanguage>;

class ScriptLanguage;
/// JSON that may be inside a script element: it holds neither `<` nor `&` nor a line separator.
using ScriptText = Escaped<ScriptLanguage>;

/// The text between tags or inside a quoted attribute. What is not UTF-8, and control characters but line ends and
/// tabs, become U+FFFD.
/// @threads reentrant
[[nodiscard]] HtmlText htmlText(std::string_view text);

/// The same as an element that keeps the order of its letters, right-to-left or overridden, to itself.
[[nodiscard]] HtmlText htmlName(std::string_view text);

/// A name for an id or an address inside the page: letters, digits and single dashes of it in lower case, or "part"
/// where it has none.
[[nodiscard]] HtmlText pageId(std::string_view text);

/// Bytes in base64, for an address of data or a hash.
[[nodiscard]] HtmlText htmlBase64(std::span<const std::byte> bytes);

/// A file of ours that is compiled in, as it is.
/// @param file  one of page_files.h
[[nodiscard]] HtmlText htmlFile(std::string_view (*file)());

/// Data as the contents of a script element.
[[nodiscard]] HtmlText htmlData(const ScriptText& json);

/// The text as a JSON string, quotes included. What is not UTF-8, and NUL, becomes U+FFFD.
/// @threads reentrant
[[nodiscard]] ScriptText scriptText(std::string_view text);

/// Bytes in base64, without quotes.
[[nodiscard]] ScriptText scriptBase64(std::span<const std::byte> bytes);

class HtmlLanguage
{
    static HtmlText taken(std::string text) { return HtmlText::taken(std::move(text)); }
    friend HtmlText htmlText(std::string_view text);
    friend HtmlText pageId(std::string_view text);
    friend HtmlText htmlBase64(std::span<const std::byte> bytes);
    friend HtmlText htmlFile(std::string_view (*file)());
    friend HtmlText htmlData(const ScriptText& json);
};

class ScriptLanguage
{
    static ScriptText taken(std::string text) { return ScriptText::taken(std::move(text)); }
    friend ScriptText scriptText(std::string_view text);
    friend ScriptText scriptBase64(std::span<const std::byte> bytes);
};

} // namespace headscope::report
