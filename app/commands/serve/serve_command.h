// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope-engine serve`, as typed.
struct ServeCommand
{
    static constexpr std::string_view kVerb = "serve";

    std::int64_t idle = 600; ///< seconds without a request until the model is let go

    void declare(Fields& table);

    friend bool operator==(const ServeCommand&, const ServeCommand&) = default;
};

} // namespace headscope::commands
