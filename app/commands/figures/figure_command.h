// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope::shell
{
class OptionTable;
}

namespace headscope::commands
{

/// `headscope figure`, as typed.
struct FigureCommand
{
    static constexpr std::string_view kVerb = "figure";

    std::string recipe; ///< .json, or a figure with its recipe inside
    std::string output;
    std::vector<std::string> inputs; ///< where files of the recipe lie now, known by their contents
    std::string preset = "recipe";   ///< recipe: as it was made
    std::string text = "recipe";
    bool files = false; ///< writes .csv, .json and .tex too

    void declare(shell::OptionTable& table);

    friend bool operator==(const FigureCommand&, const FigureCommand&) = default;
};

} // namespace headscope::commands
