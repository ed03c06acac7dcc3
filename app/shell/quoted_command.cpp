// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/quoted_command.h"

namespace headscope::shell
{

std::string quotedWord(std::string_view word)
{
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word)
    {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + '\'';
}

std::string quotedCommand(std::string_view program, std::span<const std::string> words)
{
    std::string command(program);
    for (const std::string& word : words)
        command += ' ' + quotedWord(word);
    return command;
}

std::optional<std::vector<std::string>> unquotedWords(std::string_view command)
{
    std::vector<std::string> words;
    bool quoted = false;
    bool inWord = false;
    for (std::size_t i = 0; i < command.size(); ++i)
    {
        const char c = command[i];
        if (c == ' ' && !quoted)
        {
            inWord = false;
            continue;
        }
        if (!inWord)
            words.emplace_back();
        inWord = true;
        if (c == '\'')
            quoted = !quoted;
        else if (c == '\\' && !quoted && i + 1 < command.size())
            words.back() += command[++i];
        else
            words.back() += c;
    }
    if (quoted)
        return std::nullopt;
    return words;
}

} // namespace headscope::shell
