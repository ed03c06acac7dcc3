// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/figures/figure_choices.h"

#include "app/shell/option_table.h"

namespace headscope::commands
{

std::vector<std::string> presetWords(std::string_view first)
{
    std::vector<std::string> words = {std::string(first)};
    words.insert(words.end(), kPresetNames.begin(), kPresetNames.end());
    return words;
}

void FigureChoices::declare(shell::OptionTable& table)
{
    table.option("--preset", preset, "for pictures: width and size of text for one place; none is 171.45 mm wide")
        .oneOf(presetWords("none"));
    table.option("--text", text, "for pictures: letters as text, or as shapes that need no font")
        .oneOf({"text", "outlines"});
    table.flag(
        "--recipe", recipe,
        "for pictures: beside FILE.pdf also its numbers (.csv), its recipe (.json) and a figure of LaTeX (.tex)");
    table.option("--also", also, "for pictures: the same one in other formats, beside it (pdf, png, svg)")
        .oneOf({"pdf", "png", "svg"})
        .separatedBy(',')
        .valueName("FORMAT,...")
        .defaultMeans("none");
}

} // namespace headscope::commands
