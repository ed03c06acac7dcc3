// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"
#include "model/data/results/probe_result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope probe`, as typed.
struct ProbeCommand
{
    static constexpr std::string_view kVerb = "probe";

    InputOptions input;
    ProbeOptions probe; ///< but for the seed
    std::string baselines = "auto";
    std::int64_t splits = 10;
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);

    friend bool operator==(const ProbeCommand&, const ProbeCommand&) = default;
};

/// `headscope label-probe`, as typed.
struct LabelProbeCommand
{
    static constexpr std::string_view kVerb = "label-probe";

    InputOptions input;
    ProbeOptions probe; ///< but for the seed
    std::int64_t splits = 10;
    std::string output;
    bool plainCsv = false;

    void declare(Fields& table);

    friend bool operator==(const LabelProbeCommand&, const LabelProbeCommand&) = default;
};

} // namespace headscope::commands
