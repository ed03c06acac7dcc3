// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "model/base/result.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/window/view_id.h"
#include "viz/export/figure_export.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headscope::desktop
{

/// A view as a figure, and what goes with it: the recipe inside, and where that is wanted the files next to it, the
/// same that the verbs write (app/cli/figure_files.h).
struct FigureBundle
{
    viz::Figure figure;
    viz::FigureOptions options;      ///< with the recipe
    std::function<Status()> numbers; ///< writes the .csv; null: there is none
    std::string preset{};            ///< of its size (ui::FigureSize)
};

/// The view a figure is of.
struct FigureSource
{
    ui::ViewId view;
    ui::FigureSize size;
    QString commandLine;           ///< that makes its numbers; may be empty
    bool isDrawnByCommand = false; ///< and this very picture, at a usual size
};

/// The recipe of what a view shows now: the cache by its hash, the command line, its parameters, and how the window
/// looks at it. Paths are those of recipes: files without their folders.
/// @param hash  of the open cache, as recipeHash gives it
/// @pre a cache is open
[[nodiscard]] std::string recipeOfView(const Study& study, const FigureSource& source, const std::string& hash);

/// The size of the canvas of a view that is seen, which gives figures of maps their shape; empty: it has none.
[[nodiscard]] QSize canvasSize(const QWidget& view);
/// The size of a figure as its recipe has it, which says the width in millimetres.
[[nodiscard]] QJsonObject recipePaper(FigurePaper paper);
/// The inverse; what is none is as usual.
[[nodiscard]] FigurePaper paperOfRecipe(QJsonObject figure);

/// Puts files of a folder next to each other into another one, all at once and in place of what is there: where one
/// cannot be written, nothing has changed. Those that are not there are left out.
/// @errors those of OutputFile
[[nodiscard]] Status publishFiles(const std::vector<std::filesystem::path>& staged,
                                  const std::filesystem::path& folder);

/// Writes the figure, its numbers, recipe and LaTeX into a folder of their own, and puts all of it next to each other
/// at once: where anything fails before that, nothing is there or has changed.
/// @param staging  the folder; the figure is written there under the name of `target`
/// @errors those of writeFigure, the numbers and OutputFile
/// @threads to be called on a worker
[[nodiscard]] Result<viz::FigureRecord> writeTogether(const FigureBundle& bundle, const std::filesystem::path& staging,
                                                      const std::filesystem::path& target);

} // namespace headscope::desktop
