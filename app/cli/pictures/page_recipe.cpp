// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pictures/page_recipe.h"

#include "app/cli/figure_files.h"
#include "app/shell/quoted_command.h"
#include "viz/export/embedded_recipe.h"
#include "viz/export/panels/panel_figure.h"

#include <fmt/format.h>

#include <utility>

namespace headscope::cli
{

Result<std::string> recipeOfPage(commands::FigureCommand command, std::vector<std::string> panels,
                                 const Provenance& parameters)
{
    command.recipes.clear();
    command.inputs.clear();
    FigureRecipe recipe = recipeOf(commands::CommandLine<commands::FigureCommand>{std::move(command), {}}, {});
    recipe.panels = std::move(panels);
    recipe.command = "headscope figure PANEL...";
    for (const std::string& word : recipe.words)
        recipe.command += ' ' + shell::quotedWord(word);
    std::string text = recipeOfThisVersion(std::move(recipe), parameters);
    if (std::ssize(text) > viz::kMaxRecipeBytes)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected panels whose recipes have at most {} bytes in total, found {}",
                                 viz::kMaxRecipeBytes, text.size()),
                     {},
                     {}};
    return text;
}

std::filesystem::path besidePanel(const std::filesystem::path& target, std::size_t panel, std::string_view ending)
{
    const std::string letter = viz::panelLetter(static_cast<std::int64_t>(panel)).toStdString();
    return target.parent_path() / fmt::format("{}-{}{}", target.stem().string(), letter, ending);
}

} // namespace headscope::cli
