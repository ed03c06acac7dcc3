// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

namespace headscope
{

/// Rows of a matrix of weights that lie side by side once it is packed.
inline constexpr std::int64_t kWeightBand = 16;

/// Whether packed weights are multiplied faster than by the matrix library: with AVX2 and with AVX-512.
[[nodiscard]] bool multipliesPackedWeights();

/// Packs W [n, k] where it lies: kWeightBand rows after another become [k, kWeightBand], which takes the same memory.
/// Every instruction set reads this form.
/// @param weights  rows without gaps
/// @param n        a multiple of kWeightBand
void packWeights(float* weights, std::int64_t n, std::int64_t k);

/// Puts packed weights [n, k] back in rows.
void unpackWeights(const float* packed, std::int64_t n, std::int64_t k, float* into);

/// Rows or columns of packed weights.
struct PackedWeights
{
    const float* data = nullptr;
    std::int64_t stride = 0; ///< numbers of a row of the whole matrix

    /// From a row on, which is a multiple of kWeightBand.
    [[nodiscard]] PackedWeights fromRow(std::int64_t row) const { return {data + row * stride, stride}; }
    /// From any column on.
    [[nodiscard]] PackedWeights fromColumn(std::int64_t column) const { return {data + column * kWeightBand, stride}; }
};

enum class ProductOutput
{
    Written,
    Added,
};

/// C = A W^T, or C += A W^T, in float32, on the calling thread alone.
///
/// A is [m, k] with row stride lda, W [n, k] is packed, C is [m, n] with row stride ldc. A number of C is the same
/// whatever the other rows of A and of W are: all are added up in one order.
/// @param n        a multiple of kWeightBand
/// @param scratch  grows to the size of A, kept between calls
/// @param stop     polled every few milliseconds; the rest of C is undefined once it is requested
/// @threads reentrant
/// @errors  std::bad_alloc where the scratch memory cannot be had
/// @cost    m n k multiply-adds at about 0.9 of the CPU's peak for m >= 64: weights come once from memory, ahead of
///          their use, and A is copied once
void weightProduct(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                   PackedWeights weights, float* c, std::int64_t ldc, ProductOutput output, std::vector<float>& scratch,
                   const std::stop_token& stop);

} // namespace headscope
