// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/completion.h"

#include "model/base/fields/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headscope::shell
{

VerbOptions optionsForCompletion(std::string_view verb, const Fields& table)
{
    VerbOptions options{std::string(verb), {"--help"}, {}};
    for (const Field& row : table.options())
    {
        if (row.isHidden || row.isPositional())
            continue;
        options.names.insert(options.names.end(), row.names.begin(), row.names.end());
        for (const std::string& name : row.names)
        {
            if (!row.words.empty())
                options.words.emplace_back(name, row.words);
        }
    }
    return options;
}

std::string bashCompletion(std::string_view program, std::span<const VerbOptions> verbs)
{
    std::string name(program);
    std::replace(name.begin(), name.end(), '-', '_');
    std::vector<std::string_view> names;
    std::string options;
    std::string words;
    for (const VerbOptions& each : verbs)
    {
        names.push_back(each.verb);
        options += fmt::format("    {}) options=\"{}\" ;;\n", each.verb, fmt::join(each.names, " "));
        for (const auto& [option, choices] : each.words)
            words += fmt::format("    \"{} {}\") words=\"{}\" ;;\n", each.verb, option, fmt::join(choices, " "));
    }
    constexpr std::string_view kScript =
        R"(# bash completion for {0}: source this file, or put it into the folder of completions
_{1}()
{{
    local word="${{COMP_WORDS[COMP_CWORD]}}" verb="${{COMP_WORDS[1]}}" options="" words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{2}" -- "$word") $(compgen -f -- "$word"))
        return 0
    fi
    case "$verb" in
{3}    esac
    case "$verb ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{4}    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    elif [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}}
complete -o filenames -F _{1} {0}
)";
    return fmt::format(kScript, program, name, fmt::join(names, " "), options, words);
}

} // namespace headscope::shell
