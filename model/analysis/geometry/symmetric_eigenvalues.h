// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <vector>

namespace headscope
{

/// Eigenvalues of a symmetric matrix, descending; exact to rounding of the largest.
///
/// Householder reflections make it tridiagonal, column by column on all threads, so that a large one can be stopped;
/// the rest is an implicit QL iteration of n^2 operations.
/// @param matrix  [n, n] symmetric, row-major; overwritten
/// @errors  Cancelled; Internal where the iteration does not converge
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    8/3 n^3 operations, on matrices beyond the cache at the speed of memory
/// @source  Golub & Van Loan, Matrix Computations, 8.3.1
[[nodiscard]] Result<std::vector<double>> symmetricEigenvalues(MatrixView<double> matrix, int numThreads,
                                                               JobContext& job);

} // namespace headscope
