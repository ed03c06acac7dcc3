// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// C += A B for a narrow B (tens of columns), on the calling thread alone.
///
/// C[i, j] += sum_p a[i * rowStride + p * innerStride] * b[p * ldb + j] for i < m, p < k, j < n: the
/// two strides let A be read as it lies or transposed. Nothing is packed: a library's product copies
/// A first, which costs as much as the product itself when B has 32 columns.
///
/// Fastest when n is a multiple of kNarrowColumns: pad B and C with columns of zeros.
/// @threads reentrant
/// @cost    m n k multiply-adds at most of the CPU's peak while a block of A stays in the second-level cache
void addNarrowProduct(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t rowStride,
                      std::int64_t innerStride, const float* b, std::int64_t ldb, float* c, std::int64_t ldc);
void addNarrowProduct(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t rowStride,
                      std::int64_t innerStride, const double* b, std::int64_t ldb, double* c, std::int64_t ldc);

/// C = A B, likewise: the bits of addNarrowProduct to a C of zeros, which is not read.
void narrowProduct(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t rowStride,
                   std::int64_t innerStride, const float* b, std::int64_t ldb, float* c, std::int64_t ldc);

/// Columns of one vector of the widest instruction set, float32.
inline constexpr std::int64_t kNarrowColumns = 16;

} // namespace headscope
