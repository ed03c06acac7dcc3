// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/command_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headscope::shell
{
namespace
{

/// Words that would be read as an option where they stand.
bool looksLikeOption(const std::string& word)
{
    return word.size() > 1 && word.front() == '-';
}

} // namespace

std::vector<std::string> wordsThatChange(const Fields& usual, const Fields& wanted)
{
    // Positionals come first, where no list of values can take them for its own.
    std::vector<std::string> positionals;
    std::vector<std::string> words;
    for (const FieldDifference& each : differences(wanted, usual, kCommandUse))
    {
        const Field& row = *each.field;
        std::vector<std::string> values = valueWords(row.target);
        if (row.isPositional())
        {
            positionals.insert(positionals.end(), values.begin(), values.end());
            continue;
        }
        if (!row.isFlag() && values.empty())
            continue;
        words.push_back(row.typedName());
        if (row.separator != 0)
            words.push_back(fmt::format("{}", fmt::join(values, std::string(1, row.separator))));
        else
            words.insert(words.end(), values.begin(), values.end());
    }
    if (std::none_of(positionals.begin(), positionals.end(), looksLikeOption))
    {
        positionals.insert(positionals.end(), words.begin(), words.end());
        return positionals;
    }
    words.emplace_back("--");
    words.insert(words.end(), positionals.begin(), positionals.end());
    return words;
}

} // namespace headscope::shell
