// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/panel_page.h"

#include "app/cli/figure_files.h"
#include "app/cli/pictures/page_recipe.h"
#include "app/desktop/shell/save_job.h"
#include "model/base/output/output_file.h"
#include "ui/words/wording.h"
#include "viz/export/figure_presets.h"
#include "viz/export/panels/figure_sink.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace headscope::desktop
{
namespace
{

using Companies = std::vector<std::shared_ptr<FigureBundle>>;

/// Each panel's view is drawn inside the drawing of the one before it, so that the data of all are there when the page
/// is painted.
class PageWriter
{
public:
    PageWriter(const PanelPage& page, const Companies& panels, std::filesystem::path target)
        : m_page(page), m_panels(panels), m_target(std::move(target))
    {}

    Status run() { return runFrom(0); }

private:
    [[nodiscard]] static Error ofPanel(std::size_t panel, Error error)
    {
        error.message = fmt::format("panel ({}): {}",
                                    ui::toStdString(viz::panelLetter(static_cast<std::int64_t>(panel))), error.message);
        return error;
    }

    Status runFrom(std::size_t panel)
    {
        if (panel == m_panels.size())
            return viz::exportPanels(m_drawn, m_page.style, m_target, m_page.options);
        bool reached = false;
        const viz::FigureSink sink{
            [this, panel, &reached](const viz::PanelOffer& offer) -> Status {
                reached = true;
                m_drawn.push_back({offer.drawing, viz::contentHeight(offer.options),
                                   offer.legend != nullptr ? std::optional(*offer.legend) : std::nullopt,
                                   offer.options.caption});
                return runFrom(panel + 1);
            },
            viz::panelInches(m_page.style.columns, m_page.options), m_page.options.scale, m_page.options.text};
        const viz::FigureSinkScope scope(&sink);
        if (Status drawn = m_panels[panel]->writes.front()(); !drawn)
            return m_failure ? *m_failure : *(m_failure = ofPanel(panel, std::move(drawn).error()));
        if (!reached)
            return *(m_failure = ofPanel(panel, {ErrorCode::Internal, "its view drew no figure", {}, {}}));
        return {};
    }

    const PanelPage& m_page;
    const Companies& m_panels;
    std::filesystem::path m_target;
    std::vector<viz::Panel> m_drawn;
    std::optional<Error> m_failure; ///< of the innermost panel that failed: the others only pass it on
};

Result<std::string> recipeOf(const SavedFigure& figure, const Companies& panels)
{
    commands::FigureCommand command;
    if (!figure.size.preset.empty())
        command.preset = figure.size.preset;
    command.columns = figure.columns > 0 ? std::to_string(figure.columns) : "auto";
    command.letters = "paren";
    command.share = "legend";
    std::vector<std::string> texts;
    for (const auto& panel : panels)
        texts.push_back(panel->recipe);
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

Status writePage(const SavedFigure& figure, const Companies& panels, const std::filesystem::path& staging)
{
    const std::filesystem::path target = ui::toStdString(figure.file);
    const std::filesystem::path staged = staging / target.filename();
    PanelPage page = pageOf(figure);
    viz::FigureRecord record;
    HEADSCOPE_TRY(page.options.recipe, recipeOf(figure, panels));
    page.options.record = &record;
    HEADSCOPE_CHECK(PageWriter(page, panels, staged).run());
    if (figure.size.files)
    {
        for (const auto& panel : panels)
            for (std::size_t numbers = 1; numbers < panel->writes.size(); ++numbers)
                HEADSCOPE_CHECK(panel->writes[numbers]());
        const bool wide = figure.size.preset.ends_with("-page");
        HEADSCOPE_CHECK(writeFileAtomically(cli::besideFigure(staged, ".json"), page.options.recipe));
        HEADSCOPE_CHECK(
            writeLatexFile(cli::besideFigure(staged, ".tex"), cli::latexFigure(target.filename(), record, wide)));
    }
    std::vector<std::filesystem::path> files = {staged, cli::besideFigure(staged, ".json"),
                                                cli::besideFigure(staged, ".tex")};
    for (std::size_t panel = 0; panel < panels.size(); ++panel)
        files.push_back(cli::besidePanel(staged, panel, ".csv"));
    return publishFiles(files, target.parent_path());
}

} // namespace headscope::desktop
