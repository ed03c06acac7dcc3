// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/input_search.h"
#include "app/cli/verb.h"
#include "app/commands/figures/figure_command.h"
#include "app/results/figure_recipe.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "viz/export/figure_export.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::cli
{

/// A figure that was saved from the window, to be made again.
struct WindowFigureRequest
{
    std::filesystem::path figure; ///< or its recipe
    std::filesystem::path cache;  ///< that it was made from
    std::filesystem::path output;
    std::string preset = "recipe";
    bool files = false;
    std::vector<std::string> annotate{}; ///< besides what the figure has
};

/// What came of it.
struct WindowFigureMade
{
    std::string view; ///< key of the view
    viz::FigureRecord record{};
    std::vector<std::filesystem::path> files{}; ///< that were written, the figure first
};

/// Puts a window's view back as it was, without a window on a screen, and saves it.
/// @errors those of opening the cache; InvalidArgument (the view is not as it was, or shows nothing); Resource
/// @threads GUI thread, with a QApplication
using WindowFigureMaker = Result<WindowFigureMade> (*)(const WindowFigureRequest& request, JobContext& job);

/// Who makes figures of the window; null, as at first: they are refused. Once, before any verb runs.
void setWindowFigureMaker(WindowFigureMaker maker);

/// `figure` for a recipe of the window.
/// @param file  of the recipe
/// @errors those of WindowFigureMaker, InputSearch and checkOutputPath; WrongUse (--text outlines)
[[nodiscard]] Result<Answer> runWindowFigure(const FigureRecipe& recipe, const std::filesystem::path& file,
                                             const commands::FigureCommand& command, const CommonOptions& common,
                                             InputSearch& search, JobContext& job);

} // namespace headscope::cli
