// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"
#include "model/analysis/maps/measure_map.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope quality`, as typed. Layer, stage and what the divergence is taken from default to
/// what is recorded in the map.
struct QualityCommand
{
    static constexpr std::string_view kVerb = "quality";

    InputOptions input = {.layer = {}, .stage = {}};
    std::string map;
    std::string against;              ///< another map of the same documents; empty: none
    std::vector<double> perplexities; ///< none: those of the map
    std::optional<double> degreesOfFreedom;
    std::string metric; ///< empty: that of the map
    std::int64_t sample = MapTrustOptions().sample;
    std::string labels; ///< of the points; InputOptions::labels is not declared
    std::string output;

    void declare(Fields& table);

    friend bool operator==(const QualityCommand&, const QualityCommand&) = default;
};

} // namespace headscope::commands
