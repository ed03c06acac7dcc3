// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"

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

/// `headscope card`, as typed.
struct CardCommand
{
    static constexpr std::string_view kVerb = "card";

    InputOptions input = {.layer = ""};  ///< "": last; with `all` every layer
    std::int64_t head = 0;               ///< from 1; 0: none was given
    bool all = false;                    ///< a card of every head
    std::string sort;                    ///< column of the index
    std::string format = "pdf";          ///< of the cards of `all`
    double ends = 0.1;                   ///< share of the documents at each end of a direction
    std::string model;                   ///< that is run
    std::int64_t runDocuments = 32;      ///< that it is run on
    bool ablate = false;                 ///< runs it without the heads, too
    std::vector<std::string> importance; ///< files of earlier runs
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);

    friend bool operator==(const CardCommand&, const CardCommand&) = default;
};

} // namespace headscope::commands
