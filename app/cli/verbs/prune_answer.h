// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"
#include "app/cli/verbs/prune_run.h"
#include "model/data/frame/frame.h"

namespace headscope::cli
{

/// The steps as a file holds them: savings that do not exist are not numbers.
[[nodiscard]] Frame pruneFrame(const Pruned& pruned, bool adds);

/// All but the mask, provenance and output: what was measured, the steps with their intervals, what the order gains
/// where it was chosen and elsewhere, and what each of these numbers is.
/// @param what  "match5 of all heads", for the heading
[[nodiscard]] Answer pruneAnswer(const Pruned& pruned, const PruneMeasure& measured,
                                 const commands::PruneCommand& command, const ModelInfo& model);

/// "+0.0834 [0.0417, 0.1354] where chosen, -0.0060 [-0.0521, 0.0417] elsewhere"
[[nodiscard]] std::string heldOutText(const HeldOutGain& gain);

} // namespace headscope::cli
