// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pictures/followed_recipe.h"

#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/shell/parse_words.h"
#include "model/base/output/output_file.h"
#include "viz/export/embedded_recipe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

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
    Drawer{"card", "-o", makeCardVerb},
    Drawer{"circuits", "-o", makeCircuitsVerb},
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

constexpr std::string_view kScale = "--scale";
constexpr std::string_view kDataScale = "data";

std::string& textOf(Fields& table, std::string_view name)
{
    return *std::get<std::string*>(table.find(name)->target);
}

Error refused(const std::filesystem::path& file, const std::string& what)
{
    return {ErrorCode::BadFormat, "expected the recipe of a figure, " + what, file.string(), {}};
}

/// Fills the verb's options. A recipe asks for a figure and nothing else.
Status readOptions(ReadVerb& read, const FigureRecipe& recipe, const Drawer& drawer, const std::filesystem::path& file)
{
    const auto reading = shell::parseWords(read.table, recipe.words);
    if (!reading || *reading != shell::Reading::Done)
        return refused(file, fmt::format("found options that {} does not take: {}", recipe.verb,
                                         reading ? "--help" : reading.error().message));
    const ReadVerb fresh(drawer.make());
    for (const FieldDifference& each : differences(read.table, fresh.table, kCommandUse))
        if (isLeftOutOfRecipes(*each.field))
            return refused(file, fmt::format("found {}, which is not an option of a figure", each.field->typedName()));
    return {};
}

/// Finds the files that the options name, each by its contents.
/// @return all files that are read
Result<std::vector<std::filesystem::path>> placeInputs(ReadVerb& read, const FigureRecipe& recipe,
                                                       const std::filesystem::path& recipeFile, InputSearch& search)
{
    std::vector<RecordedName> names;
    std::vector<std::filesystem::path> files = {recipeFile};
    for (const Field& row : read.table.options())
    {
        for (std::string* value : inputsOf(row))
        {
            const std::string named = fileOf(*value);
            const auto input = std::ranges::find_if(recipe.inputs, [&](const RecipeInput& each) {
                return each.option == row.typedName() && each.path == named;
            });
            if (input == recipe.inputs.end())
                return refused(recipeFile, fmt::format("found no hash of the file that {} names", row.typedName()));
            HEADSCOPE_TRY(const std::filesystem::path file, search.find(*input, recipeFile));
            names.push_back({file, named});
            files.push_back(file);
            *value = file.string() + value->substr(named.size());
        }
        if (std::string* model = row.text(); model != nullptr && !model->empty() && row.typedName() == "--model")
        {
            HEADSCOPE_TRY(const std::filesystem::path place, search.findModel(*model));
            names.push_back({place, *model});
            files.push_back(place);
            *model = place.string();
        }
    }
    read.verb->setRecorded(std::move(names));
    return files;
}

void wish(ReadVerb& read, const Drawer& drawer, const FigureWishes& wishes)
{
    textOf(read.table, drawer.output) = wishes.output;
    if (wishes.preset != "recipe")
        textOf(read.table, "--preset") = wishes.preset;
    if (wishes.text != "recipe")
        textOf(read.table, "--text") = wishes.text;
    *std::get<bool*>(read.table.find("--recipe")->target) = wishes.files;
    auto& annotate = *std::get<std::vector<std::string>*>(read.table.find("--annotate")->target);
    annotate.insert(annotate.end(), wishes.annotate.begin(), wishes.annotate.end());
    if (!wishes.scale.empty() && drawer.name == "heatmap" && textOf(read.table, kScale) == kDataScale)
        textOf(read.table, kScale) = wishes.scale;
}

} // namespace

Result<FigureRecipe> recipeInFile(const std::filesystem::path& file)
{
    HEADSCOPE_TRY(const std::string text, viz::recipeTextOf(file));
    auto recipe = readRecipe(text);
    if (recipe)
        return recipe;
    const std::string ending = file.extension().string();
    if (!viz::figureFormat(file) && ending != ".json")
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected a recipe (.json), or a figure with its recipe inside (.pdf, .svg, .png), found "
                        "a file ending in \"{}\"",
                        ending),
            file.string(),
            {}};
    return std::move(recipe).error().inFile(file.string());
}

Result<FollowedRecipe> FollowedRecipe::create(const FigureRecipe& recipe, const std::filesystem::path& file,
                                              const FigureWishes& wishes, InputSearch& search)
{
    if (recipe.verb == kWindowVerb)
        return Error{ErrorCode::InvalidArgument,
                     "expected a figure that a verb draws as a panel, found one that was saved from the window; "
                     "combine such figures in the window (File menu, Figures)",
                     file.string(),
                     {}};
    if (!recipe.panels.empty())
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected a figure with a single panel, found {} panels; a figure with several panels cannot "
                        "be used as a panel",
                        recipe.panels.size()),
            file.string(),
            {}};
    const auto* const drawer =
        std::ranges::find_if(kDrawers, [&recipe](const Drawer& each) { return each.name == recipe.verb; });
    if (drawer == kDrawers.end())
        return refused(file, fmt::format("found the verb \"{}\", whose figures this command does not make",
                                         recipe.verb.substr(0, 40)));
    auto read = std::make_unique<ReadVerb>(drawer->make());
    HEADSCOPE_CHECK(readOptions(*read, recipe, *drawer, file));
    HEADSCOPE_TRY(std::vector<std::filesystem::path> files, placeInputs(*read, recipe, file, search));
    wish(*read, *drawer, wishes);
    return FollowedRecipe(recipe, std::move(read), std::move(files));
}

bool FollowedRecipe::hasOwnScale() const
{
    return m_recipe.verb == "heatmap" && textOf(m_read->table, kScale) == kDataScale;
}

Result<Answer> FollowedRecipe::run(const CommonOptions& common, JobContext& job) const
{
    CommonOptions own = common;
    own.seed = m_read->common.seed;
    HEADSCOPE_TRY(Answer answer, m_read->verb->run(own, job));
    if (m_recipe.headscope != HEADSCOPE_VERSION || m_recipe.qt != qVersion())
    {
        answer.notices.push_back(fmt::format("the recipe was made by Headscope {} with Qt {}, but this is Headscope {} "
                                             "with Qt {}: the figure may differ",
                                             m_recipe.headscope.substr(0, 40), m_recipe.qt.substr(0, 40),
                                             HEADSCOPE_VERSION, qVersion()));
        (*answer.json)["notices"].push_back(answer.notices.back());
    }
    return answer;
}

} // namespace headscope::cli
