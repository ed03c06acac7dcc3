// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/input_search.h"
#include "app/cli/read_verb.h"
#include "app/results/figure_recipe.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope::cli
{

/// What becomes of a figure besides what its recipe says.
struct FigureWishes
{
    std::string output; ///< the figure's file
    std::string preset = "recipe";
    std::string text = "recipe";
    bool files = false; ///< also .csv, .json and .tex
    std::vector<std::string> annotate{};
    std::string scale = {}; ///< colour limits of a heatmap whose recipe names none; empty: its own
};

/// The recipe of a file: that inside a figure, or the file itself.
/// @errors those of recipeTextOf and readRecipe, with the file's name
[[nodiscard]] Result<FigureRecipe> recipeInFile(const std::filesystem::path& file);

/// A recipe as a command that is ready to run: its verb with its options, its files found by their contents.
class FollowedRecipe
{
public:
    /// @param file  of the recipe; its folder is one of the places of its files
    /// @errors BadFormat (a verb that draws nothing, options it does not take or no figure depends on, a file without a
    ///         hash), InvalidArgument (saved from the window, made of panels), those of InputSearch and checkIsNoInput
    [[nodiscard]] static Result<FollowedRecipe> create(const FigureRecipe& recipe, const std::filesystem::path& file,
                                                       const FigureWishes& wishes, InputSearch& search);

    [[nodiscard]] const std::string& verb() const { return m_recipe.verb; }
    /// Every file that it reads, its own among them.
    [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return m_files; }
    /// Whether it draws a heatmap in colours of its own.
    [[nodiscard]] bool hasOwnScale() const;
    /// Runs the verb by the recipe's seed. Another version that made it is told in the notices.
    [[nodiscard]] Result<Answer> run(const CommonOptions& common, JobContext& job) const;

private:
    FollowedRecipe(FigureRecipe recipe, std::unique_ptr<ReadVerb> read, std::vector<std::filesystem::path> files)
        : m_recipe(std::move(recipe)), m_read(std::move(read)), m_files(std::move(files))
    {}

    FigureRecipe m_recipe;
    std::unique_ptr<ReadVerb> m_read;
    std::vector<std::filesystem::path> m_files;
};

} // namespace headscope::cli
