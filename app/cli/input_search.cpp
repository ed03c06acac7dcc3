// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input_search.h"

#include "app/shell/wrong_use.h"

#include <fmt/format.h>

#include <cstddef>
#include <system_error>
#include <utility>
#include <vector>

namespace headscope::cli
{

using shell::wrongUse;

namespace
{

std::vector<std::filesystem::path>& morePlaces()
{
    static std::vector<std::filesystem::path> folders;
    return folders;
}

bool isWhole(const std::filesystem::path& file)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored);
}

} // namespace

void setInputPlaces(std::vector<std::filesystem::path> folders)
{
    morePlaces() = std::move(folders);
}

Result<std::filesystem::path> InputSearch::find(const RecipeInput& input, const std::filesystem::path& recipe)
{
    const std::filesystem::path folder = recipe.parent_path();
    for (std::size_t i = 0; i < m_given.size(); ++i)
    {
        std::error_code ignored;
        if (std::filesystem::is_directory(m_given[i], ignored)) // of a model
            continue;
        HEADSCOPE_TRY(const bool is, holds(m_given[i], input));
        if (is)
        {
            m_used[i] = true;
            return std::filesystem::path(m_given[i]);
        }
    }
    std::filesystem::path changed;
    for (const auto& place : {std::filesystem::path(input.path), folder / input.path,
                              folder / std::filesystem::path(input.path).filename()})
    {
        if (!isWhole(place))
            continue;
        HEADSCOPE_TRY(const bool is, holds(place, input));
        if (is)
            return place;
        changed = place;
    }
    for (const std::filesystem::path& place : morePlaces())
    {
        const auto file = place / std::filesystem::path(input.path).filename();
        if (!isWhole(file))
            continue;
        HEADSCOPE_TRY(const bool is, holds(file, input));
        if (is)
            return file;
    }
    if (!changed.empty())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("this file has changed since the figure was made from it (original hash: {}); --input "
                                 "PATH names an unchanged copy",
                                 input.hash.substr(0, 80)),
                     changed.string(), input.option};
    return Error{ErrorCode::FileNotFound,
                 m_given.empty()
                     ? "the figure was made from this file, which was not found; --input PATH gives its current path"
                     : "the figure was made from this file, which was not found, and the file given by --input has "
                       "different contents",
                 input.path, input.option};
}

Result<std::filesystem::path> InputSearch::findModel(const std::filesystem::path& name)
{
    for (std::size_t i = 0; i < m_given.size(); ++i)
        if (recordedPath(std::filesystem::absolute(m_given[i]).string(), {}) == name.filename())
        {
            m_used[i] = true;
            return std::filesystem::path(m_given[i]);
        }
    return Error{ErrorCode::FileNotFound,
                 "the figure was made by running this model, and only a model that --input PATH names is run",
                 name.string(), "--model"};
}

Status InputSearch::checkAllUsed() const
{
    for (std::size_t i = 0; i < m_given.size(); ++i)
        if (!m_used[i])
            return wrongUse(
                "--input",
                fmt::format(
                    "the figure was not made from {}: the contents of this file differ from the recorded contents",
                    m_given[i]));
    return {};
}

Result<bool> InputSearch::holds(const std::filesystem::path& file, const RecipeInput& input) const
{
    const bool cache = input.hash.starts_with("origin:");
    auto hash = recipeHash(file, cache ? "CACHE" : "", nullptr, m_job);
    if (!hash && cache && hash.error().code == ErrorCode::BadFormat)
        return false;
    if (!hash)
        return std::move(hash).error();
    return *hash == input.hash;
}

} // namespace headscope::cli
