// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headscope::shell
{
class OptionTable;
}

namespace headscope::commands
{

/// `headscope inspect` and `headscope-engine inspect`, as typed.
struct InspectCommand
{
    static constexpr std::string_view kVerb = "inspect";

    std::string path; ///< of a cache or a model

    void declare(shell::OptionTable& table);

    friend bool operator==(const InspectCommand&, const InspectCommand&) = default;
};

} // namespace headscope::commands
