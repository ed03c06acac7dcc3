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

/// What goes with a view that is saved as a figure: the recipe inside, and where that is wanted the files beside it,
/// the same that the verbs write (app/cli/figure_files.h).
struct FigureBundle
{
    std::string recipe;
    ui::FigureSize size{}; ///< with or without .csv, .json and .tex
    double scale = 0;      ///< of a panel that of its page (FigureOptions::scale); 0: a figure of its own
    std::shared_ptr<viz::FigureRecord> record = std::make_shared<viz::FigureRecord>();
    /// With files, what SaveJob was asked to write: it is done together (writeTogether), not at once.
    mutable std::vector<std::function<Status()>> writes{};
};

/// While it lives, figureOptions() has the recipe, and with files SaveJob collects what it is asked to write: the files
/// of a figure come from the very functions that save the view.
class CompanyScope
{
public:
    CompanyScope(Study& study, const FigureBundle& company) : m_study(study) { m_study.setCompany(&company); }
    ~CompanyScope() { m_study.setCompany(nullptr); }
    CompanyScope(const CompanyScope&) = delete;
    CompanyScope& operator=(const CompanyScope&) = delete;

private:
    Study& m_study;
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

/// Puts files of a folder beside each other into another one, all at once and in place of what is there: where one
/// cannot be written, nothing has changed. Those that are not there are left out.
/// @errors those of OutputFile
[[nodiscard]] Status publishFiles(const std::vector<std::filesystem::path>& staged,
                                  const std::filesystem::path& folder);

/// Does what was collected, in a folder of its own, adds recipe and LaTeX, and puts all of it beside each other at
/// once: where anything fails before that, nothing is there or has changed.
/// @param staging  the folder; the figure is written there under the name of `target`
/// @errors those of the writes and of OutputFile
/// @threads to be called on a worker
[[nodiscard]] Status writeTogether(const FigureBundle& company, const std::filesystem::path& staging,
                                   const std::filesystem::path& target);

} // namespace headscope::desktop
