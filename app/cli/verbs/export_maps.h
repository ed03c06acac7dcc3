// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/results/vector_export.h"

#include <string>
#include <vector>

namespace headscope::cli
{

/// The maps of a cache that are exported with vectors, in the order of these.
/// @param names  as typed, "all": those of the vectors' layers and stages, and of the full vector
/// @param all    the vectors, rows and heads that are exported
/// @errors InvalidArgument (no such map; one of another layer or stage, or of plain numbers), those of CacheReader::map
[[nodiscard]] Result<std::vector<PlacedMap>>
mapsToExport(const CacheInput& input, const std::vector<std::string>& names, const VectorExport& all, JobContext& job);

} // namespace headscope::cli
