// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"
#include "model/data/results/head_results.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope heads`, as typed.
struct HeadsCommand
{
    static constexpr std::string_view kVerb = "heads";

    InputOptions input;
    CkaMethod cka = CkaMethod::Debiased;
    HeadAnswerOptions answers; ///< but for the seed
    std::string sort;
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);

    friend bool operator==(const HeadsCommand&, const HeadsCommand&) = default;
};

} // namespace headscope::commands
