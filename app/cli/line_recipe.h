// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/figure_recipe.h"
#include "app/results/provenance.h"

#include <optional>
#include <string>
#include <string_view>

namespace headscope::cli
{

/// What a line of "Copy as command line" makes: the recipe, without hashes and versions, and the options that are not
/// as usual with the seed, as parameters.
struct LineRecipe
{
    FigureRecipe recipe;
    Provenance parameters;
};

/// @param line  one command; nothing comes of what is no line of one of our own verbs
[[nodiscard]] std::optional<LineRecipe> recipeOfLine(std::string_view line);

/// A line, or several with "&&" or line ends between them, with files as recipes name them; empty where any part is no
/// line of our own verbs.
[[nodiscard]] std::string recordedLines(std::string_view lines);

} // namespace headscope::cli
