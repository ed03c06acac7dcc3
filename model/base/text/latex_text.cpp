// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/latex_text.h"

#include "model/base/escape_controls.h"
#include "model/base/output/output_file.h"

#include <algorithm>
#include <array>

namespace headscope
{
namespace
{

/// A text of one line without control characters, with what LaTeX takes for a command escaped.
std::string withoutCommands(std::string_view text)
{
    std::string line(text);
    for (char& c : line)
        if (c == '\n' || c == '\r' || c == '\t')
            c = ' ';
    std::string escaped;
    for (const char c : escapeControls(line, LineBreaks::Shown))
    {
        if (c == '\\')
            escaped += "\\textbackslash{}";
        else if (c == '~' || c == '^')
            escaped += {'\\', c, '{', '}'};
        else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
            escaped += {'\\', c};
        else
            escaped += c;
    }
    return escaped;
}

} // namespace

LatexText latexSentence(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kSigns = {{
        {"\u2212", "$-$"},
        {"\u00D7", "$\\times$"},
        {"\u2248", "$\\approx$"},
        {"\u2264", "$\\le$"},
        {"\u2265", "$\\ge$"},
        {"\u03B5", "$\\varepsilon$"},
        {"\u03B7", "$\\eta$"},
        {"\u2013", "--"},
        {"\u2014", "---"},
        {"\u2019", "'"},
        {"\u2026", "\\ldots{}"},
        {"<", "\\textless{}"},
        {">", "\\textgreater{}"},
        {"|", "\\textbar{}"},
    }};
    std::string escaped = withoutCommands(text);
    for (const auto& [sign, command] : kSigns)
        for (std::size_t at = escaped.find(sign); at != std::string::npos; at = escaped.find(sign, at + command.size()))
            escaped.replace(at, sign.size(), command);
    // `words of a program`, as NUMBERS.md has them; a single sign stays one.
    bool isOpen = false;
    for (std::size_t at = escaped.find('`'); at != std::string::npos; at = escaped.find('`', at))
    {
        if (!isOpen && escaped.find('`', at + 1) == std::string::npos)
            break;
        escaped.replace(at, 1, isOpen ? "}" : "\\texttt{");
        isOpen = !isOpen;
    }
    const std::size_t first = escaped.find_first_not_of(' ');
    const bool isArgument = first != std::string::npos && (escaped[first] == '[' || escaped[first] == '*');
    return LatexLanguage::taken(isArgument ? "{}" + escaped : escaped);
}

LatexText latexCell(std::string_view text)
{
    if (text == "-")
        return LatexText("--");
    const bool negative = text.size() > 1 && text[0] == '-' && (text[1] >= '0' && text[1] <= '9');
    return negative ? "$-$" + latexSentence(text.substr(1)) : latexSentence(text);
}

LatexText latexComment(std::string_view text)
{
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return LatexLanguage::taken("% " + escapeControls(line, LineBreaks::Shown) + "\n");
}

bool isLatexName(std::string_view name)
{
    return name.find_first_of("%#{}\\~^$&\"") == std::string_view::npos &&
           escapeControls(name, LineBreaks::Shown) == name;
}

LatexText latexName(std::string_view name)
{
    return LatexLanguage::taken(isLatexName(name) ? std::string(name) : withoutCommands(name));
}

LatexText latexEngineComment(const LatexText& text)
{
    // What is left after latexSentence: letters up to U+024F are in the fonts of pdflatex (T1).
    const bool isSet = std::all_of(text.bytes().begin(), text.bytes().end(), [](char c) {
        return static_cast<unsigned char>(c) <= 0xC9; // of U+0240 and behind
    });
    return isSet ? LatexText()
                 : LatexText("% contains characters that pdflatex cannot typeset: use lualatex or xelatex, with a font "
                             "that has them\n");
}

Status writeLatexFile(const std::filesystem::path& target, const LatexText& text)
{
    return writeFileAtomically(target, text.bytes());
}

} // namespace headscope
