// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <vector>

namespace headscope::desktop
{

/// The chosen documents together with the `count` nearest of each by cosine.
/// @param rows    [N, D]; rows that are zero or not finite have no neighbours and are no neighbours
/// @param chosen  row numbers, ascending
/// @return  ascending, without repeats; holds `chosen`
/// @errors  Cancelled
/// @threads to be called on a worker; uses `numThreads` threads; the result does not depend on them
/// @cost    chosen x N x D
[[nodiscard]] Result<std::vector<std::int64_t>> grownDocuments(ConstMatrixView rows,
                                                               const std::vector<std::int64_t>& chosen,
                                                               std::int64_t count, int numThreads, JobContext& job);

} // namespace headscope::desktop
