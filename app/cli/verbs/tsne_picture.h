// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"
#include "app/cli/verbs/tsne_run.h"
#include "app/commands/tsne_command.h"
#include "viz/export/figure_export.h"

namespace headscope::cli
{

/// Whether mapPicture would know colours and heads: asked before the run.
/// @errors those of checkWord; WrongUse, InvalidArgument (--show-heads: not understood, not on the map; --panels of a
///         plain matrix)
[[nodiscard]] Status checkPicture(const TsneSource& source, const commands::TsneCommand& choices);

/// The map as .png, .pdf or .svg: whole, some of its heads, or a panel for each.
/// @errors those of checkPicture
[[nodiscard]] Result<viz::Figure> mapPicture(const HeadMap& map, const TsneSource& source,
                                             const commands::TsneCommand& choices, int numThreads);

} // namespace headscope::cli
