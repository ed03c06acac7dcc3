// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/tsne_run.h"
#include "app/commands/tsne_command.h"

namespace headscope::cli
{

/// Whether writeMapPicture would know colours and heads: asked before the run.
/// @errors those of checkWord; WrongUse, InvalidArgument (--show-heads: not understood, not on the map; --panels of a
///         plain matrix)
[[nodiscard]] Status checkPicture(const TsneSource& source, const commands::TsneCommand& choices);

/// The map as .png, .pdf or .svg: whole, some of its heads, or a panel for each.
/// @errors those of checkPicture and exportMap
[[nodiscard]] Status writeMapPicture(const HeadMap& map, const TsneSource& source, const commands::TsneCommand& choices,
                                     const FigureFiles& files, int numThreads);

} // namespace headscope::cli
