// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope export`, as typed.
struct ExportCommand
{
    static constexpr std::string_view kVerb = "export";

    InputOptions input;
    std::string format;
    std::vector<std::string> maps;
    std::string output;

    void declare(Fields& table);

    friend bool operator==(const ExportCommand&, const ExportCommand&) = default;
};

} // namespace headscope::commands
