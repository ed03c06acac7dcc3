// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/help_text.h"

#include "model/base/fields/fields.h"
#include "model/base/text/wrapped_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace headscope::shell
{
namespace
{

constexpr std::size_t kWidth = 80;
constexpr std::size_t kColumn = 30; ///< where sentences begin

/// A sentence broken into lines, those behind the first indented to kColumn.
std::string wrapped(std::string sentence)
{
    constexpr std::string_view kDefault = "(default: "; // reads badly without its value
    if (const auto at = sentence.find(kDefault); at != std::string::npos)
        sentence[at + kDefault.size() - 1] = kNoBreak;
    return wrappedText(sentence, {kWidth, kColumn, kColumn});
}

std::string entryText(const Field& row)
{
    std::string text = "  " + row.shownOption() + (row.isRequired && !row.isPositional() ? " REQUIRED" : "");
    const std::string about = row.help();
    if (about.empty())
        return text + '\n';
    text += text.size() + 1 < kColumn ? std::string(kColumn - text.size(), ' ') : '\n' + std::string(kColumn, ' ');
    return text + wrapped(about) + '\n';
}

std::string sectionText(const Fields& table, bool positionals)
{
    std::string text;
    for (const Field& row : table.options())
    {
        if (!row.isHidden && row.isPositional() == positionals)
            text += entryText(row);
    }
    return text;
}

/// Text as man(7) prints it: no character of it is taken for a command.
std::string manText(std::string_view text)
{
    std::string escaped;
    for (const char c : text)
    {
        if (c == '\\')
            escaped += "\\e";
        else if (c == '-')
            escaped += "\\-";
        else
            escaped += c;
    }
    return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

/// The option in bold, its value in italics.
std::string manOption(const Field& row)
{
    const std::string shown = row.shownOption();
    const std::size_t space = row.isPositional() ? 0 : std::min(shown.find(' '), shown.size());
    std::string text;
    if (space > 0)
        text = "\\fB" + manText(std::string_view(shown).substr(0, space)) + "\\fR";
    if (space < shown.size())
        text +=
            (space > 0 ? " " : "") + ("\\fI" + manText(std::string_view(shown).substr(space + (space > 0))) + "\\fR");
    return text;
}

} // namespace

std::string usageText(const Fields& table, std::string_view command)
{
    std::string text = fmt::format("{} [OPTIONS]", command);
    for (const bool positionals : {true, false})
    {
        for (const Field& row : table.options())
        {
            if (row.isPositional() != positionals || row.isHidden || (!positionals && !row.isRequired))
                continue;
            const std::string shown = row.isPositional() ? row.shownOption() : row.typedName() + ' ' + row.shownValue();
            text += row.isRequired ? ' ' + shown : fmt::format(" [{}]", shown);
        }
    }
    return text;
}

std::string helpText(const Fields& table, std::string_view command, std::string_view summary)
{
    std::string text = fmt::format("{}\nUsage: {}\n", summary, usageText(table, command));
    if (const std::string positionals = sectionText(table, true); !positionals.empty())
        text += '\n' + positionals;
    text += fmt::format("\nOptions:\n  {:<{}}print this help\n", "-h,--help", kColumn - 2);
    text += sectionText(table, false);
    if (!table.footer().empty())
        text += '\n' + table.footer() + '\n';
    return text;
}

std::string manPage(const Fields& table, std::string_view command, std::string_view summary, std::string_view program)
{
    std::string name(command);
    std::replace(name.begin(), name.end(), ' ', '-');
    std::string title = name;
    std::transform(title.begin(), title.end(), title.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    std::string text =
        fmt::format(".TH \"{}\" 1 \"\" \"{}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n", manText(title),
                    manText(program), manText(name), manText(summary), manText(usageText(table, command)));
    text += ".SH OPTIONS\n";
    for (const Field& row : table.options())
    {
        if (!row.isHidden)
            text += fmt::format(".TP\n{}\n{}\n", manOption(row), manText(row.help()));
    }
    if (!table.footer().empty())
        text += fmt::format(".SH NOTES\n{}\n", manText(table.footer()));
    return text;
}

} // namespace headscope::shell
