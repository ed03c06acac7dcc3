// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/probe_result.h"
#include "model/io/cache_reader.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::desktop
{

/// Head-index probes of the stages of one layer, in the order of the stages. Stages that are kept
/// uncut have no heads to tell apart and are left out.
/// @param heads  0-based, at least two
/// @errors those of probeHeads
/// @threads a worker's business
[[nodiscard]] Result<std::vector<std::shared_ptr<const ProbeResult>>>
trainProbes(CacheReader& reader, LayerIndex layer, const std::vector<Stage>& stages,
            const std::vector<std::int64_t>& heads, const ProbeOptions& options, int numThreads, JobContext& job);

} // namespace headscope::desktop
