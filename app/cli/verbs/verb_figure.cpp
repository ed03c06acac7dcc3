// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input_search.h"
#include "app/cli/read_verb.h"
#include "app/commands/figures/figure_command.h"
#include "app/results/figure_recipe.h"
#include "app/shell/option_table.h"
#include "app/shell/parse_words.h"
#include "app/shell/quoted_command.h"
#include "model/base/output/output_file.h"
#include "viz/export/embedded_recipe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

/// A verb that draws, and its option that names the figure.
struct Drawer
{
    std::string_view name;
    std::string_view output;
    std::unique_ptr<Verb> (*make)();
};

constexpr std::array kDrawers = {
    Drawer{"heads", "-o", makeHeadsVerb},
    Drawer{"heatmap", "-o", makeHeatmapVerb},
    Drawer{"inspect", "--figure", makeInspectVerb},
    Drawer{"layers", "-o", makeLayersVerb},
    Drawer{"match", "-o", makeMatchVerb},
    Drawer{"probe", "-o", makeProbeVerb},
    Drawer{"prune", "-o", makePruneVerb},
    Drawer{"similarity", "-o", makeSimilarityVerb},
    Drawer{"tsne", "-o", makeTsneVerb},
};

std::string& textOf(shell::OptionTable& table, std::string_view name)
{
    return *std::get<std::string*>(table.find(name)->target);
}

class FigureVerb : public VerbOf<commands::FigureCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(viz::figureFormat(m_command.output));
        const std::filesystem::path path = m_command.recipe;
        HEADSCOPE_TRY(const std::string text, viz::recipeTextOf(path));
        auto recipe = readRecipe(text);
        if (!recipe)
            return std::move(recipe).error().inFile(path.string());
        if (recipe->verb == kWindowVerb)
            return ofWindow();
        const auto* const drawer =
            std::ranges::find_if(kDrawers, [&recipe](const Drawer& each) { return each.name == recipe->verb; });
        if (drawer == kDrawers.end())
            return refused(fmt::format("found the verb \"{}\", which draws nothing", recipe->verb.substr(0, 40)));
        ReadVerb read(drawer->make());
        HEADSCOPE_CHECK(readOptions(read, *recipe, *drawer));
        HEADSCOPE_CHECK(placeInputs(read, *recipe, job));
        textOf(read.table, drawer->output) = m_command.output;
        if (m_command.preset != "recipe")
            textOf(read.table, "--preset") = m_command.preset;
        if (m_command.text != "recipe")
            textOf(read.table, "--text") = m_command.text;
        *std::get<bool*>(read.table.find("--recipe")->target) = m_command.files;
        CommonOptions own = common;
        own.seed = read.common.seed;
        HEADSCOPE_TRY(Answer answer, read.verb->run(own, job));
        if (recipe->headscope != HEADSCOPE_VERSION || recipe->qt != qVersion())
        {
            answer.notices.push_back(
                fmt::format("the recipe was made by Headscope {} with Qt {}, this is {} with Qt {}: the figure may "
                            "differ",
                            recipe->headscope.substr(0, 40), recipe->qt.substr(0, 40), HEADSCOPE_VERSION, qVersion()));
            (*answer.json)["notices"].push_back(answer.notices.back());
        }
        return answer;
    }

private:
    [[nodiscard]] Error refused(const std::string& what) const
    {
        return {ErrorCode::BadFormat, "expected the recipe of a figure, " + what, m_command.recipe, {}};
    }

    /// What to do with a figure that looks as the window did.
    [[nodiscard]] Error ofWindow() const
    {
        return {ErrorCode::InvalidArgument,
                fmt::format("expected a figure that a verb draws, found one that was saved from the window as it "
                            "looked there; it opens in the window again (drop it there, or type {}) and can be saved "
                            "from there",
                            shell::quotedCommand("headscope", std::vector<std::string>{m_command.recipe})),
                m_command.recipe,
                {}};
    }

    /// Fills the verb's options. A recipe asks for a figure and nothing else.
    [[nodiscard]] Status readOptions(ReadVerb& read, const FigureRecipe& recipe, const Drawer& drawer) const
    {
        const auto reading = shell::parseWords(read.table, recipe.words);
        if (!reading || *reading != shell::Reading::Done)
            return refused(fmt::format("found options that {} does not take: {}", recipe.verb,
                                       reading ? "--help" : reading.error().message));
        const ReadVerb fresh(drawer.make());
        for (std::size_t i = 0; i < read.table.rows().size(); ++i)
        {
            const shell::OptionRow& row = read.table.rows()[i];
            const shell::OptionRow& usual = fresh.table.rows()[i];
            const bool same = row.isFlag() ? *std::get<bool*>(row.target) == *std::get<bool*>(usual.target)
                                           : shell::valueWords(row.target) == shell::valueWords(usual.target);
            if (isLeftOutOfRecipes(row) && !same)
                return refused(fmt::format("found {} in it, which no figure is made of", row.typedName()));
        }
        return {};
    }

    /// Finds the files that the options name, each by its contents.
    [[nodiscard]] Status placeInputs(ReadVerb& read, const FigureRecipe& recipe, JobContext& job) const
    {
        InputSearch search(m_command.recipe, m_command.inputs, job);
        std::vector<RecordedName> names;
        std::vector<std::filesystem::path> files = {m_command.recipe};
        for (const shell::OptionRow& row : read.table.rows())
        {
            if (!namesInput(row))
                continue;
            std::string& value = *std::get<std::string*>(row.target);
            const std::string named = fileOf(value);
            const auto input = std::ranges::find_if(recipe.inputs, [&](const RecipeInput& each) {
                return each.option == row.typedName() && each.path == named;
            });
            if (input == recipe.inputs.end())
                return refused(fmt::format("found no hash of the file that {} names", row.typedName()));
            HEADSCOPE_TRY(const std::filesystem::path file, search.find(*input));
            names.push_back({file, named});
            files.push_back(file);
            value = file.string() + value.substr(named.size());
        }
        HEADSCOPE_CHECK(search.checkAllUsed());
        read.verb->setRecorded(std::move(names));
        for (const char* ending : {".csv", ".json", ".tex"})
            if (m_command.files)
                HEADSCOPE_CHECK(
                    checkIsNoInput(std::filesystem::path(m_command.output).replace_extension(ending), files));
        return checkIsNoInput(m_command.output, files);
    }
};

} // namespace

std::unique_ptr<Verb> makeFigureVerb()
{
    return std::make_unique<FigureVerb>();
}

} // namespace headscope::cli
