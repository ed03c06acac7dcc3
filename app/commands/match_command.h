// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"
#include "model/data/results/interval.h"

#include <cstdint>
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
    std::vector<std::int64_t> k = {1, 5, 10};
    std::vector<std::string> pool;
    std::int64_t permutations = kDefaultPermutations;
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);

    friend bool operator==(const MatchCommand&, const MatchCommand&) = default;
};

} // namespace headscope::commands
