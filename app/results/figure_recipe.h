// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command_line.h"
#include "model/base/fields/fields.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
class CacheReader;
}

namespace headscope
{

class Provenance;

/// A file that a figure was made from.
struct RecipeInput
{
    std::string option; ///< that names it: "CACHE", "--mask"
    std::string path;   ///< as the recipe calls it: as it was typed, or of a path from the root its last part
    std::string
        hash; ///< "origin:..." of a cache with checksums, which stays when maps are stored in it; else "sha256:..."
    std::filesystem::path file = {}; ///< where it lies now; no part of the recipe
};

/// What a figure is made from again: a verb with its options and the files it read. Paths of outputs, the number of
/// threads and how to talk about it are no part of it.
struct FigureRecipe
{
    std::string verb;
    std::vector<std::string> words; ///< to type after the verb
    std::vector<RecipeInput> inputs;
    std::string headscope; ///< versions of the program and of Qt that made the figure
    std::string qt;
    std::string command = {}; ///< one line that makes its numbers, not read back; empty: that of verb and words
    /// Of a figure that was saved from the window: which view it was and how it looked, as a JSON object; else empty.
    std::string window = {};
    /// Of a figure of several panels: the recipe of each, as recipeText() gives it.
    std::vector<std::string> panels = {};
};

/// The verb of a figure of several panels.
inline constexpr std::string_view kPanelsVerb = "figure";
/// The verb of a figure that no verb draws: it looks as the window did when it was saved, and opens there again.
inline constexpr std::string_view kWindowVerb = "window";

/// What a file is called in a recipe, where it lies elsewhere now.
struct RecordedName
{
    std::filesystem::path file;
    std::string path;
};

/// The values of an option that name files that are read, the empty ones left out; of --init where it is no word.
[[nodiscard]] std::vector<std::string*> inputsOf(const Field& row);
/// All files that a command reads, as its options name them; empty names among them.
[[nodiscard]] std::vector<std::filesystem::path> filesRead(const Fields& table);
/// The name of a file in a recipe: that of `names`; else as it was typed, but of a path from the root, which says where
/// somebody keeps his files and is of no use elsewhere, the last part.
[[nodiscard]] std::string recordedPath(const std::string& file, std::span<const RecordedName> names);
/// The file of "FILE.h5:/path".
[[nodiscard]] std::string fileOf(const std::string& value);
/// Options that no figure depends on: names of outputs, threads, progress.
[[nodiscard]] bool isLeftOutOfRecipes(const Field& row);

/// Makes the options of a command those of its recipe.
/// @param wanted  bound to a copy of the command, which is changed
/// @param usual   the same options with their defaults
/// @return the files that it reads, without hashes
[[nodiscard]] std::vector<RecipeInput> keepForRecipe(const Fields& wanted, const Fields& usual,
                                                     std::span<const RecordedName> names);

/// The recipe of a command, without hashes and versions.
template <class C>
[[nodiscard]] FigureRecipe recipeOf(commands::CommandLine<C> line, std::span<const RecordedName> names)
{
    commands::CommandLine<C> fresh;
    Fields usual;
    fresh.declare(usual);
    Fields wanted;
    line.declare(wanted);
    FigureRecipe recipe;
    recipe.verb = C::kVerb;
    recipe.inputs = keepForRecipe(wanted, usual, names);
    recipe.words = shell::wordsThatChange(usual, wanted);
    return recipe;
}

/// The hash of a file as recipes have it.
/// @param option  that names the file: a cache has an origin
/// @param cache   where it is open; null: it is opened if that is needed
/// @errors those of CacheReader::open and InputDigest::ofFile
[[nodiscard]] Result<std::string> recipeHash(const std::filesystem::path& file, std::string_view option,
                                             const CacheReader* cache, JobContext& job);

/// The recipe as JSON in ASCII, with the parameters and the hash of the numbers that the figure shows.
[[nodiscard]] std::string recipeText(const FigureRecipe& recipe, const Provenance& provenance);

/// Reads what recipeText() gives. Whatever it holds: this only reads, and what it says is checked by who follows it.
/// @errors BadFormat (no recipe, a part missing or of another kind, too long), Unsupported (of a newer version)
[[nodiscard]] Result<FigureRecipe> readRecipe(std::string_view text);

} // namespace headscope
