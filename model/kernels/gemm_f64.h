// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// C += A B with A in float32, B and C in double, every sum in double, on the calling thread alone.
///
/// C[i, j] += sum_p a[i * rowStride + p * innerStride] * b[p * ldb + j] for i < m, p < k, j < n: the
/// two strides let A be read as it lies or transposed. Where float32 data must be multiplied
/// without a float32 sum (covariances, gradients near an optimum), this runs at half the float32 rate.
/// @threads reentrant
/// @cost    m n k multiply-adds in double
void addProductInDouble(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t rowStride,
                        std::int64_t innerStride, const double* b, std::int64_t ldb, double* c, std::int64_t ldc);

} // namespace headscope
