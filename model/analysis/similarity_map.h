// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>

namespace headscope
{

/// What a bin shows of the cosines of all pairs that fall into it.
enum class BinValue
{
    Mean,
    Largest,
};

struct SimilarityMapOptions
{
    std::int64_t rowBins = 500; ///< at most one a row
    std::int64_t columnBins = 500;
    BinValue value = BinValue::Mean;
};

/// Cosines of every row with every column vector, averaged into bins of consecutive rows and columns:
/// the picture of an N x M cosine matrix that nobody has to hold.
///
/// Bin b of n vectors in B bins holds the vectors floor(b n / B) .. floor((b + 1) n / B) - 1; a pair of
/// a vector with itself counts like any other. Vectors that are zero or not finite have no direction
/// and are left out; a bin without a pair is NaN.
///
/// The mean needs no product of all pairs: mean_ij u_i . u_j = (mean_i u_i) . (mean_j u_j). It is exact
/// to rounding (double). The largest cosine does need all pairs; those are float32 products.
/// @param rows     [N, D]
/// @param columns  [M, D]; may be the same
/// @return [min(rowBins, N), min(columnBins, M)]
/// @errors  ShapeMismatch (different D), WrongUse (no bins), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    Mean: O((N + M) D + bins D); Largest: N M D multiply-adds and one pass over the products
[[nodiscard]] Result<MatrixF> similarityMap(ConstMatrixView rows, ConstMatrixView columns,
                                            const SimilarityMapOptions& options, int numThreads, JobContext& job);

} // namespace headscope
