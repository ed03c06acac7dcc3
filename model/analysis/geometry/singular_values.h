// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <span>
#include <vector>

namespace headscope
{

/// Singular values of the same rows, as they are and minus their mean; descending, min(N, D) each.
struct SingularValues
{
    std::vector<double> raw;
    std::vector<double> centred; ///< all 0 where all rows are equal
};

/// Up to this many rows or columns (the smaller number) the values are those of a QR factorisation, in full precision.
inline constexpr std::int64_t kMaxFactorisedSize = 192;

/// Singular values of X [N, D], all sums in double.
///
/// The centred rows are factorised; the raw ones differ from them by one more row, sqrt(N) times the mean, since the
/// two are orthogonal. Up to kMaxFactorisedSize: Householder QR of blocks of rows and the singular values of R, exact
/// to rounding of the largest. Above: eigenvalues of the Gram matrix, whose square roots are exact to 1e-8 of the
/// largest in the worst case (values below 1e-5 of the largest), else to 1e-11.
/// @param rows  [N, D] finite; N and D at least 1
/// @errors  Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    2 N D^2 operations, and of the Gram matrix 8/3 min(N, D)^3
[[nodiscard]] Result<SingularValues> singularValues(ConstMatrixView rows, int numThreads, JobContext& job);

/// exp(-sum p ln p) of p = s / sum s: how many directions hold the values, 1 to their number; NaN where all are 0.
/// @source  Roy & Vetterli 2007, EUSIPCO (effective rank)
[[nodiscard]] double effectiveRank(std::span<const double> singular);

/// (sum s^2)^2 / sum s^4: the same of the variances, which weighs large ones more; NaN where all are 0.
[[nodiscard]] double participationRatio(std::span<const double> singular);

} // namespace headscope
