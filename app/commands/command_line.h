// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/command_words.h"
#include "app/shell/common_options.h"
#include "app/shell/quoted_command.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope::commands
{

/// Everything typed after a verb: its own options, and those common to all.
/// @tparam C  one of the commands of this folder
template <class C>
struct CommandLine
{
    C command;
    shell::CommonOptions common;

    void declare(Fields& table)
    {
        command.declare(table);
        common.declare(table);
    }
    /// As parameters of a request.
    void declareServed(Fields& table)
    {
        if constexpr (requires { command.declareServed(table); })
            command.declareServed(table);
        else
            command.declare(table);
        common.declare(table);
    }
    /// The verb, and the options that differ from their defaults.
    [[nodiscard]] std::vector<std::string> words() const
    {
        std::vector<std::string> all = {std::string(C::kVerb)};
        std::vector<std::string> options = shell::commandWords(*this);
        all.insert(all.end(), options.begin(), options.end());
        return all;
    }
    /// The same as one line, quoted for a POSIX shell.
    [[nodiscard]] std::string text(std::string_view program = "headscope") const
    {
        return shell::quotedCommand(program, words());
    }

    friend bool operator==(const CommandLine&, const CommandLine&) = default;
};

} // namespace headscope::commands
