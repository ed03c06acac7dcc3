// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/line_recipe.h"

#include "app/cli/read_verb.h"
#include "app/shell/command_words.h"
#include "app/shell/parse_words.h"
#include "app/shell/quoted_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

/// What was chosen: every option that is not as usual, and the seed in any case.
Provenance parametersOf(const std::string& verb, const ReadVerb& wanted, const ReadVerb& usual)
{
    Provenance parameters;
    parameters.add("verb", verb);
    const auto usualOptions = usual.table.options();
    std::size_t next = 0;
    for (const Field& row : wanted.table.options())
    {
        const bool same = haveSameValue(row, usualOptions[next++]);
        if (row.isFlag() && !same)
            parameters.add(row.recordName(), std::string(*std::get<bool*>(row.target) ? "true" : "false"));
        else if (!row.isFlag() && (row.typedName() == "--seed" || !same))
            parameters.add(row.recordName(), fmt::format("{}", fmt::join(valueWords(row.target), ",")));
    }
    return parameters;
}

/// The commands of lines, without what follows them as a comment.
std::vector<std::string> commandsOf(std::string_view lines)
{
    std::vector<std::string> commands = {""};
    bool quoted = false;
    for (std::size_t i = 0; i < lines.size(); ++i)
    {
        const std::string_view rest = lines.substr(i);
        if (!quoted && rest.starts_with("  # "))
            break;
        const std::size_t between = quoted ? 0 : rest.starts_with(" && ") ? 4 : rest.front() == '\n' ? 1 : 0;
        if (between > 0)
        {
            commands.emplace_back();
            i += between - 1;
            continue;
        }
        quoted = quoted != (rest.front() == '\'');
        commands.back() += rest.front();
    }
    return commands;
}

} // namespace

std::optional<LineRecipe> recipeOfLine(std::string_view line)
{
    const auto words = shell::unquotedWords(line);
    if (!words || words->size() < 2 || words->front() != "headscope")
        return std::nullopt;
    auto verb = makeVerb((*words)[1]);
    if (verb == nullptr)
        return std::nullopt;
    ReadVerb wanted(std::move(verb));
    const ReadVerb usual(makeVerb((*words)[1]));
    const auto read = shell::parseWords(wanted.table, std::vector<std::string>(words->begin() + 2, words->end()));
    if (!read || *read != shell::Reading::Done)
        return std::nullopt;
    LineRecipe made;
    made.recipe.verb = (*words)[1];
    made.recipe.inputs = keepForRecipe(wanted.table, usual.table, {});
    made.recipe.words = shell::wordsThatChange(usual.table, wanted.table);
    made.parameters = parametersOf(made.recipe.verb, wanted, usual);
    return made;
}

std::string recordedLines(std::string_view lines)
{
    std::string all;
    for (const std::string& line : commandsOf(lines))
    {
        const auto made = recipeOfLine(line);
        if (!made)
            return {};
        std::vector<std::string> words = {made->recipe.verb};
        words.insert(words.end(), made->recipe.words.begin(), made->recipe.words.end());
        all += (all.empty() ? "" : " && ") + shell::quotedCommand("headscope", words);
    }
    return all;
}

} // namespace headscope::cli
