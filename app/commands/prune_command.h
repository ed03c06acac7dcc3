// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope prune`, as typed.
struct PruneCommand
{
    static constexpr std::string_view kVerb = "prune";

    InputOptions input;
    std::string units = "heads";
    std::string measure = "auto";
    std::string order = "single";
    std::string search = "greedy";
    std::string validate = "halves";
    std::string queries;
    std::string relevant;
    std::int64_t top = 10;
    std::string saveMask;
    std::optional<std::int64_t> keep;
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);

    friend bool operator==(const PruneCommand&, const PruneCommand&) = default;
};

/// What people call a value of --measure: "match at 5" of "match5"; the others are their own names.
[[nodiscard]] std::string measureName(const std::string& measure);

} // namespace headscope::commands
