// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headscope
{

/// C = alpha A B^T + beta C in float32, row-major, on the calling thread alone.
///
/// A is [m, k] with row stride lda, B is [n, k] with row stride ldb (each row of B one output
/// column, as weights of a linear layer are stored), C is [m, n] with row stride ldc.
/// @threads reentrant; never starts threads of its own, so that results do not depend on their
///          number: parallel callers cut fixed blocks and call this for each
/// @errors  std::bad_alloc where the memory for the product's own copies cannot be had (some 100 KB to a few MB, by
///          shape), std::runtime_error where the library fails; C is then undefined
/// @cost    about 0.9 of the CPU's multiply-add peak for m, n, k >= 128 (oneDNN picks AVX2 or
///          AVX-512 kernels at run time)
void gemmNT(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a, std::int64_t lda,
            const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);

/// C = alpha A B + beta C; B is [k, n].
void gemmNN(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a, std::int64_t lda,
            const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);

/// C = alpha A^T B + beta C; A is [k, m], B is [k, n].
void gemmTN(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a, std::int64_t lda,
            const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);

/// What computes the products and for which instructions: "oneDNN 2.6.3, AVX-512".
[[nodiscard]] std::string productLibrary();

} // namespace headscope
