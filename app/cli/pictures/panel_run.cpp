// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pictures/panel_run.h"

#include "app/cli/figure_files.h"
#include "app/cli/pictures/file_transaction.h"
#include "app/cli/pictures/followed_recipe.h"
#include "app/cli/pictures/page_recipe.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/text_table.h"
#include "viz/export/figure_presets.h"
#include "viz/export/panels/panel_figure.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace headscope::cli
{
namespace
{

/// One pass over the panels: each panel's verb hands over its figure, and the page draws all of them.
class PanelRun
{
public:
    PanelRun(const std::vector<PanelRecipe>& panels, const commands::FigureCommand& command,
             const CommonOptions& common, InputSearch& search, JobContext& job)
        : m_recipes(panels), m_command(command), m_common(common), m_search(search), m_job(job), m_files({}, {})
    {}

    Result<Answer> run()
    {
        HEADSCOPE_CHECK(prepare());
        HEADSCOPE_CHECK(checkOutputs());
        HEADSCOPE_CHECK(shareScale());
        for (std::size_t panel = 0; panel < m_panels.size(); ++panel)
        {
            HEADSCOPE_TRY(viz::FigureSpec spec, drawn(panel));
            m_texts.push_back(spec.options.recipe);
            m_drawn.push_back(std::move(spec));
        }
        HEADSCOPE_CHECK(write());
        m_files.isUndone = false;
        std::erase_if(m_files.written,
                      [](const std::filesystem::path& file) { return !std::filesystem::exists(file); });
        Json panels = Json::array();
        for (const PanelRecipe& panel : m_recipes)
            panels.push_back({{"verb", panel.recipe.verb}, {"recipe", panel.file.string()}});
        (*m_answer.json)["panels"] = std::move(panels);
        (*m_answer.json)["notices"] = m_answer.notices;
        tellFigure(m_answer, m_record, m_files.written, m_command.preset);
        m_answer.text = factsText({{"panels", std::to_string(m_recipes.size())}, {"output", m_command.output}});
        return std::move(m_answer);
    }

private:
    [[nodiscard]] bool shares(std::string_view what) const
    {
        return m_command.share == what || m_command.share == "all";
    }
    [[nodiscard]] std::filesystem::path target() const { return m_command.output; }
    [[nodiscard]] static Error ofPanel(std::size_t panel, Error error)
    {
        error.message = viz::ofPanel(static_cast<std::int64_t>(panel), error.message);
        return error;
    }

    Status prepare()
    {
        if (std::ssize(m_recipes) > viz::kMaxPanels)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected at most {} panels, found {}", viz::kMaxPanels, m_recipes.size()),
                         {},
                         "RECIPE"};
        if (const FigurePreset* preset = findPreset(m_command.preset))
            viz::applyPreset(*preset, m_page);
        m_page.text = m_command.text == "outlines" ? viz::FigureText::Outlines : viz::FigureText::Text;
        m_page.annotations = annotationsOf(m_command.annotate);
        const auto count = std::ssize(m_recipes);
        m_style.columns = viz::fittingColumns(count, m_page);
        if (m_command.columns != "auto")
        {
            const std::string& columns = m_command.columns;
            std::from_chars(columns.data(), columns.data() + columns.size(), m_style.columns);
            m_style.columns = std::clamp<std::int64_t>(m_style.columns, 1, count);
        }
        m_style.letters = m_command.letters == "plain"  ? viz::PanelLetters::Plain
                          : m_command.letters == "none" ? viz::PanelLetters::None
                                                        : viz::PanelLetters::Parentheses;
        m_style.shareLegend = shares("legend");
        return follow({}, m_command.files);
    }

    /// @param scale    colour limits of heatmaps that have none of their own; empty: as the recipes say
    /// @param numbers  whether the verbs write the numbers of their panels
    Status follow(const std::string& scale, bool numbers)
    {
        m_panels.clear();
        for (std::size_t i = 0; i < m_recipes.size(); ++i)
        {
            FigureWishes wishes;
            wishes.output = besidePanel(target(), i, target().extension().string()).string();
            wishes.preset = "none"; // the page has it
            wishes.text = "text";
            wishes.files = numbers;
            wishes.scale = scale;
            auto panel = FollowedRecipe::create(m_recipes[i].recipe, m_recipes[i].file, wishes, m_search);
            if (!panel)
                return ofPanel(i, std::move(panel).error());
            m_panels.push_back(std::move(*panel));
        }
        return m_search.checkAllUsed();
    }

    Status checkOutputs()
    {
        std::vector<std::filesystem::path> read;
        for (const FollowedRecipe& panel : m_panels)
            read.insert(read.end(), panel.files().begin(), panel.files().end());
        std::vector<std::filesystem::path> written = {target()};
        if (m_command.files)
        {
            written.push_back(besideFigure(target(), ".json"));
            written.push_back(besideFigure(target(), ".tex"));
            for (std::size_t i = 0; i < m_panels.size(); ++i)
                written.push_back(besidePanel(target(), i, ".csv"));
        }
        for (const std::filesystem::path& path : written)
            HEADSCOPE_CHECK(checkOutputPath(path, m_common.overwrite, read));
        m_files.before = filesThere(written);
        m_files.written = std::move(written);
        return {};
    }

    /// Gives heatmaps without limits of their own those of all of them together.
    Status shareScale()
    {
        const auto own = std::ranges::count_if(m_panels, &FollowedRecipe::hasOwnScale);
        if (!shares("scale") || own < 2)
            return {};
        HEADSCOPE_CHECK(follow({}, false));
        std::optional<viz::ScaleLimits> all;
        for (std::size_t i = 0; i < m_panels.size(); ++i)
        {
            if (!m_panels[i].hasOwnScale())
                continue;
            HEADSCOPE_TRY(const viz::FigureSpec spec, drawn(i));
            if (spec.limits)
                all =
                    all ? viz::ScaleLimits{std::min(all->low, spec.limits->low), std::max(all->high, spec.limits->high)}
                        : *spec.limits;
        }
        m_answer.notices.clear(); // each is told again
        return follow(all ? fmt::format("{},{}", all->low, all->high) : std::string(), m_command.files);
    }

    [[nodiscard]] CommonOptions panelOptions() const
    {
        CommonOptions options = m_common;
        options.overwrite = true; // of the numbers alone; what is there was asked for
        options.panel = {viz::panelInches(m_style.columns, m_page), m_page.scale,
                         m_page.text == viz::FigureText::Outlines};
        return options;
    }

    /// The figure of a panel's verb.
    Result<viz::FigureSpec> drawn(std::size_t panel)
    {
        auto answer = m_panels[panel].run(panelOptions(), m_job);
        if (!answer)
            return ofPanel(panel, std::move(answer).error());
        if (answer->panel == nullptr)
            return ofPanel(panel, {ErrorCode::Internal, "its verb drew no figure", {}, {}});
        tell(panel, *answer);
        return std::move(*answer->panel);
    }

    void tell(std::size_t panel, const Answer& answer)
    {
        for (const std::string& notice : answer.notices)
            m_answer.notices.push_back(viz::ofPanel(static_cast<std::int64_t>(panel), notice));
    }

    Status write()
    {
        HEADSCOPE_TRY(const std::string recipe, recipeOfPage(m_command, m_texts, {}));
        viz::FigureOptions options = m_page;
        options.overwrite = m_common.overwrite;
        options.recipe = recipe;
        HEADSCOPE_TRY(m_record, viz::writeFigure(viz::figureOfPanels(m_drawn, m_style), target(), options));
        if (!m_command.files)
            return {};
        return writePaperFiles(target(), recipe, m_record, m_command.preset);
    }

    const std::vector<PanelRecipe>& m_recipes;
    const commands::FigureCommand& m_command;
    const CommonOptions& m_common;
    InputSearch& m_search;
    JobContext& m_job;
    viz::FigureOptions m_page;
    viz::PanelStyle m_style;
    std::vector<FollowedRecipe> m_panels;
    std::vector<viz::FigureSpec> m_drawn;
    std::vector<std::string> m_texts;
    viz::FigureRecord m_record;
    FileTransaction m_files;
    Answer m_answer;
};

} // namespace

Result<Answer> runPanels(const std::vector<PanelRecipe>& panels, const commands::FigureCommand& command,
                         const CommonOptions& common, InputSearch& search, JobContext& job)
{
    return PanelRun(panels, command, common, search, job).run();
}

} // namespace headscope::cli
