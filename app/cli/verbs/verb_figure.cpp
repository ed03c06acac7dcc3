// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figure_files.h"
#include "app/cli/input_search.h"
#include "app/cli/pictures/followed_recipe.h"
#include "app/cli/pictures/panel_run.h"
#include "app/cli/pictures/window_figure.h"
#include "app/commands/figures/figure_command.h"
#include "app/shell/parse_words.h"
#include "model/base/fields/fields.h"
#include "model/base/output/output_file.h"
#include "viz/export/embedded_recipe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

constexpr char kAuto[] = "auto";

Error refused(const std::filesystem::path& file, const std::string& what)
{
    return {ErrorCode::BadFormat, "expected the recipe of a figure of panels, " + what, file.string(), {}};
}

class FigureVerb : public VerbOf<commands::FigureCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(viz::figureFormat(m_command.output));
        InputSearch search(m_command.inputs, job);
        std::vector<PanelRecipe> panels;
        for (const std::string& file : m_command.recipes)
        {
            HEADSCOPE_TRY(FigureRecipe recipe, recipeInFile(file));
            panels.push_back({std::move(recipe), file});
        }
        if (panels.size() > 1)
            return runPanels(panels, asTyped(m_command), common, search, job);
        return panels.front().recipe.panels.empty() ? runOne(panels.front(), common, search, job)
                                                    : runAgain(panels.front(), common, search, job);
    }

private:
    /// Of panels that were put together just now.
    [[nodiscard]] static commands::FigureCommand asTyped(commands::FigureCommand command)
    {
        if (command.letters == kAuto)
            command.letters = "paren";
        if (command.share == kAuto)
            command.share = "legend";
        return command;
    }

    /// A figure of one panel, as its verb draws it.
    [[nodiscard]] Result<Answer> runOne(const PanelRecipe& panel, const CommonOptions& common, InputSearch& search,
                                        JobContext& job) const
    {
        for (const auto& [name, value] :
             {std::pair("--columns", &m_command.columns), std::pair("--letters", &m_command.letters),
              std::pair("--share", &m_command.share)})
            if (*value != kAuto)
                return wrongUse(name,
                                "expected several recipes, or the recipe of a figure with several panels; found the "
                                "recipe of a single panel");
        if (panel.recipe.verb == kWindowVerb)
            return runWindowFigure(panel.recipe, panel.file, m_command, common, search, job);
        const FigureWishes wishes{m_command.output, m_command.preset, m_command.text, m_command.files,
                                  m_command.annotate};
        HEADSCOPE_TRY(const FollowedRecipe followed, FollowedRecipe::create(panel.recipe, panel.file, wishes, search));
        HEADSCOPE_CHECK(search.checkAllUsed());
        for (const char* ending : kBesideEndings)
            if (m_command.files)
                HEADSCOPE_CHECK(checkIsNoInput(besideFigure(m_command.output, ending), followed.files()));
        HEADSCOPE_CHECK(checkIsNoInput(m_command.output, followed.files()));
        CommonOptions again = common;
        if (isUnchanged(panel.recipe))
        {
            HEADSCOPE_TRY(again.recipe, viz::recipeTextOf(panel.file));
        }
        return followed.run(again, job);
    }

    /// Whether the figure is to be what the recipe says, by the version that made it.
    [[nodiscard]] bool isUnchanged(const FigureRecipe& recipe) const
    {
        return m_command.preset == "recipe" && m_command.text == "recipe" && m_command.annotate.empty() &&
               recipe.headscope == HEADSCOPE_VERSION && recipe.qt == qVersion();
    }

    /// A figure of panels from its recipe, with what is typed in place of what stands there.
    [[nodiscard]] Result<Answer> runAgain(const PanelRecipe& page, const CommonOptions& common, InputSearch& search,
                                          JobContext& job) const
    {
        HEADSCOPE_TRY(commands::FigureCommand command, recordedCommand(page));
        command.output = m_command.output;
        command.files = m_command.files;
        for (const auto& [typed, recorded, usual] : {std::tuple(&m_command.preset, &command.preset, "recipe"),
                                                     std::tuple(&m_command.text, &command.text, "recipe"),
                                                     std::tuple(&m_command.columns, &command.columns, kAuto),
                                                     std::tuple(&m_command.letters, &command.letters, kAuto),
                                                     std::tuple(&m_command.share, &command.share, kAuto)})
            if (*typed != usual)
                *recorded = *typed;
        command.annotate.insert(command.annotate.end(), m_command.annotate.begin(), m_command.annotate.end());
        std::vector<PanelRecipe> panels;
        for (const std::string& text : page.recipe.panels)
        {
            auto recipe = readRecipe(text);
            if (!recipe)
                return std::move(recipe).error().inFile(page.file.string());
            panels.push_back({std::move(*recipe), page.file});
        }
        return runPanels(panels, asTyped(std::move(command)), common, search, job);
    }

    /// How a recipe says that panels stand: nothing else is taken from it.
    [[nodiscard]] static Result<commands::FigureCommand> recordedCommand(const PanelRecipe& page)
    {
        if (page.recipe.verb != kPanelsVerb)
            return refused(page.file, fmt::format("found the verb \"{}\" with panels", page.recipe.verb.substr(0, 40)));
        commands::FigureCommand command;
        Fields table;
        command.declare(table);
        std::vector<std::string> words = {"PANEL"};
        words.insert(words.end(), page.recipe.words.begin(), page.recipe.words.end());
        words.insert(words.end(), {"-o", "PAGE.pdf"});
        const auto reading = shell::parseWords(table, words);
        if (!reading || *reading != shell::Reading::Done)
            return refused(page.file, "found options that figure does not take: " +
                                          (reading ? std::string("--help") : reading.error().message));
        if (command.recipes.size() != 1 || !command.inputs.empty() || command.files || command.output != "PAGE.pdf")
            return refused(page.file, "found files among its options");
        return command;
    }
};

} // namespace

std::unique_ptr<Verb> makeFigureVerb()
{
    return std::make_unique<FigureVerb>();
}

} // namespace headscope::cli
