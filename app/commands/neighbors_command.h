// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"
#include "model/data/neighbor_options.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope neighbors`, as typed.
struct NeighborsCommand
{
    static constexpr std::string_view kVerb = "neighbors";

    InputOptions input;
    NeighborOptions search = {.method = NeighborMethod::Auto}; ///< but for the seed
    std::int64_t check = 0;
    std::string output;

    void declare(Fields& table);

    friend bool operator==(const NeighborsCommand&, const NeighborsCommand&) = default;
};

} // namespace headscope::commands
