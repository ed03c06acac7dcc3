// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/input_search.h"
#include "app/cli/verb.h"
#include "app/commands/figures/figure_command.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::cli
{

/// A panel's recipe, and the file that it came from.
struct PanelRecipe
{
    FigureRecipe recipe;
    std::filesystem::path file;
};

/// Makes one figure of several: each panel's verb runs again, and its own painter paints it into its place. All data of
/// the panels are in memory together.
/// @param command  how the panels stand; --recipe writes the numbers of panel b of FILE.pdf as FILE-b.csv
/// @errors those of FollowedRecipe and of the verbs, with the panel; InvalidArgument (too many panels)
[[nodiscard]] Result<Answer> runPanels(const std::vector<PanelRecipe>& panels, const commands::FigureCommand& command,
                                       const CommonOptions& common, InputSearch& search, JobContext& job);

} // namespace headscope::cli
