// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/panel_page.h"

#include "app/cli/figure_files.h"
#include "app/cli/pictures/page_recipe.h"
#include "app/desktop/shell/save_job.h"
#include "ui/words/wording.h"
#include "viz/export/figure_presets.h"

#include <string>
#include <utility>

namespace headscope::desktop
{
namespace
{

using Bundles = std::vector<std::shared_ptr<const FigureBundle>>;

/// What the panels draw for a page of this format.
Result<std::vector<viz::FigureSpec>> drawn(const Bundles& panels, viz::FigureFormat format)
{
    std::vector<viz::FigureSpec> specs;
    for (const auto& panel : panels)
    {
        viz::FigureOptions options = panel->options;
        options.format = format;
        auto spec = viz::specOf(panel->figure, std::move(options));
        if (!spec)
        {
            Error error = std::move(spec).error();
            error.message = viz::ofPanel(std::ssize(specs), error.message);
            return error;
        }
        specs.push_back(std::move(*spec));
    }
    return specs;
}

Result<std::string> recipeOf(const SavedFigure& figure, const Bundles& panels)
{
    commands::FigureCommand command;
    if (!figure.size.preset.empty())
        command.preset = figure.size.preset;
    command.columns = figure.columns > 0 ? std::to_string(figure.columns) : "auto";
    command.letters = "paren";
    command.share = "legend";
    std::vector<std::string> texts;
    for (const auto& panel : panels)
        texts.push_back(panel->options.recipe);
    Provenance parameters;
    parameters.add("width_mm", figure.size.widthMm);
    parameters.add("dpi", std::int64_t{figure.size.dpi});
    return cli::recipeOfPage(std::move(command), std::move(texts), parameters);
}

} // namespace

PanelPage pageOf(const SavedFigure& figure)
{
    constexpr double kMmPerInch = 25.4;
    PanelPage page{figureOptions(figure.size), {}, {}};
    const auto count = std::ssize(figure.panels);
    page.style.columns =
        figure.columns > 0 ? std::min<std::int64_t>(figure.columns, count) : viz::fittingColumns(count, page.options);
    page.place = {viz::panelInches(page.style.columns, page.options) * kMmPerInch, page.options.scale, figure.size.dpi};
    return page;
}

Status writePage(const SavedFigure& figure, const Bundles& panels, const std::filesystem::path& staging)
{
    const std::filesystem::path target = ui::toStdString(figure.file);
    const std::filesystem::path staged = staging / target.filename();
    PanelPage page = pageOf(figure);
    HEADSCOPE_TRY(page.options.recipe, recipeOf(figure, panels));
    HEADSCOPE_TRY(const viz::FigureFormat format, viz::figureFormat(staged));
    HEADSCOPE_TRY(std::vector<viz::FigureSpec> specs, drawn(panels, format));
    HEADSCOPE_TRY(const viz::FigureRecord record,
                  viz::writeFigure(viz::figureOfPanels(std::move(specs), page.style), staged, page.options));
    if (figure.size.files)
    {
        for (const auto& panel : panels)
            if (panel->numbers)
                HEADSCOPE_CHECK(panel->numbers());
        HEADSCOPE_CHECK(cli::writePaperFiles(staged, page.options.recipe, record, figure.size.preset));
    }
    std::vector<std::filesystem::path> files = {staged, cli::besideFigure(staged, ".json"),
                                                cli::besideFigure(staged, ".tex")};
    for (std::size_t panel = 0; panel < panels.size(); ++panel)
        files.push_back(cli::besidePanel(staged, panel, ".csv"));
    return publishFiles(files, target.parent_path());
}

} // namespace headscope::desktop
