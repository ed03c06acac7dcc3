// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/lesson/regroup_result.h"
#include "model/data/matrix.h"

#include <cstdint>

namespace headscope
{

/// Compares the vectors of documents from a model as it is with those from the same model after a change.
/// @param before, after  [N, D], rows of the same documents
/// @param neighbors      nearest documents (cosine, in the same set) that are compared; fewer where there are not as
/// many
/// @return  cosine and kept with their intervals; kvHeads and attention are not set
/// @errors  InvalidArgument (fewer than two documents, other sizes), Cancelled
/// @cost    N^2 D, twice
[[nodiscard]] Result<RegroupRow> compareVectors(const MatrixF& before, const MatrixF& after, std::int64_t neighbors,
                                                int numThreads, JobContext& job);

} // namespace headscope
