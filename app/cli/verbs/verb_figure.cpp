// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"
#include "app/commands/figures/figure_command.h"
#include "app/results/figure_recipe.h"
#include "app/shell/option_table.h"
#include "app/shell/parse_words.h"
#include "model/base/file.h"
#include "model/base/output/output_file.h"
#include "viz/export/embedded_recipe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <system_error>
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

/// A verb with its options, as a recipe or nobody typed them.
struct ReadVerb
{
    std::unique_ptr<Verb> verb;
    CommonOptions common;
    shell::OptionTable table;

    explicit ReadVerb(const Drawer& drawer) : verb(drawer.make())
    {
        verb->declare(table);
        common.declare(table);
    }
};

std::string& textOf(shell::OptionTable& table, std::string_view name)
{
    return *std::get<std::string*>(table.find(name)->target);
}

bool isWhole(const std::filesystem::path& file)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored);
}

/// The text of a recipe, or of that inside a figure.
Result<std::string> textOfRecipe(const std::filesystem::path& path)
{
    constexpr std::uint64_t kMostFigure = std::uint64_t{1} << 28;
    const auto format = viz::figureFormat(path);
    HEADSCOPE_TRY(const std::string bytes, readTextFile(path, format ? kMostFigure : viz::kMostRecipeBytes));
    if (!format)
        return bytes;
    auto text = viz::recipeOf(QByteArray::fromRawData(bytes.data(), std::ssize(bytes)), *format);
    return text ? std::move(text) : std::move(text).error().inFile(path.string());
}

/// Where the files of a recipe lie now.
class InputSearch
{
public:
    InputSearch(const std::filesystem::path& recipe, const std::vector<std::string>& given, JobContext& job)
        : m_folder(recipe.parent_path()), m_given(given), m_used(given.size(), false), m_job(job)
    {}

    /// @errors FileNotFound (it is nowhere), InvalidArgument (it changed), those of recipeHash
    Result<std::filesystem::path> find(const RecipeInput& input)
    {
        for (std::size_t i = 0; i < m_given.size(); ++i)
        {
            HEADSCOPE_TRY(const bool is, holds(m_given[i], input));
            if (is)
            {
                m_used[i] = true;
                return std::filesystem::path(m_given[i]);
            }
        }
        std::filesystem::path changed;
        for (const auto& place : {std::filesystem::path(input.path), m_folder / input.path,
                                  m_folder / std::filesystem::path(input.path).filename()})
        {
            if (!isWhole(place))
                continue;
            HEADSCOPE_TRY(const bool is, holds(place, input));
            if (is)
                return place;
            changed = place;
        }
        if (!changed.empty())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected the file that the figure was made from ({}), found other contents: it "
                                     "changed since; --input PATH names a copy of the old one",
                                     input.hash.substr(0, 80)),
                         changed.string(), input.option};
        return Error{ErrorCode::FileNotFound,
                     "the figure was made from this file, which is not here; --input PATH says where it lies now",
                     input.path, input.option};
    }

    /// @errors WrongUse (a file that the figure was not made from)
    [[nodiscard]] Status checkAllUsed() const
    {
        for (std::size_t i = 0; i < m_given.size(); ++i)
            if (!m_used[i])
                return wrongUse("--input", fmt::format("expected a file that the figure was made from, found {}, which "
                                                       "has other contents",
                                                       m_given[i]));
        return {};
    }

private:
    /// @errors those of recipeHash, but for a file that is no cache
    [[nodiscard]] Result<bool> holds(const std::filesystem::path& file, const RecipeInput& input) const
    {
        const bool cache = input.hash.starts_with("origin:");
        auto hash = recipeHash(file, cache ? "CACHE" : "", nullptr, m_job);
        if (!hash && cache && hash.error().code == ErrorCode::BadFormat)
            return false;
        if (!hash)
            return std::move(hash).error();
        return *hash == input.hash;
    }

    std::filesystem::path m_folder;
    const std::vector<std::string>& m_given;
    std::vector<bool> m_used;
    JobContext& m_job;
};

class FigureVerb : public VerbOf<commands::FigureCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(viz::figureFormat(m_command.output));
        const std::filesystem::path path = m_command.recipe;
        HEADSCOPE_TRY(const std::string text, textOfRecipe(path));
        auto recipe = readRecipe(text);
        if (!recipe)
            return std::move(recipe).error().inFile(path.string());
        const auto* const drawer =
            std::ranges::find_if(kDrawers, [&recipe](const Drawer& each) { return each.name == recipe->verb; });
        if (drawer == kDrawers.end())
            return refused(fmt::format("found the verb \"{}\", which draws nothing", recipe->verb.substr(0, 40)));
        ReadVerb read(*drawer);
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

    /// Fills the verb's options. A recipe asks for a figure and nothing else.
    [[nodiscard]] Status readOptions(ReadVerb& read, const FigureRecipe& recipe, const Drawer& drawer) const
    {
        const auto reading = shell::parseWords(read.table, recipe.words);
        if (!reading || *reading != shell::Reading::Done)
            return refused(fmt::format("found options that {} does not take: {}", recipe.verb,
                                       reading ? "--help" : reading.error().message));
        const ReadVerb fresh(drawer);
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
