// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/csv_text.h"

#include "model/base/escape_controls.h"
#include "model/base/output/output_file.h"
#include "model/base/utf8.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace headscope
{
namespace
{

/// A decimal number as spreadsheets read it: "-1.5e3", "+7".
bool isNumber(std::string_view text)
{
    if (text.find_first_not_of("0123456789+-.eE") != std::string_view::npos)
        return false;
    if (text.starts_with('+')) // from_chars knows no plus; a second sign is none
        text.remove_prefix(text.size() > 1 && text[1] != '-' && text[1] != '+' ? 1 : text.size());
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && end == text.data() + text.size() && failed != std::errc::invalid_argument;
}

/// Whether a spreadsheet, or what cleans texts before it, passes over a character at the beginning of a field.
bool isPassedOver(char32_t c)
{
    const bool blank = c <= U' ' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
                       c == 0x205F || c == 0x3000;
    const bool withoutWidth = c == 0xAD || c == 0x180E || (c >= 0x200B && c <= 0x200F) ||
                              (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
    return blank || withoutWidth || (c >= 0x7F && c <= 0x9F);
}

/// Whether a formula begins with it: = + - @, narrow, wide or small.
bool beginsFormula(char32_t c)
{
    constexpr std::u32string_view kBegins = U"=+-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B";
    return kBegins.find(c) != std::u32string_view::npos;
}

/// @param text  UTF-8
bool looksLikeFormula(std::string_view text)
{
    if (text.starts_with('\t') || text.starts_with('\r'))
        return !isNumber(text);
    while (!text.empty())
    {
        const Utf8Character first = utf8At(text, 0);
        if (!isPassedOver(first.codePoint))
            return beginsFormula(first.codePoint) && !isNumber(text);
        text.remove_prefix(first.size);
    }
    return false;
}

/// The text as people are shown it: a carriage return before a line feed is half a line end.
std::string shownField(std::string_view text)
{
    std::string shown;
    for (std::size_t at = 0; at <= text.size();)
    {
        const std::size_t end = std::min(text.find("\r\n", at), text.size());
        shown += escapeControls(text.substr(at, end - at));
        if (end < text.size())
            shown += "\r\n";
        at = end + 2;
    }
    return shown;
}

} // namespace

CsvText csvField(std::string_view text, CsvTexts texts)
{
    std::string field(text);
    if (texts == CsvTexts::Safe)
    {
        field = shownField(text);
        // A field that began with a carriage return begins with its name now, and is no formula.
        if (looksLikeFormula(field))
            field.insert(0, 1, '\'');
    }
    if (field.find_first_of(",\"\r\n") == std::string::npos)
        return CsvLanguage::taken(std::move(field));
    std::string quoted = "\"";
    for (const char c : field)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return CsvLanguage::taken(quoted + '"');
}

Status writeCsvFile(const std::filesystem::path& target, const CsvText& csv)
{
    return writeFileAtomically(target, csv.bytes());
}

} // namespace headscope
