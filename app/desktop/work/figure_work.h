// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/work/work_document.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <QString>
#include <QStringList>

#include <filesystem>

namespace headscope::desktop
{

/// What a figure opens again in the window: its cache, and the view that it shows.
struct FigureWork
{
    WorkDocument document; ///< cachePath: the cache as the recipe names it
    QString cache;         ///< where it lies now, or one of its name with other contents; "": it is not here
    QString verb;          ///< that drew it; "": it was saved from the window
    QString missing{};     ///< name of its label map, where that is not here: labels are those of the cache
};

/// Where the cache of a figure may lie.
struct FigurePlaces
{
    QString given{};      ///< said to be it; "": nobody knows
    QStringList caches{}; ///< tried where name or kind fit
};

/// Whether a .json is a recipe of a figure, by how it begins.
[[nodiscard]] bool isRecipeFile(const QString& path);

/// Reads the recipe of a figure (.pdf, .svg, .png, or the .json next to it) and finds its cache by its contents: among
/// `places`, where the recipe says, and next to the figure. Of a figure of the window the state is that in which it was
/// saved; of one that a verb drew it is what its options say: layer, stage, heads, labels, and the view for it.
/// @param places  tried first
/// @errors those of viz::recipeTextOf and readRecipe; InvalidArgument (it was not made from a cache)
/// @cost   of a cache without checksums, reads it whole; to be called on a worker
[[nodiscard]] Result<FigureWork> readFigureWork(const std::filesystem::path& figure, const FigurePlaces& places,
                                                JobContext& job);

} // namespace headscope::desktop
