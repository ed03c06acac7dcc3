// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/gemm_f64.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/gemm_f64.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

constexpr std::int64_t kInner = 256; // rows of B that stay in the first-level cache per panel

/// 4 rows of A times 2 vectors of B: 8 sums live in registers.
void tile4x2(std::int64_t k, const float* a, std::int64_t rowStride, std::int64_t innerStride, const double* b,
             std::int64_t ldb, double* c, std::int64_t ldc)
{
    const hn::ScalableTag<double> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto s00 = hn::LoadU(d, c);
    auto s01 = hn::LoadU(d, c + lanes);
    auto s10 = hn::LoadU(d, c + ldc);
    auto s11 = hn::LoadU(d, c + ldc + lanes);
    auto s20 = hn::LoadU(d, c + 2 * ldc);
    auto s21 = hn::LoadU(d, c + 2 * ldc + lanes);
    auto s30 = hn::LoadU(d, c + 3 * ldc);
    auto s31 = hn::LoadU(d, c + 3 * ldc + lanes);
    for (std::int64_t p = 0; p < k; ++p)
    {
        const auto b0 = hn::LoadU(d, b + p * ldb);
        const auto b1 = hn::LoadU(d, b + p * ldb + lanes);
        const float* column = a + p * innerStride;
        const auto a0 = hn::Set(d, static_cast<double>(column[0]));
        s00 = hn::MulAdd(a0, b0, s00);
        s01 = hn::MulAdd(a0, b1, s01);
        const auto a1 = hn::Set(d, static_cast<double>(column[rowStride]));
        s10 = hn::MulAdd(a1, b0, s10);
        s11 = hn::MulAdd(a1, b1, s11);
        const auto a2 = hn::Set(d, static_cast<double>(column[2 * rowStride]));
        s20 = hn::MulAdd(a2, b0, s20);
        s21 = hn::MulAdd(a2, b1, s21);
        const auto a3 = hn::Set(d, static_cast<double>(column[3 * rowStride]));
        s30 = hn::MulAdd(a3, b0, s30);
        s31 = hn::MulAdd(a3, b1, s31);
    }
    hn::StoreU(s00, d, c);
    hn::StoreU(s01, d, c + lanes);
    hn::StoreU(s10, d, c + ldc);
    hn::StoreU(s11, d, c + ldc + lanes);
    hn::StoreU(s20, d, c + 2 * ldc);
    hn::StoreU(s21, d, c + 2 * ldc + lanes);
    hn::StoreU(s30, d, c + 3 * ldc);
    hn::StoreU(s31, d, c + 3 * ldc + lanes);
}

/// What the tiles leave at the edges.
void edge(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t rowStride,
          std::int64_t innerStride, const double* b, std::int64_t ldb, double* c, std::int64_t ldc)
{
    for (std::int64_t i = 0; i < m; ++i)
    {
        for (std::int64_t p = 0; p < k; ++p)
        {
            const double factor = static_cast<double>(a[i * rowStride + p * innerStride]);
            for (std::int64_t j = 0; j < n; ++j)
                c[i * ldc + j] += factor * b[p * ldb + j];
        }
    }
}

void Product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t rowStride,
             std::int64_t innerStride, const double* b, std::int64_t ldb, double* c, std::int64_t ldc)
{
    const hn::ScalableTag<double> d;
    const auto width = 2 * static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t wholeRows = m / 4 * 4;
    const std::int64_t wholeCols = n / width * width;
    for (std::int64_t p = 0; p < k; p += kInner)
    {
        const std::int64_t depth = std::min(kInner, k - p);
        const float* panelA = a + p * innerStride;
        const double* panelB = b + p * ldb;
        for (std::int64_t i = 0; i < wholeRows; i += 4)
        {
            for (std::int64_t j = 0; j < wholeCols; j += width)
                tile4x2(depth, panelA + i * rowStride, rowStride, innerStride, panelB + j, ldb, c + i * ldc + j, ldc);
        }
        edge(wholeRows, n - wholeCols, depth, panelA, rowStride, innerStride, panelB + wholeCols, ldb, c + wholeCols,
             ldc);
        edge(m - wholeRows, n, depth, panelA + wholeRows * rowStride, rowStride, innerStride, panelB, ldb,
             c + wholeRows * ldc, ldc);
    }
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(Product);

void addProductInDouble(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t rowStride,
                        std::int64_t innerStride, const double* b, std::int64_t ldb, double* c, std::int64_t ldc)
{
    HWY_DYNAMIC_DISPATCH(Product)(m, n, k, a, rowStride, innerStride, b, ldb, c, ldc);
}

} // namespace headscope
#endif
