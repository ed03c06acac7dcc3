// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/range_command.h"

#include "app/shell/quoted_command.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace headscope::engine
{
namespace
{

/// The words of an extraction without --range, and with the place of the output's name.
struct ReadCommand
{
    std::vector<std::string> words; ///< the program's name first
    std::size_t output = 0;         ///< of these; always of a word alone
};

std::optional<ReadCommand> readCommand(const std::string& command)
{
    const auto words = shell::unquotedWords(command);
    if (!words)
        return std::nullopt;
    ReadCommand read;
    const auto takeOutput = [&read](std::string option, std::string name) {
        read.words.push_back(std::move(option));
        read.output = read.words.size();
        read.words.push_back(std::move(name));
    };
    constexpr std::string_view kLongOutput = "--output=";
    for (std::size_t i = 0; i < words->size(); ++i)
    {
        const std::string& word = (*words)[i];
        const bool hasNext = i + 1 < words->size();
        if (word == "--range" && hasNext)
            ++i;
        else if (word.starts_with("--range="))
            continue;
        else if ((word == "-o" || word == "--output") && hasNext)
            takeOutput(word, (*words)[++i]);
        else if (word.starts_with(kLongOutput))
            takeOutput("--output", word.substr(kLongOutput.size()));
        else if (word.starts_with("-o") && word.size() > 2)
            takeOutput("-o", word.substr(2));
        else
            read.words.push_back(word);
    }
    if (read.output == 0)
        return std::nullopt;
    return read;
}

std::string written(const std::vector<std::string>& words)
{
    return shell::quotedCommand(words.front(), std::span(words).subspan(1));
}

} // namespace

std::string commandOfRange(const std::string& command, DocumentRange range)
{
    auto read = readCommand(command);
    if (!read)
        return {};
    const auto folder = std::filesystem::path(read->words[read->output]).parent_path();
    read->words[read->output] = (folder / fmt::format("range_{}-{}.h5", range.begin, range.end)).string();
    read->words.insert(read->words.end(), {"--range", fmt::format("{}:{}", range.begin, range.end)});
    return written(read->words);
}

std::string commandOfWholeRun(const std::string& command, const std::string& output)
{
    auto read = readCommand(command);
    if (!read)
        return command;
    read->words[read->output] = output;
    return written(read->words);
}

std::string missingText(const std::string& command, const std::vector<DocumentRange>& missing)
{
    std::string text;
    for (const DocumentRange& range : missing)
        text += fmt::format("\n  {}:{}  {}", range.begin, range.end, commandOfRange(command, range));
    return text;
}

} // namespace headscope::engine
