// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verbs/prune_run.h"
#include "viz/export/heads/pruning_figure.h"

#include <filesystem>

namespace headscope::cli
{

/// What `prune` measured as a figure: each unit alone, the greedy order, or the best subsets of every size.
[[nodiscard]] viz::PruningFigure pruningFigure(const Pruned& pruned, const PruneMeasure& measured,
                                               const commands::PruneCommand& command, const ModelInfo& model);

} // namespace headscope::cli
