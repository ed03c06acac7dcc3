// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/free_memory.h"
#include "model/base/result.h"
#include "model/net/config/model_card.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>

namespace headscope::engine
{

/// Refuses a run that does not fit into memory, before a weight is read, and names what would fit.
/// @param estimate  of the run: estimateMemory, with `streamed`
/// @errors OutOfMemory
[[nodiscard]] Status checkMemory(const MemoryEstimate& estimate, const FreeMemory& free);

/// The same of a run of documents through a model; only on the CPU, where weights and texts share one memory.
/// @param longest  tokens of a document
/// @errors OutOfMemory
[[nodiscard]] Status checkMemoryOfRun(const ModelFiles& files, const ExtractionOptions& options, std::int64_t lastLayer,
                                      std::int64_t longest);

} // namespace headscope::engine
