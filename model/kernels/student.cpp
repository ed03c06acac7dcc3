// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/student.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/student.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

constexpr std::int64_t kFlush = 512; // points between two additions into double

template <class D, class V>
double total(D d, V v)
{
    return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, v)));
}

/// The points that fill no whole vector.
template <bool kGeneral, bool kWithAffinities, bool kWithLogarithms>
void addRest(const float* x, const float* y, const float* p, std::int64_t begin, std::int64_t end, float pointX,
             float pointY, double degrees, StudentSums& sums)
{
    for (std::int64_t j = begin; j < end; ++j)
    {
        const float dx = pointX - x[j];
        const float dy = pointY - y[j];
        const float square = dx * dx + dy * dy;
        const double q = kGeneral ? 1.0 + static_cast<double>(square) / degrees : static_cast<double>(1.0F + square);
        const double u = 1.0 / q;
        const double k = kGeneral ? std::pow(q, -degrees) : u;
        sums.potential += k;
        sums.forceX += k * u * static_cast<double>(dx);
        sums.forceY += k * u * static_cast<double>(dy);
        if constexpr (kWithAffinities)
        {
            const double pu = static_cast<double>(p[j]) * u;
            sums.attractionX += pu * static_cast<double>(dx);
            sums.attractionY += pu * static_cast<double>(dy);
            if constexpr (kWithLogarithms)
                sums.logSum += static_cast<double>(p[j]) * std::log(q);
        }
    }
}

template <bool kGeneral, bool kWithAffinities, bool kWithLogarithms>
void addRange(const float* x, const float* y, const float* p, std::int64_t begin, std::int64_t end, float pointX,
              float pointY, double degrees, StudentSums& sums)
{
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto px = hn::Set(d, pointX);
    const auto py = hn::Set(d, pointY);
    const auto one = hn::Set(d, 1.0F);
    const auto over = hn::Set(d, static_cast<float>(1.0 / degrees));
    const auto power = hn::Set(d, static_cast<float>(-degrees));
    auto potential = hn::Zero(d);
    auto fx = hn::Zero(d);
    auto fy = hn::Zero(d);
    auto ax = hn::Zero(d);
    auto ay = hn::Zero(d);
    auto logs = hn::Zero(d);
    std::int64_t j = begin;
    for (; j + lanes <= end; j += lanes)
    {
        const auto dx = hn::Sub(px, hn::LoadU(d, x + j));
        const auto dy = hn::Sub(py, hn::LoadU(d, y + j));
        auto q = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, one));
        if constexpr (kGeneral)
            q = hn::MulAdd(hn::MulAdd(dx, dx, hn::Mul(dy, dy)), over, one);
        const auto u = hn::Div(one, q);
        auto k = u;
        if constexpr (kGeneral)
            k = hn::Exp(d, hn::Mul(power, hn::Log(d, q)));
        const auto ku = hn::Mul(k, u);
        potential = hn::Add(potential, k);
        fx = hn::MulAdd(ku, dx, fx);
        fy = hn::MulAdd(ku, dy, fy);
        if constexpr (kWithAffinities)
        {
            const auto affinity = hn::LoadU(d, p + j);
            const auto pu = hn::Mul(affinity, u);
            ax = hn::MulAdd(pu, dx, ax);
            ay = hn::MulAdd(pu, dy, ay);
            if constexpr (kWithLogarithms)
                logs = hn::MulAdd(affinity, hn::Log(d, q), logs);
        }
    }
    sums.potential += total(d, potential);
    sums.forceX += total(d, fx);
    sums.forceY += total(d, fy);
    sums.attractionX += total(d, ax);
    sums.attractionY += total(d, ay);
    sums.logSum += total(d, logs);
    addRest<kGeneral, kWithAffinities, kWithLogarithms>(x, y, p, j, end, pointX, pointY, degrees, sums);
}

template <bool kGeneral>
void addAll(const float* x, const float* y, std::int64_t count, float pointX, float pointY, const float* affinities,
            bool withLogarithms, double degrees, StudentSums& sums)
{
    for (std::int64_t begin = 0; begin < count; begin += kFlush)
    {
        const std::int64_t end = std::min(count, begin + kFlush);
        if (affinities == nullptr)
            addRange<kGeneral, false, false>(x, y, affinities, begin, end, pointX, pointY, degrees, sums);
        else if (withLogarithms)
            addRange<kGeneral, true, true>(x, y, affinities, begin, end, pointX, pointY, degrees, sums);
        else
            addRange<kGeneral, true, false>(x, y, affinities, begin, end, pointX, pointY, degrees, sums);
    }
}

void AllSums(const float* x, const float* y, std::int64_t count, float pointX, float pointY, const float* affinities,
             bool withLogarithms, double degrees, StudentSums& sums)
{
    if (degrees == 1.0)
        addAll<false>(x, y, count, pointX, pointY, affinities, withLogarithms, degrees, sums);
    else
        addAll<true>(x, y, count, pointX, pointY, affinities, withLogarithms, degrees, sums);
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(AllSums);

StudentSums studentSums(const float* x, const float* y, std::int64_t count, float pointX, float pointY,
                        const float* affinities, bool withLogarithms, double degrees)
{
    StudentSums sums;
    HWY_DYNAMIC_DISPATCH(AllSums)(x, y, count, pointX, pointY, affinities, withLogarithms, degrees, sums);
    return sums;
}

} // namespace headscope
#endif
