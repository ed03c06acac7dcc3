// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/mesh_splines.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/mesh_splines.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/highway.h>

#ifndef HEADSCOPE_MESH_SPLINES_ONCE
#define HEADSCOPE_MESH_SPLINES_ONCE
namespace headscope
{

/// The weights of the six nodes as polynomials in t: weight_j = sum_p value[p][j] t^p, with two
/// zero columns behind so that a row of eight lanes holds all; and their derivatives.
struct SplineTable
{
    alignas(64) float value[kSplineOrder][kSplineWidth] = {};
    alignas(64) float slope[kSplineOrder][kSplineWidth] = {};
    double exact[kSplineOrder][kSplineOrder] = {};

    SplineTable()
    {
        // M6(u) = sum_i (-1)^i C(6, i) (u - i)_+^5 / 5!; node j sees u = t + 5 - j.
        constexpr double kChoose6[] = {1, 6, 15, 20, 15, 6, 1};
        constexpr double kChoose5[] = {1, 5, 10, 10, 5, 1};
        for (int j = 0; j < kSplineOrder; ++j)
        {
            const int m = kSplineOrder - 1 - j;
            for (int i = 0; i <= m; ++i)
            {
                const double sign = i % 2 == 0 ? 1.0 : -1.0;
                double power = 1.0; // (m - i)^(5 - p)
                for (int p = kSplineOrder - 1; p >= 0; --p)
                {
                    exact[p][j] += sign * kChoose6[i] * kChoose5[p] * power / 120.0;
                    power *= m - i;
                }
            }
        }
        for (int p = 0; p < kSplineOrder; ++p)
        {
            for (int j = 0; j < kSplineOrder; ++j)
            {
                value[p][j] = static_cast<float>(exact[p][j]);
                if (p > 0)
                    slope[p - 1][j] = static_cast<float>(p * exact[p][j]);
            }
        }
    }
};

inline const SplineTable& splineTable()
{
    static const SplineTable table;
    return table;
}

} // namespace headscope
#endif

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

using Lanes8 = hn::CappedTag<float, kSplineWidth>;

/// Horner's rule for eight lanes of polynomials of degree kTop.
template <int kTop>
HWY_INLINE void evaluate(const float (*coefficients)[kSplineWidth], float t, float* into)
{
    const Lanes8 d;
    const auto at = hn::Set(d, t);
    for (std::size_t lane = 0; lane < kSplineWidth; lane += hn::Lanes(d))
    {
        auto sum = hn::Load(d, coefficients[kTop] + lane);
        for (int p = kTop - 1; p >= 0; --p)
            sum = hn::MulAdd(sum, at, hn::Load(d, coefficients[p] + lane));
        hn::Store(sum, d, into + lane);
    }
}

void Spread(const float* x, const float* y, std::int64_t count, float* grid, std::int64_t stride)
{
    const Lanes8 d;
    const SplineTable& table = splineTable();
    alignas(64) float wx[kSplineWidth];
    alignas(64) float wy[kSplineWidth];
    for (std::int64_t i = 0; i < count; ++i)
    {
        const auto column = static_cast<std::int64_t>(x[i]);
        const auto row = static_cast<std::int64_t>(y[i]);
        evaluate<kSplineOrder - 1>(table.value, x[i] - static_cast<float>(column), wx);
        evaluate<kSplineOrder - 1>(table.value, y[i] - static_cast<float>(row), wy);
        for (std::size_t lane = 0; lane < kSplineWidth; lane += hn::Lanes(d))
        {
            const auto weights = hn::Load(d, wx + lane);
            float* to = grid + row * stride + column + static_cast<std::int64_t>(lane);
            for (int k = 0; k < kSplineOrder; ++k, to += stride)
                hn::StoreU(hn::MulAdd(hn::Set(d, wy[k]), weights, hn::LoadU(d, to)), d, to);
        }
    }
}

using Lanes4 = hn::CappedTag<float, 4>;

/// What a lone charge reads of itself at this offset of its cell, between the entries of its table.
HWY_INLINE void selfTerm(const MeshSelfTable& self, float tx, float ty, float* into)
{
    const Lanes4 d;
    const float x = tx * static_cast<float>(self.steps);
    const float y = ty * static_cast<float>(self.steps);
    const auto column = static_cast<std::int64_t>(x);
    const auto row = static_cast<std::int64_t>(y);
    const auto fx = hn::Set(d, x - static_cast<float>(column));
    const auto fy = hn::Set(d, y - static_cast<float>(row));
    const float* at = self.terms + 4 * (row * (self.steps + 1) + column);
    const float* below = at + 4 * (self.steps + 1);
    for (std::size_t lane = 0; lane < 4; lane += hn::Lanes(d))
    {
        const auto a = hn::LoadU(d, at + lane);
        const auto c = hn::LoadU(d, below + lane);
        const auto upper = hn::MulAdd(fx, hn::Sub(hn::LoadU(d, at + 4 + lane), a), a);
        const auto lower = hn::MulAdd(fx, hn::Sub(hn::LoadU(d, below + 4 + lane), c), c);
        hn::StoreU(hn::MulAdd(fy, hn::Sub(lower, upper), upper), d, into + lane);
    }
}

