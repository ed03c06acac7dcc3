// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/data/head_vectors.h"
#include "model/data/results/head_results.h"

namespace headscope
{

struct RedundancyOptions
{
    CkaMethod cka = CkaMethod::Debiased;
    int neighbors = 10; ///< nearest documents by cosine whose overlap is taken; at most documents - 1
};

/// The fewest documents that a method takes.
[[nodiscard]] constexpr std::int64_t leastDocuments(CkaMethod method)
{
    return method == CkaMethod::Debiased ? 4 : 2;
}

/// How similar the heads are, by three measures.
///
/// CKA (linear), of X_a, X_b, the heads' document matrices minus their column means: h(a, b) / sqrt(h(a, a) h(b, b)),
///     biased:   h(a, b) = |X_a^T X_b|_F^2
///     debiased: h(a, b) = tr(K L) + 1^T K 1 1^T L 1 / ((n - 1)(n - 2)) - 2 / (n - 2) 1^T K L 1,
/// K, L the heads' Gram matrices [n, n] with zero diagonal, which are never formed:
///     tr(K L) = |X_a^T X_b|_F^2 - sum |a_i|^2 |b_i|^2,   K 1 = X_a (X_a^T 1) - |a_i|^2.
/// The interval leaves one document out at a time, which has a closed form, too.
/// Documents in which any head holds NaN or infinity are left out of all three.
/// @errors  InvalidArgument (fewer usable documents than leastDocuments), Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    2 N H^2 D^2 / 2 multiply-adds (half of it for the interval), and exact neighbours of every head
/// @source  Kornblith et al. 2019 (CKA), arXiv 1905.00414; Song et al. 2012, JMLR 13, 1393-1434 (HSIC_1);
///          Murphy, Zylberberg & Fyshe 2024 (the bias of CKA)
[[nodiscard]] Result<HeadRedundancy> headRedundancy(const HeadVectors& vectors, const RedundancyOptions& options,
                                                    int numThreads, JobContext& job);

/// The same without mean cosines and neighbours: `meanCosine` and `neighborOverlap` are empty.
/// @errors  as headRedundancy
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    N H^2 D^2 multiply-adds in double, and the vectors once more in double
[[nodiscard]] Result<HeadRedundancy> headCka(const HeadVectors& vectors, CkaMethod method, int numThreads,
                                             JobContext& job);

/// The intervals of the debiased CKA of the first head with each other one, as headCka has them.
/// @return  [H - 1]; NaN of heads that do not vary
/// @errors  as headRedundancy
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    5 N H D^2 multiply-adds in double, and the vectors once more in double
[[nodiscard]] Result<std::vector<Interval>> ckaIntervals(const HeadVectors& vectors, int numThreads, JobContext& job);

} // namespace headscope
