// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"
#include "model/data/results/layer_results.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope::shell
{
class OptionTable;
}

namespace headscope::commands
{

/// `headscope layers`, as typed.
struct LayersCommand
{
    static constexpr std::string_view kVerb = "layers";

    InputOptions input = {.layer = "all", .stage = "1,2,3"};
    int neighbors = LayerOptions().neighbors;
    double c = LayerOptions().probe.c;
    std::string output;
    bool plainCsv = false;

    void declare(shell::OptionTable& table);
    [[nodiscard]] LayerOptions options(std::uint64_t seed) const;
    /// Sets the members from these options, except the seed, which is a common option.
    void setOptions(const LayerOptions& options);

    friend bool operator==(const LayersCommand&, const LayersCommand&) = default;
};

} // namespace headscope::commands
