// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/distances.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/distances.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

double pairDistance(const float* a, double scaleA, const float* b, double scaleB, std::size_t dims)
{
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> half;
    const std::size_t lanes = hn::Lanes(d);
    const auto sa = hn::Set(d, scaleA);
    const auto sb = hn::Set(d, scaleB);
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    std::size_t k = 0;
    const auto difference = [&](std::size_t at) HWY_ATTR {
        const auto va = hn::Mul(hn::PromoteTo(d, hn::LoadU(half, a + at)), sa);
        const auto vb = hn::Mul(hn::PromoteTo(d, hn::LoadU(half, b + at)), sb);
        return hn::Sub(va, vb);
    };
    for (; k + 2 * lanes <= dims; k += 2 * lanes)
    {
        const auto d0 = difference(k);
        const auto d1 = difference(k + lanes);
        sum0 = hn::MulAdd(d0, d0, sum0);
        sum1 = hn::MulAdd(d1, d1, sum1);
    }
    for (; k + lanes <= dims; k += lanes)
    {
        const auto d0 = difference(k);
        sum0 = hn::MulAdd(d0, d0, sum0);
    }
    double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
    for (; k < dims; ++k)
    {
        // Products rounded before the difference, so that the two orders of a pair agree.
        const volatile double va = static_cast<double>(a[k]) * scaleA;
        const volatile double vb = static_cast<double>(b[k]) * scaleB;
        const double delta = va - vb;
        sum += delta * delta;
    }
    return sum;
}

void SquaredDistances(const float* query, double scale, const float* rows, std::int64_t stride, const double* scales,
                      const std::int32_t* ids, std::int64_t count, std::int64_t dims, double* out)
{
    for (std::int64_t i = 0; i < count; ++i)
    {
        const std::int64_t r = ids != nullptr ? ids[i] : i;
        out[i] = pairDistance(query, scale, rows + r * stride, scales != nullptr ? scales[r] : 1.0,
                              static_cast<std::size_t>(dims));
    }
}

double DotProduct(const float* a, const float* b, std::int64_t dims)
{
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> half;
    const std::size_t lanes = hn::Lanes(d);
    const auto size = static_cast<std::size_t>(dims);
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    std::size_t k = 0;
    for (; k + 2 * lanes <= size; k += 2 * lanes)
    {
        sum0 = hn::MulAdd(hn::PromoteTo(d, hn::LoadU(half, a + k)), hn::PromoteTo(d, hn::LoadU(half, b + k)), sum0);
        sum1 = hn::MulAdd(hn::PromoteTo(d, hn::LoadU(half, a + k + lanes)),
                          hn::PromoteTo(d, hn::LoadU(half, b + k + lanes)), sum1);
    }
    double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
    for (; k < size; ++k)
        sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
    return sum;
}

ScanStep ScanBelow(const float* values, const float* bias, std::int64_t count, float threshold, std::int32_t firstId,
                   float* keptValues, std::int32_t* keptIds, std::int64_t room)
{
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> di;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto limit = hn::Set(d, threshold);
    ScanStep step;
    std::int64_t j = 0;
    const auto keep = [&](std::int64_t at, auto v, auto mask) HWY_ATTR {
        const auto idMask = hn::RebindMask(di, mask);
        const auto ids = hn::Iota(di, firstId + static_cast<std::int32_t>(at));
        hn::CompressStore(ids, idMask, di, keptIds + step.appended);
        step.appended += static_cast<std::int64_t>(hn::CompressStore(v, mask, d, keptValues + step.appended));
    };
    for (; j + 2 * lanes <= count && room - step.appended >= kScanSlack; j += 2 * lanes)
    {
        const auto v0 = hn::Add(hn::LoadU(d, values + j), hn::LoadU(d, bias + j));
        const auto v1 = hn::Add(hn::LoadU(d, values + j + lanes), hn::LoadU(d, bias + j + lanes));
        const auto m0 = hn::Le(v0, limit);
        const auto m1 = hn::Le(v1, limit);
        if (HWY_LIKELY(hn::AllFalse(d, hn::Or(m0, m1))))
            continue;
        keep(j, v0, m0);
        keep(j + lanes, v1, m1);
    }
    for (; j < count && j + 2 * lanes > count && room - step.appended >= kScanSlack; ++j)
    {
        const float v = values[j] + bias[j];
        if (!(v <= threshold))
            continue;
        keptValues[step.appended] = v;
        keptIds[step.appended++] = firstId + static_cast<std::int32_t>(j);
    }
    step.consumed = j;
    return step;
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(SquaredDistances);
HWY_EXPORT(DotProduct);
HWY_EXPORT(ScanBelow);

void squaredDistances(const float* query, double scale, const float* rows, std::int64_t stride, const double* scales,
                      const std::int32_t* ids, std::int64_t count, std::int64_t dims, double* out)
{
    HWY_DYNAMIC_DISPATCH(SquaredDistances)(query, scale, rows, stride, scales, ids, count, dims, out);
}

double squaredNorm(const float* values, std::int64_t dims)
{
    return HWY_DYNAMIC_DISPATCH(DotProduct)(values, values, dims);
}

double dotProduct(const float* a, const float* b, std::int64_t dims)
{
    return HWY_DYNAMIC_DISPATCH(DotProduct)(a, b, dims);
}

ScanStep scanBelow(const float* values, const float* bias, std::int64_t count, float threshold, std::int32_t firstId,
                   float* keptValues, std::int32_t* keptIds, std::int64_t room)
{
    return HWY_DYNAMIC_DISPATCH(ScanBelow)(values, bias, count, threshold, firstId, keptValues, keptIds, room);
}

} // namespace headscope
#endif
