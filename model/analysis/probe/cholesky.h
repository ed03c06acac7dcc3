// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <span>

namespace headscope
{

/// The lower Cholesky factor of a symmetric positive definite matrix, in place and in float32; reads the lower
/// triangle, leaves what stands above it.
/// @return  false where the matrix is not positive definite in float32; its contents are then undefined
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    n^3 / 3 flops, most in products of blocks
[[nodiscard]] bool factorCholesky(MatrixF& matrix, int numThreads);

/// x = (L L^T)^-1 x, L the lower triangle of `factor`.
/// @cost n^2 multiply-adds, on the calling thread
void solveCholesky(const MatrixF& factor, std::span<float> x);

} // namespace headscope
