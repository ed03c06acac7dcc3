// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"

#include <optional>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope similarity`, as typed.
struct SimilarityCommand
{
    static constexpr std::string_view kVerb = "similarity";

    InputOptions input;
    std::optional<double> merge;
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);

    friend bool operator==(const SimilarityCommand&, const SimilarityCommand&) = default;
};

} // namespace headscope::commands
