// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// The first principal components of centred rows.
struct PrincipalComponents
{
    std::vector<double> mean;           ///< [D]
    MatrixD directions;                 ///< [C, D] unit vectors; the largest component of each is positive
    std::vector<double> singularValues; ///< [C], descending
};

/// Eigenvectors of the covariance, formed in double on fixed blocks.
/// @param scales  factors of the rows (1 / length for the cosine metric), empty for 1
/// @param count   components, at most D; those beyond the rank are unit vectors of value 0
/// @errors  Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    P D^2 multiply-adds in double, and an eigen solve of D^3
[[nodiscard]] Result<PrincipalComponents> principalComponents(ConstMatrixView rows, std::span<const double> scales,
                                                              std::int64_t count, int numThreads, JobContext& job);

/// Positions of a t-SNE's start: the first two components, scaled by one factor so that the first
/// coordinate has standard deviation 1e-4.
/// @source Kobak & Berens 2019 (doi 10.1038/s41467-019-13056-x)
[[nodiscard]] Result<MatrixD> pcaStart(ConstMatrixView rows, std::span<const double> scales, int numThreads,
                                       JobContext& job);

} // namespace headscope
