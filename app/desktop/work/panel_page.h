// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/figure_bundle.h"
#include "app/desktop/shell/saved_figure.h"
#include "app/desktop/shell/view_controller.h"
#include "model/base/result.h"
#include "viz/export/panels/panel_figure.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace headscope::desktop
{

/// How panels of views are on the page of this figure.
struct PanelPage
{
    viz::FigureOptions options;
    viz::PanelStyle style;
    PanelPlace place; ///< of each panel
};

/// @pre the figure has panels
[[nodiscard]] PanelPage pageOf(const SavedFigure& figure);

/// Draws panels that were collected into one figure with its recipe, and where that is wanted the numbers of each panel
/// (FILE-a.csv ...), recipe and LaTeX next to it: all of it, or nothing is changed.
/// @param panels   in the order of figure.panels, with the numbers written into `staging`
/// @param staging  a folder of their own
/// @errors those of the panels, with their letter, and of writeFigure and OutputFile
/// @threads to be called on a worker
[[nodiscard]] Status writePage(const SavedFigure& figure,
                               const std::vector<std::shared_ptr<const FigureBundle>>& panels,
                               const std::filesystem::path& staging);

} // namespace headscope::desktop
