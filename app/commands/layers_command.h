// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"
#include "model/data/results/layer_results.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope layers`, as typed.
struct LayersCommand
{
    static constexpr std::string_view kVerb = "layers";

    /// The stages where none are named: those of them that the cache holds.
    static constexpr std::string_view kStages = "1,2,3";

    InputOptions input = {.layer = "all", .stage = std::string(kStages)};
    bool geometry = false; ///< in place of what `layers` measures
    LayerOptions layers;   ///< but for the seed
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);

    friend bool operator==(const LayersCommand&, const LayersCommand&) = default;
};

} // namespace headscope::commands
