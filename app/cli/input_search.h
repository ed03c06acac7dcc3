// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/figure_recipe.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headscope::cli
{

/// Folders in which files of recipes are looked for last: those of the demos that come with the program. Once, before
/// any verb runs.
void setInputPlaces(std::vector<std::filesystem::path> folders);

/// Where the files of a recipe lie now: each is known by its contents.
class InputSearch
{
public:
    /// @param given  files to try first; they are there
    InputSearch(std::vector<std::string> given, JobContext& job)
        : m_given(std::move(given)), m_used(m_given.size(), false), m_job(job)
    {}

    /// Tries those given, the path as it is, and the recipe's folder.
    /// @param recipe  the file of the recipe, or the figure
    /// @errors FileNotFound (it is nowhere), InvalidArgument (it changed), those of recipeHash
    [[nodiscard]] Result<std::filesystem::path> find(const RecipeInput& input, const std::filesystem::path& recipe);
    /// A model, known by its name: one of those given, because no recipe decides which model is run.
    /// @errors FileNotFound (it was not given)
    [[nodiscard]] Result<std::filesystem::path> findModel(const std::filesystem::path& name);
    /// @errors WrongUse (a file that the figure was not made from)
    [[nodiscard]] Status checkAllUsed() const;

private:
    /// @errors those of recipeHash, but for a file that is no cache
    [[nodiscard]] Result<bool> holds(const std::filesystem::path& file, const RecipeInput& input) const;

    std::vector<std::string> m_given;
    std::vector<bool> m_used;
    JobContext& m_job;
};

} // namespace headscope::cli