#if HWY_TARGET == HWY_SCALAR

/// Sums over the lanes of three rows of eight, less the self term.
HWY_INLINE void storeSums(const float* potential, const float* slopeX, const float* slopeY, const float* self,
                          float* out)
{
    const float* rows[] = {potential, slopeX, slopeY};
    for (int r = 0; r < 3; ++r)
    {
        float sum = 0;
        for (int lane = 0; lane < kSplineWidth; ++lane)
            sum += rows[r][lane];
        out[r] = sum - self[r];
    }
    out[3] = 0;
}

#else

HWY_INLINE hn::Vec<Lanes4> half(const float* row)
{
    const Lanes4 d;
    return hn::Add(hn::Load(d, row), hn::Load(d, row + 4));
}

/// Sums of neighbouring lanes: of a below, of b above.
HWY_INLINE hn::Vec<Lanes4> pairs(hn::Vec<Lanes4> a, hn::Vec<Lanes4> b)
{
    const Lanes4 d;
    return hn::Add(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a));
}

HWY_INLINE void storeSums(const float* potential, const float* slopeX, const float* slopeY, const float* self,
                          float* out)
{
    const Lanes4 d;
    const auto first = pairs(half(potential), half(slopeX));
    const auto second = pairs(half(slopeY), hn::Zero(d));
    hn::StoreU(hn::Sub(pairs(first, second), hn::LoadU(d, self)), d, out);
}

#endif

void Read(const float* x, const float* y, std::int64_t count, const float* grid, std::int64_t stride,
          const MeshSelfTable& self, float* out)
{
    const Lanes8 d;
    const SplineTable& table = splineTable();
    alignas(64) float wx[kSplineWidth];
    alignas(64) float wy[kSplineWidth];
    alignas(64) float dx[kSplineWidth];
    alignas(64) float dy[kSplineWidth];
    alignas(64) float potential[kSplineWidth];
    alignas(64) float slopeX[kSplineWidth];
    alignas(64) float slopeY[kSplineWidth];
    alignas(64) float own[4] = {};
    for (std::int64_t i = 0; i < count; ++i)
    {
        const auto column = static_cast<std::int64_t>(x[i]);
        const auto row = static_cast<std::int64_t>(y[i]);
        const float tx = x[i] - static_cast<float>(column);
        const float ty = y[i] - static_cast<float>(row);
        evaluate<kSplineOrder - 1>(table.value, tx, wx);
        evaluate<kSplineOrder - 1>(table.value, ty, wy);
        evaluate<kSplineOrder - 2>(table.slope, tx, dx);
        evaluate<kSplineOrder - 2>(table.slope, ty, dy);
        if (self.terms != nullptr)
            selfTerm(self, tx, ty, own);
        for (std::size_t lane = 0; lane < kSplineWidth; lane += hn::Lanes(d))
        {
            const float* from = grid + row * stride + column + static_cast<std::int64_t>(lane);
            auto sum = hn::Zero(d);
            auto slope = hn::Zero(d);
            for (int k = 0; k < kSplineOrder; ++k, from += stride)
            {
                const auto values = hn::LoadU(d, from);
                sum = hn::MulAdd(hn::Set(d, wy[k]), values, sum);
                slope = hn::MulAdd(hn::Set(d, dy[k]), values, slope);
            }
            const auto weights = hn::Load(d, wx + lane);
            hn::Store(hn::Mul(sum, weights), d, potential + lane);
            hn::Store(hn::Mul(sum, hn::Load(d, dx + lane)), d, slopeX + lane);
            hn::Store(hn::Mul(slope, weights), d, slopeY + lane);
        }
        storeSums(potential, slopeX, slopeY, own, out + 4 * i);
    }
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(Spread);
HWY_EXPORT(Read);

std::array<double, kSplineOrder> splineWeights(double t)
{
    std::array<double, kSplineOrder> weights{};
    for (std::size_t j = 0; j < weights.size(); ++j)
    {
        for (int p = kSplineOrder - 1; p >= 0; --p)
            weights[j] = weights[j] * t + splineTable().exact[p][j];
    }
    return weights;
}

void spreadCharges(const float* x, const float* y, std::int64_t count, float* grid, std::int64_t stride)
{
    HWY_DYNAMIC_DISPATCH(Spread)(x, y, count, grid, stride);
}

void readPotential(const float* x, const float* y, std::int64_t count, const float* grid, std::int64_t stride,
                   const MeshSelfTable& self, float* out)
{
    HWY_DYNAMIC_DISPATCH(Read)(x, y, count, grid, stride, self, out);
}

} // namespace headscope
#endif
