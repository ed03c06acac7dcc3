// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/latex_text.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace headscope::results
{

std::string latexText(std::string_view text)
{
    std::string escaped;
    for (const char c : text)
    {
        if (c == '\\')
            escaped += "\\textbackslash{}";
        else if (c == '~' || c == '^')
            escaped += fmt::format("\\{}{{}}", c);
        else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
            escaped += {'\\', c};
        else
            escaped += c;
    }
    return escaped;
}

std::string latexSentence(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kSigns = {{
        {"\u2212", "$-$"},
        {"\u00D7", "$\\times$"},
        {"\u2248", "$\\approx$"},
        {"\u2013", "--"},
        {"\u2014", "---"},
        {"\u2019", "'"},
        {"\u2026", "\\ldots{}"},
        {"<", "\\textless{}"},
        {">", "\\textgreater{}"},
        {"|", "\\textbar{}"},
        {"\n", " "},
        {"\r", " "},
    }};
    std::string escaped = latexText(text);
    for (const auto& [sign, command] : kSigns)
        for (std::size_t at = escaped.find(sign); at != std::string::npos; at = escaped.find(sign, at + command.size()))
            escaped.replace(at, sign.size(), command);
    return escaped;
}

std::string latexCell(std::string_view text)
{
    if (text == "-")
        return "--";
    const bool negative = text.size() > 1 && text[0] == '-' && (text[1] >= '0' && text[1] <= '9');
    return negative ? "$-$" + latexSentence(text.substr(1)) : latexSentence(text);
}

std::string latexEngineComment(std::string_view text)
{
    // What is left after latexSentence: letters up to U+024F are in the fonts of pdflatex (T1).
    const std::string sentence = latexSentence(text);
    for (std::size_t at = 0; at < sentence.size(); ++at)
    {
        const auto lead = static_cast<unsigned char>(sentence[at]);
        if (lead > 0xC9) // of U+0240 and behind
            return "% it holds characters that pdflatex does not set: use lualatex or xelatex, with a font that has "
                   "them\n";
    }
    return {};
}

} // namespace headscope::results
