// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/circuits/composition.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/net/config/model_files.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::engine
{

/// Composition of all pairs of heads of a model, whose layers are read one after the other.
/// @param  pairLayers  whose directions are compared with each other, too
/// @errors WrongUse (no such layers); Unsupported (a family of other norms), OutOfMemory; those of Weights::load and
/// CompositionRun; Cancelled
/// @cost   memory: CompositionOptions::bytes() and the attention weights of one layer
[[nodiscard]] Result<CompositionScores>
measureComposition(const ModelFiles& files, const std::vector<CompositionKind>& kinds, int threads, JobContext& job,
                   std::optional<std::pair<std::int64_t, std::int64_t>> pairLayers = {});

} // namespace headscope::engine
