// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/data/head_vectors.h"
#include "model/data/results/head_results.h"

namespace headscope
{

/// How similar the heads are, by three measures.
///
/// CKA (linear): X_a, X_b the heads' document matrices minus their column means,
///     |X_a^T X_b|_F^2 / (|X_a^T X_a|_F |X_b^T X_b|_F)
/// Documents in which any head holds NaN or infinity are left out of all three.
/// @param neighbors  nearest documents by cosine whose overlap is taken; at most documents - 1
/// @errors  InvalidArgument (fewer than two usable documents), Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    O(H^2 N D^2) products, and exact neighbours of every head
/// @source  Kornblith et al. 2019 (CKA), arXiv 1905.00414
[[nodiscard]] Result<HeadRedundancy> headRedundancy(const HeadVectors& vectors, int neighbors, int numThreads,
                                                    JobContext& job);

/// Linear CKA alone, as headRedundancy gives it: [H, H], NaN beside a head without variance.
/// @errors  InvalidArgument (fewer than two usable documents), Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    N H^2 D^2 / 2 multiply-adds in double, and the vectors once more in double
[[nodiscard]] Result<MatrixD> headCka(const HeadVectors& vectors, int numThreads, JobContext& job);

} // namespace headscope
