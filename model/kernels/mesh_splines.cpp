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
void evaluate(const float (*coefficients)[kSplineWidth], float t, float* into)
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

void Read(const float* x, const float* y, std::int64_t count, const float* grid, std::int64_t stride, float* out)
{
    const Lanes8 d;
    const SplineTable& table = splineTable();
    alignas(64) float wx[kSplineWidth];
    alignas(64) float wy[kSplineWidth];
    alignas(64) float dx[kSplineWidth];
    alignas(64) float dy[kSplineWidth];
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
        float potential = 0;
        float gradientX = 0;
        float gradientY = 0;
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
            potential += hn::GetLane(hn::SumOfLanes(d, hn::Mul(sum, weights)));
            gradientX += hn::GetLane(hn::SumOfLanes(d, hn::Mul(sum, hn::Load(d, dx + lane))));
            gradientY += hn::GetLane(hn::SumOfLanes(d, hn::Mul(slope, weights)));
        }
        out[3 * i] = potential;
        out[3 * i + 1] = gradientX;
        out[3 * i + 2] = gradientY;
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
                   float* out)
{
    HWY_DYNAMIC_DISPATCH(Read)(x, y, count, grid, stride, out);
}

} // namespace headscope
#endif
