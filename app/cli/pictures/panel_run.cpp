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

/// What stops a pass that only asks for the limits of a heatmap's colours.
constexpr char kMeasured[] = "measured";

/// One pass over the panels: each panel's verb runs inside the drawing of the one before it, so that the data of all
/// are there when the page is painted.
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
        HEADSCOPE_CHECK(runFrom(0));
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
    [[nodiscard]] Error ofPanel(std::size_t panel, Error error) const
    {
        error.message = fmt::format("panel ({}): {}", viz::panelLetter(static_cast<std::int64_t>(panel)).toStdString(),
                                    error.message);
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
        return follow({});
    }

    /// @param scale  colour limits of heatmaps that have none of their own; empty: as the recipes say
    Status follow(const std::string& scale)
    {
        m_panels.clear();
        for (std::size_t i = 0; i < m_recipes.size(); ++i)
        {
            FigureWishes wishes;
            wishes.output = besidePanel(target(), i, target().extension().string()).string();
            wishes.preset = "none"; // the page has it
            wishes.text = "text";
            wishes.files = m_command.files;
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
        return {};
    }

    /// Gives heatmaps without limits of their own those of all of them together.
    Status shareScale()
    {
        const auto own = std::ranges::count_if(m_panels, &FollowedRecipe::hasOwnScale);
        if (!shares("scale") || own < 2)
            return {};
        std::optional<viz::ScaleLimits> all;
        for (std::size_t i = 0; i < m_panels.size(); ++i)
        {
            if (!m_panels[i].hasOwnScale())
                continue;
            viz::FigureSink sink = sinkOf([&all](const viz::PanelOffer& panel) -> Status {
                if (panel.limits)
                    all = all ? viz::ScaleLimits{std::min(all->low, panel.limits->low),
                                                 std::max(all->high, panel.limits->high)}
                              : *panel.limits;
                return Error{ErrorCode::Cancelled, kMeasured, {}, {}};
            });
            const viz::FigureSinkScope scope(&sink);
            const auto answer = m_panels[i].run(panelOptions(), m_job);
            if (!answer && answer.error().message != kMeasured)
                return ofPanel(i, answer.error());
        }
        return all ? follow(fmt::format("{},{}", all->low, all->high)) : Status();
    }

    [[nodiscard]] viz::FigureSink sinkOf(std::function<Status(const viz::PanelOffer&)> take) const
    {
        return {std::move(take), viz::panelInches(m_style.columns, m_page), m_page.scale, m_page.text};
    }

    [[nodiscard]] CommonOptions panelOptions() const
    {
        CommonOptions options = m_common;
        options.overwrite = true; // of the numbers alone; what is there was asked for
        return options;
    }

    Status runFrom(std::size_t panel)
    {
        if (panel == m_panels.size())
            return write();
        bool reached = false;
        const viz::FigureSink sink = sinkOf([this, panel, &reached](const viz::PanelOffer& offer) -> Status {
            reached = true;
            m_drawn.push_back({offer.drawing, viz::contentHeight(offer.options),
                               offer.legend != nullptr ? std::optional(*offer.legend) : std::nullopt,
                               offer.options.caption});
            m_texts.push_back(offer.options.recipe);
            return runFrom(panel + 1);
        });
        const viz::FigureSinkScope scope(&sink);
        auto answer = m_panels[panel].run(panelOptions(), m_job);
        if (!answer)
            return m_failure ? *m_failure : *(m_failure = ofPanel(panel, std::move(answer).error()));
        if (!reached)
            return *(m_failure = ofPanel(panel, {ErrorCode::Internal, "its verb drew no figure", {}, {}}));
        tell(panel, *answer);
        return {};
    }

    /// Notices in the order of the panels: the last panel ends first.
    void tell(std::size_t panel, const Answer& answer)
    {
        std::vector<std::string> said;
        for (const std::string& notice : answer.notices)
            said.push_back(fmt::format("panel ({}): {}",
                                       viz::panelLetter(static_cast<std::int64_t>(panel)).toStdString(), notice));
        m_answer.notices.insert(m_answer.notices.begin(), said.begin(), said.end());
    }

    Status write()
    {
        HEADSCOPE_TRY(const std::string recipe, recipeOfPage(m_command, m_texts, {}));
        viz::FigureOptions options = m_page;
        options.overwrite = m_common.overwrite;
        options.recipe = recipe;
        options.record = &m_record;
        HEADSCOPE_CHECK(viz::exportPanels(m_drawn, m_style, target(), options));
        m_files.written.push_back(target());
        if (!m_command.files)
            return {};
        const bool wide = m_command.preset.ends_with("-page");
        HEADSCOPE_CHECK(writeFileAtomically(besideFigure(target(), ".json"), recipe));
        m_files.written.push_back(besideFigure(target(), ".json"));
        HEADSCOPE_CHECK(
            writeLatexFile(besideFigure(target(), ".tex"), latexFigure(target().filename(), m_record, wide)));
        m_files.written.push_back(besideFigure(target(), ".tex"));
        for (std::size_t i = 0; i < m_panels.size(); ++i) // which their verbs write when they go on
            m_files.written.push_back(besidePanel(target(), i, ".csv"));
        return {};
    }

    const std::vector<PanelRecipe>& m_recipes;
    const commands::FigureCommand& m_command;
    const CommonOptions& m_common;
    InputSearch& m_search;
    JobContext& m_job;
    viz::FigureOptions m_page;
    viz::PanelStyle m_style;
    std::vector<FollowedRecipe> m_panels;
    std::vector<viz::Panel> m_drawn;
    std::vector<std::string> m_texts;
    std::optional<Error> m_failure; ///< of the innermost panel that failed: the others only pass it on
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
