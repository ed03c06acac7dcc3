// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "viz/export/figure_export.h"

#include <QByteArray>

#include <cstdint>
#include <filesystem>
#include <string>

namespace headscope::viz
{

/// The name of the recipe among the files that a PDF carries.
inline constexpr char kRecipeFile[] = "headscope-recipe.json";
/// No recipe is larger than this.
inline constexpr qsizetype kMaxRecipeBytes = qsizetype{1} << 20;

/// Puts a recipe into the bytes of a PNG (an iTXt chunk) or SVG (a metadata element); into those of a PDF Qt puts it,
/// as a file that it carries. An empty recipe changes nothing.
/// @param recipe  ASCII
void embedRecipe(QByteArray& figure, FigureFormat format, const std::string& recipe);

/// The recipe inside a figure, as it was put there. Nothing of the file is trusted: what it says of lengths is held
/// against what is there, and no more than kMaxRecipeBytes come out.
/// @errors InvalidArgument (there is none, or other programs rewrote the file), BadFormat (it is damaged)
/// @cost   O(bytes)
[[nodiscard]] Result<std::string> recipeOf(const QByteArray& figure, FigureFormat format);

/// The text of a recipe: that inside a figure (by the file's ending), or the file itself.
/// @errors those of recipeOf and readTextFile, with the file's name
[[nodiscard]] Result<std::string> recipeTextOf(const std::filesystem::path& file);

/// How many bytes of a figure are those of pictures inside it.
[[nodiscard]] std::int64_t rasterBytes(const QByteArray& figure, FigureFormat format);

} // namespace headscope::viz
