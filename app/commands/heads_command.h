// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"

#include <string>
#include <string_view>

namespace headscope::shell
{
class OptionTable;
}

namespace headscope::commands
{

/// `headscope heads`, as typed.
struct HeadsCommand
{
    static constexpr std::string_view kVerb = "heads";

    InputOptions input;
    std::string sort;
    std::string output;
    bool plainCsv = false;

    void declare(shell::OptionTable& table);

    friend bool operator==(const HeadsCommand&, const HeadsCommand&) = default;
};

} // namespace headscope::commands
