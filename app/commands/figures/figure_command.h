// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope figure`, as typed.
struct FigureCommand
{
    static constexpr std::string_view kVerb = "figure";

    std::vector<std::string> recipes; ///< .json, or figures with their recipes inside; several: panels of one figure
    std::string output;
    std::vector<std::string> inputs; ///< where files of the recipe lie now, known by their contents
    std::string preset = "recipe";   ///< recipe: as it was made
    std::string text = "recipe";
    bool files = false;                ///< writes .csv, .json and .tex too
    std::string columns = "auto";      ///< auto: as the recipe of panels says, else as many as fit
    std::string letters = "auto";      ///< auto: as the recipe of panels says, else in parentheses
    std::string share = "auto";        ///< auto: as the recipe of panels says, else a legend
    std::vector<std::string> annotate; ///< besides what the recipe holds

    void declare(Fields& table);

    friend bool operator==(const FigureCommand&, const FigureCommand&) = default;
};

} // namespace headscope::commands
