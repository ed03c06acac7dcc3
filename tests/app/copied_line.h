// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/all_commands.h"
#include "app/shell/parse_words.h"

#include <QString>

#include <span>
#include <string>
#include <vector>

namespace headscope::test
{

/// The words of a line that holds no quoting but single quotes, as a shell takes them; "&&" and the end of a line
/// are words of their own, "# ..." is left out.
inline std::vector<std::string> shellWords(const QString& line)
{
    std::vector<std::string> words;
    std::string word;
    bool any = false;
    bool quoted = false;
    const auto end = [&] {
        if (any)
            words.push_back(word);
        word.clear();
        any = false;
    };
    const std::string text = line.toStdString();
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const char c = text[i];
        if (c == '\'')
            any = true, quoted = !quoted;
        else if (!quoted && c == '\\' && i + 1 < text.size())
            word += text[++i], any = true;
        else if (!quoted && c == '#' && !any)
            break;
        else if (!quoted && (c == ' ' || c == '\n'))
        {
            end();
            if (c == '\n')
                words.emplace_back("&&");
        }
        else
            word += c, any = true;
    }
    end();
    return words;
}

/// Why the verbs of "Copy as command line" do not understand these lines; empty: they do.
inline std::string copiedLineFault(const QString& lines)
{
    std::vector<std::vector<std::string>> commands(1);
    for (const std::string& word : shellWords(lines))
    {
        if (word == "&&")
            commands.emplace_back();
        else
            commands.back().push_back(word);
    }
    for (const std::vector<std::string>& words : commands)
    {
        if (words.size() < 2 || words[0] != "headscope")
            return "not a command of headscope: " + lines.toStdString();
        std::string fault = "no such verb: " + words[1];
        commands::visitCommands([&](std::string_view verb, const Fields& table) {
            if (verb != words[1])
                return;
            const auto read = shell::parseWords(table, std::span(words).subspan(2));
            fault = read ? std::string() : read.error().message;
        });
        if (!fault.empty())
            return fault;
    }
    return {};
}

} // namespace headscope::test
