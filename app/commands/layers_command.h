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
    int neighbors = LayerOptions().neighbors;
    double c = LayerOptions().probe.c;
    std::string cka{ckaName(LayerOptions().cka)};
    std::int64_t permutations = LayerOptions().permutations;
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);
    [[nodiscard]] LayerOptions options(std::uint64_t seed) const;
    /// Sets the members from these options, except the seed, which is a common option.
    void setOptions(const LayerOptions& options);

    friend bool operator==(const LayersCommand&, const LayersCommand&) = default;
};

} // namespace headscope::commands
