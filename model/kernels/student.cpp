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

template <bool kWithAffinities, bool kWithLogarithms>
void addRange(const float* x, const float* y, const float* p, std::int64_t begin, std::int64_t end, float pointX,
              float pointY, StudentSums& sums)
{
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto px = hn::Set(d, pointX);
    const auto py = hn::Set(d, pointY);
    const auto one = hn::Set(d, 1.0F);
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
        const auto q = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, one));
        const auto k = hn::Div(one, q);
        const auto kk = hn::Mul(k, k);
        potential = hn::Add(potential, k);
        fx = hn::MulAdd(kk, dx, fx);
        fy = hn::MulAdd(kk, dy, fy);
        if constexpr (kWithAffinities)
        {
            const auto affinity = hn::LoadU(d, p + j);
            const auto pk = hn::Mul(affinity, k);
            ax = hn::MulAdd(pk, dx, ax);
            ay = hn::MulAdd(pk, dy, ay);
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
    for (; j < end; ++j)
    {
        const float dx = pointX - x[j];
        const float dy = pointY - y[j];
        const float q = 1.0F + dx * dx + dy * dy;
        const double k = 1.0 / static_cast<double>(q);
        sums.potential += k;
        sums.forceX += k * k * static_cast<double>(dx);
        sums.forceY += k * k * static_cast<double>(dy);
        if constexpr (kWithAffinities)
        {
            const double pk = static_cast<double>(p[j]) * k;
            sums.attractionX += pk * static_cast<double>(dx);
            sums.attractionY += pk * static_cast<double>(dy);
            if constexpr (kWithLogarithms)
                sums.logSum += static_cast<double>(p[j]) * std::log(static_cast<double>(q));
        }
    }
}

void AllSums(const float* x, const float* y, std::int64_t count, float pointX, float pointY, const float* affinities,
             bool withLogarithms, StudentSums& sums)
{
    for (std::int64_t begin = 0; begin < count; begin += kFlush)
    {
        const std::int64_t end = std::min(count, begin + kFlush);
        if (affinities == nullptr)
            addRange<false, false>(x, y, affinities, begin, end, pointX, pointY, sums);
        else if (withLogarithms)
            addRange<true, true>(x, y, affinities, begin, end, pointX, pointY, sums);
        else
            addRange<true, false>(x, y, affinities, begin, end, pointX, pointY, sums);
    }
}

#if HWY_TARGET == HWY_SCALAR

/// One edge at a time, where there is no vector to hold a pair of coordinates.
template <bool kWithLogarithms>
void addEdges(const float* xy, std::int64_t point, const std::int32_t* columns, const float* values, std::int64_t count,
              StudentSums& sums)
{
    for (std::int64_t e = 0; e < count; ++e)
    {
        const float dx = xy[2 * point] - xy[2 * columns[e]];
        const float dy = xy[2 * point + 1] - xy[2 * columns[e] + 1];
        const double q = static_cast<double>(1.0F + dx * dx + dy * dy);
        sums.attractionX += static_cast<double>(values[e]) / q * static_cast<double>(dx);
        sums.attractionY += static_cast<double>(values[e]) / q * static_cast<double>(dy);
        if constexpr (kWithLogarithms)
            sums.logSum += static_cast<double>(values[e]) * std::log(q);
    }
}

#else

/// Both coordinates of the other end come with one 64-bit gather; lanes hold x, y, x, y, ...
template <bool kWithLogarithms>
void addEdges(const float* xy, std::int64_t point, const std::int32_t* columns, const float* values, std::int64_t count,
              StudentSums& sums)
{
    const hn::ScalableTag<float> d;
    const hn::Repartition<double, decltype(d)> dPair;
    const hn::RebindToSigned<decltype(dPair)> dIndex;
    const hn::Rebind<std::int32_t, decltype(dIndex)> dColumn;
    const hn::RebindToUnsigned<decltype(dPair)> dWide;
    const hn::Rebind<std::uint32_t, decltype(dWide)> dNarrow;
    const auto pairs = static_cast<std::int64_t>(hn::Lanes(dPair));
    const auto one = hn::Set(d, 1.0F);
    const auto* base = reinterpret_cast<const double*>(xy);
    const auto self = hn::BitCast(d, hn::Set(dPair, base[point]));
    auto attraction = hn::Zero(d);
    auto logs = hn::Zero(d);
    for (std::int64_t e = 0; e < count; e += pairs)
    {
        const auto index = hn::PromoteTo(dIndex, hn::LoadU(dColumn, columns + e));
        const auto other = hn::BitCast(d, hn::GatherIndex(dPair, base, index));
        const auto bits = hn::PromoteTo(dWide, hn::LoadU(dNarrow, reinterpret_cast<const std::uint32_t*>(values + e)));
        const auto affinity = hn::BitCast(d, hn::Or(bits, hn::ShiftLeft<32>(bits))); // p, p for x, y
        const auto delta = hn::Sub(self, other);
        const auto square = hn::Mul(delta, delta);
        const auto q = hn::Add(hn::Add(square, hn::Shuffle2301(square)), one);
        attraction = hn::MulAdd(hn::Div(affinity, q), delta, attraction);
        if constexpr (kWithLogarithms)
            logs = hn::MulAdd(affinity, hn::Log(d, q), logs);
    }
    HWY_ALIGN float lane[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(attraction, d, lane);
    for (std::int64_t i = 0; i < 2 * pairs; i += 2)
    {
        sums.attractionX += static_cast<double>(lane[i]);
        sums.attractionY += static_cast<double>(lane[i + 1]);
    }
    if constexpr (kWithLogarithms)
        sums.logSum += 0.5 * total(d, logs); // every edge stands twice in the lanes
}

#endif

void EdgeSums(const float* xy, std::int64_t point, const std::int32_t* columns, const float* values, std::int64_t count,
              bool withLogarithms, StudentSums& sums)
{
    if (withLogarithms)
        addEdges<true>(xy, point, columns, values, count, sums);
    else
        addEdges<false>(xy, point, columns, values, count, sums);
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(AllSums);
HWY_EXPORT(EdgeSums);

StudentSums studentSums(const float* x, const float* y, std::int64_t count, float pointX, float pointY,
                        const float* affinities, bool withLogarithms)
{
    StudentSums sums;
    HWY_DYNAMIC_DISPATCH(AllSums)(x, y, count, pointX, pointY, affinities, withLogarithms, sums);
    return sums;
}

StudentSums edgeSums(const float* xy, std::int64_t point, const std::int32_t* columns, const float* values,
                     std::int64_t count, bool withLogarithms)
{
    StudentSums sums;
    HWY_DYNAMIC_DISPATCH(EdgeSums)(xy, point, columns, values, count, withLogarithms, sums);
    return sums;
}

} // namespace headscope
#endif
