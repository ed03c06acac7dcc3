// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/circuit_result.h"

#include <filesystem>

namespace headscope
{

/// Reads what `headscope-engine contributions`, `composition` or `lens` wrote as `.h5` (app/INTERFACE.md, section 5).
/// Singular directions and single vectors are not read.
/// @errors BadFormat (another file, or one that does not fit together), Resource, OutOfMemory, Cancelled
[[nodiscard]] Result<CircuitResult> readCircuitFile(const std::filesystem::path& path, JobContext& job);

} // namespace headscope
