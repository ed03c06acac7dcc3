// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/csv_text.h"

#include <charconv>

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

bool looksLikeFormula(std::string_view text)
{
    constexpr std::string_view kBegins = "=+-@\t\r";
    return !text.empty() && kBegins.find(text.front()) != std::string_view::npos && !isNumber(text);
}

} // namespace

std::string csvField(std::string_view text, CsvTexts texts)
{
    const bool guarded = texts == CsvTexts::Safe && looksLikeFormula(text);
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return (guarded ? "'" : "") + std::string(text);
    std::string quoted = guarded ? "\"'" : "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

} // namespace headscope
