// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/distances.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/distances.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

/// Without scales the products by 1 are left out: the same bits, a third fewer instructions.
template <bool kScaled>
double pairDistance(const float* a, double scaleA, const float* b, double scaleB, std::size_t dims)
{
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> half;
    const std::size_t lanes = hn::Lanes(d);
    [[maybe_unused]] const auto sa = hn::Set(d, scaleA);
    [[maybe_unused]] const auto sb = hn::Set(d, scaleB);
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    std::size_t k = 0;
    const auto difference = [&](std::size_t at) HWY_ATTR {
        const auto va = hn::PromoteTo(d, hn::LoadU(half, a + at));
        const auto vb = hn::PromoteTo(d, hn::LoadU(half, b + at));
        if constexpr (kScaled)
            return hn::Sub(hn::Mul(va, sa), hn::Mul(vb, sb));
        else
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
    const auto size = static_cast<std::size_t>(dims);
    const bool scaled = scales != nullptr || scale != 1.0;
    for (std::int64_t i = 0; i < count; ++i)
    {
        const std::int64_t r = ids != nullptr ? ids[i] : i;
        const float* row = rows + r * stride;
        if (ids != nullptr && i + 1 < count) // the next one is anywhere in memory
        {
            const float* next = rows + ids[i + 1] * stride;
            for (std::int64_t k = 0; k < dims; k += 16)
                __builtin_prefetch(next + k);
        }
        out[i] = scaled ? pairDistance<true>(query, scale, row, scales != nullptr ? scales[r] : 1.0, size)
                        : pairDistance<false>(query, 1.0, row, 1.0, size);
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

std::int64_t SmallestOf(const float* values, const float* bias, std::int64_t count)
{
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> di;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    float best = std::numeric_limits<float>::infinity();
    std::int64_t at = 0;
    std::int64_t j = 0;
    if (count >= lanes)
    {
        auto smallest = hn::Set(d, best);
        auto where = hn::Zero(di);
        for (; j + lanes <= count; j += lanes)
        {
            const auto v = hn::Add(hn::LoadU(d, values + j), hn::LoadU(d, bias + j));
            const auto less = hn::Lt(v, smallest);
            smallest = hn::IfThenElse(less, v, smallest);
            where = hn::IfThenElse(hn::RebindMask(di, less), hn::Set(di, static_cast<std::int32_t>(j)), where);
        }
        HWY_ALIGN float lane[HWY_MAX_BYTES / sizeof(float)];
        HWY_ALIGN std::int32_t base[HWY_MAX_BYTES / sizeof(float)];
        hn::Store(smallest, d, lane);
        hn::Store(where, di, base);
        for (std::int64_t l = 0; l < lanes; ++l)
        {
            const std::int64_t index = base[l] + l;
            if (lane[l] < best || (lane[l] == best && lane[l] < std::numeric_limits<float>::infinity() && index < at))
            {
                best = lane[l];
                at = index;
            }
        }
    }
    for (; j < count; ++j)
    {
        const float v = values[j] + bias[j];
        if (v < best)
        {
            best = v;
            at = j;
        }
    }
    return at;
}

BothWaysStep ScanBothWays(const float* values, const float* bias, const float* limits, std::int64_t count,
                          float rowBias, float rowLimit, std::int32_t firstId, float* rowValues, std::int32_t* rowIds,
                          float* columnValues, std::int32_t* columnIds)
{
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> di;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto own = hn::Set(d, rowBias);
    const auto limit = hn::Set(d, rowLimit);
    BothWaysStep step;
    const auto keep = [&](std::int64_t at, auto sum, auto mask, float* sums, std::int32_t* ids, std::int64_t& kept)
                          HWY_ATTR {
                              const auto id = hn::Iota(di, firstId + static_cast<std::int32_t>(at));
                              hn::CompressStore(id, hn::RebindMask(di, mask), di, ids + kept);
                              kept += static_cast<std::int64_t>(hn::CompressStore(sum, mask, d, sums + kept));
                          };
    const auto keepBoth = [&](std::int64_t at, auto forRow, auto rowMask, auto forColumn, auto columnMask) HWY_ATTR {
        if (!hn::AllFalse(d, rowMask))
            keep(at, forRow, rowMask, rowValues, rowIds, step.row);
        if (!hn::AllFalse(d, columnMask))
            keep(at, forColumn, columnMask, columnValues, columnIds, step.column);
    };
    std::int64_t j = 0;
    for (; j + 2 * lanes <= count; j += 2 * lanes)
    {
        const auto v0 = hn::LoadU(d, values + j);
        const auto v1 = hn::LoadU(d, values + j + lanes);
        const auto row0 = hn::Add(v0, hn::LoadU(d, bias + j));
        const auto row1 = hn::Add(v1, hn::LoadU(d, bias + j + lanes));
        const auto column0 = hn::Add(v0, own);
        const auto column1 = hn::Add(v1, own);
        const auto rowMask0 = hn::Le(row0, limit);
        const auto rowMask1 = hn::Le(row1, limit);
        const auto columnMask0 = hn::Le(column0, hn::LoadU(d, limits + j));
        const auto columnMask1 = hn::Le(column1, hn::LoadU(d, limits + j + lanes));
        const auto any = hn::Or(hn::Or(rowMask0, rowMask1), hn::Or(columnMask0, columnMask1));
        if (HWY_LIKELY(hn::AllFalse(d, any)))
            continue;
        keepBoth(j, row0, rowMask0, column0, columnMask0);
        keepBoth(j + lanes, row1, rowMask1, column1, columnMask1);
    }
    for (; j < count; j += lanes)
    {
        const auto inside = hn::FirstN(d, static_cast<std::size_t>(count - j));
        const auto v = hn::LoadU(d, values + j);
        const auto row = hn::Add(v, hn::LoadU(d, bias + j));
        const auto column = hn::Add(v, own);
        keepBoth(j, row, hn::And(inside, hn::Le(row, limit)), column,
                 hn::And(inside, hn::Le(column, hn::LoadU(d, limits + j))));
    }
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
HWY_EXPORT(SmallestOf);
HWY_EXPORT(ScanBothWays);

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

std::int64_t smallestOf(const float* values, const float* bias, std::int64_t count)
{
    return HWY_DYNAMIC_DISPATCH(SmallestOf)(values, bias, count);
}

BothWaysStep scanBothWays(const float* values, const float* bias, const float* limits, std::int64_t count,
                          float rowBias, float rowLimit, std::int32_t firstId, float* rowValues, std::int32_t* rowIds,
                          float* columnValues, std::int32_t* columnIds)
{
    return HWY_DYNAMIC_DISPATCH(ScanBothWays)(values, bias, limits, count, rowBias, rowLimit, firstId, rowValues,
                                              rowIds, columnValues, columnIds);
}

} // namespace headscope
#endif
