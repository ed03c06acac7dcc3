// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"
#include "model/data/results/topic_results.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope match`, as typed.
struct MatchCommand
{
    static constexpr std::string_view kVerb = "match";

    InputOptions input;
    MatchOptions match;
    std::vector<std::string> pool;
    NullOptions shuffles; ///< but for the seed
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);

    friend bool operator==(const MatchCommand&, const MatchCommand&) = default;
};

} // namespace headscope::commands
