// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"
#include "model/analysis/neighbors/neighbors.h"

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
    std::int64_t k = NeighborOptions().k;
    std::string metric{metricName(NeighborOptions().metric)};
    std::string method = "auto";
    double recall = NeighborOptions().recall;
    std::int64_t check = 0;
    std::string output;

    void declare(Fields& table);

    friend bool operator==(const NeighborsCommand&, const NeighborsCommand&) = default;
};

} // namespace headscope::commands
