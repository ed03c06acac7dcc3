// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/free_memory.h"
#include "model/base/result.h"
#include "model/net/config/model_card.h"

namespace headscope::engine
{

/// Refuses a run that does not fit into memory, before a weight is read, and names what would fit.
/// @param estimate  of the run: estimateMemory, with `streamed`
/// @errors OutOfMemory
[[nodiscard]] Status checkMemory(const MemoryEstimate& estimate, const FreeMemory& free);

} // namespace headscope::engine
