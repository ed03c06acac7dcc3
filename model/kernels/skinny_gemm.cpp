// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/skinny_gemm.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/skinny_gemm.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

/// Rows of A a tile: two vectors of sums each, in 32 or 16 registers.
constexpr std::int64_t kTileRows = HWY_TARGET <= HWY_AVX3 ? 8 : 4;
/// Bytes of B that stay in the first-level cache.
constexpr std::int64_t kPanelBytes = 32 * 1024;

/// Where A and C lie; one tile after another moves `a` and `c`.
struct Strides
{
    std::int64_t row;
    std::int64_t inner;
    std::int64_t ldb;
    std::int64_t ldc;
};

/// c[Rows, Vectors] = or += a[Rows, k] b[k, Vectors], sums in registers.
template <class T, std::int64_t Rows, std::int64_t Vectors, bool Adds>
HWY_INLINE void tile(std::int64_t k, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, T* HWY_RESTRICT c,
                     const Strides& strides)
{
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    hn::Vec<decltype(d)> sums[Rows][Vectors];
    HWY_UNROLL(8)
    for (std::int64_t i = 0; i < Rows; ++i)
    {
        HWY_UNROLL(2)
        for (std::int64_t v = 0; v < Vectors; ++v)
        {
            if constexpr (Adds)
                sums[i][v] = hn::LoadU(d, c + i * strides.ldc + v * lanes);
            else
                sums[i][v] = hn::Zero(d);
        }
    }
    for (std::int64_t p = 0; p < k; ++p)
    {
        hn::Vec<decltype(d)> right[Vectors];
        HWY_UNROLL(2)
        for (std::int64_t v = 0; v < Vectors; ++v)
            right[v] = hn::LoadU(d, b + p * strides.ldb + v * lanes);
        const T* column = a + p * strides.inner;
        HWY_UNROLL(8)
        for (std::int64_t i = 0; i < Rows; ++i)
        {
            const auto left = hn::Set(d, column[i * strides.row]);
            HWY_UNROLL(2)
            for (std::int64_t v = 0; v < Vectors; ++v)
                sums[i][v] = hn::MulAdd(left, right[v], sums[i][v]);
        }
    }
    HWY_UNROLL(8)
    for (std::int64_t i = 0; i < Rows; ++i)
    {
        HWY_UNROLL(2)
        for (std::int64_t v = 0; v < Vectors; ++v)
            hn::StoreU(sums[i][v], d, c + i * strides.ldc + v * lanes);
    }
}

/// All rows for one panel of columns.
template <class T, std::int64_t Vectors, bool Adds>
void panel(std::int64_t m, std::int64_t k, const T* a, const T* b, T* c, const Strides& strides)
{
    std::int64_t i = 0;
    for (; i + kTileRows <= m; i += kTileRows)
        tile<T, kTileRows, Vectors, Adds>(k, a + i * strides.row, b, c + i * strides.ldc, strides);
    for (; i < m; ++i)
        tile<T, 1, Vectors, Adds>(k, a + i * strides.row, b, c + i * strides.ldc, strides);
}

/// Columns that fill no vector.
template <class T, bool Adds>
void remainder(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, const T* b, T* c, const Strides& strides)
{
    for (std::int64_t i = 0; i < m; ++i)
    {
        if constexpr (!Adds)
            std::fill_n(c + i * strides.ldc, n, T(0));
        for (std::int64_t p = 0; p < k; ++p)
        {
            const T factor = a[i * strides.row + p * strides.inner];
            for (std::int64_t j = 0; j < n; ++j)
                c[i * strides.ldc + j] += factor * b[p * strides.ldb + j];
        }
    }
}

/// All columns for one part of the inner numbers.
template <class T, bool Adds>
void part(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, const T* b, T* c, const Strides& strides)
{
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>()));
    std::int64_t j = 0;
    for (; j + 2 * lanes <= n; j += 2 * lanes)
        panel<T, 2, Adds>(m, k, a, b + j, c + j, strides);
    for (; j + lanes <= n; j += lanes)
        panel<T, 1, Adds>(m, k, a, b + j, c + j, strides);
    if (j < n)
        remainder<T, Adds>(m, n - j, k, a, b + j, c + j, strides);
}

template <class T, bool Adds>
void product(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, const T* b, T* c, const Strides& strides)
{
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>()));
    const std::int64_t depth =
        std::max<std::int64_t>(32, kPanelBytes / (2 * lanes * static_cast<std::int64_t>(sizeof(T))));
    const std::int64_t first = std::min(depth, k);
    part<T, Adds>(m, n, first, a, b, c, strides);
    for (std::int64_t p = first; p < k; p += depth)
        part<T, true>(m, n, std::min(depth, k - p), a + p * strides.inner, b + p * strides.ldb, c, strides);
}

void NarrowF32(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t rowStride,
               std::int64_t innerStride, const float* b, std::int64_t ldb, float* c, std::int64_t ldc)
{
    product<float, true>(m, n, k, a, b, c, {rowStride, innerStride, ldb, ldc});
}

void WriteNarrowF32(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t rowStride,
                    std::int64_t innerStride, const float* b, std::int64_t ldb, float* c, std::int64_t ldc)
{
    product<float, false>(m, n, k, a, b, c, {rowStride, innerStride, ldb, ldc});
}

void NarrowF64(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t rowStride,
               std::int64_t innerStride, const double* b, std::int64_t ldb, double* c, std::int64_t ldc)
{
    product<double, true>(m, n, k, a, b, c, {rowStride, innerStride, ldb, ldc});
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(NarrowF32);
HWY_EXPORT(WriteNarrowF32);
HWY_EXPORT(NarrowF64);

void addNarrowProduct(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t rowStride,
                      std::int64_t innerStride, const float* b, std::int64_t ldb, float* c, std::int64_t ldc)
{
    HWY_DYNAMIC_DISPATCH(NarrowF32)(m, n, k, a, rowStride, innerStride, b, ldb, c, ldc);
}

void narrowProduct(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t rowStride,
                   std::int64_t innerStride, const float* b, std::int64_t ldb, float* c, std::int64_t ldc)
{
    HWY_DYNAMIC_DISPATCH(WriteNarrowF32)(m, n, k, a, rowStride, innerStride, b, ldb, c, ldc);
}

void addNarrowProduct(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t rowStride,
                      std::int64_t innerStride, const double* b, std::int64_t ldb, double* c, std::int64_t ldc)
{
    HWY_DYNAMIC_DISPATCH(NarrowF64)(m, n, k, a, rowStride, innerStride, b, ldb, c, ldc);
}

} // namespace headscope
#endif
