// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/distances.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/distances.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/highway.h>

#include <array>
#include <bit>
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
    constexpr std::int64_t kAhead = 4; // rows that are computed while another one comes from memory
    const auto size = static_cast<std::size_t>(dims);
    const bool scaled = scales != nullptr || scale != 1.0;
    for (std::int64_t i = 0; i < count; ++i)
    {
        const std::int64_t r = ids != nullptr ? ids[i] : i;
        const float* row = rows + r * stride;
        if (ids != nullptr && i + kAhead < count) // it is anywhere in memory
        {
            const float* next = rows + ids[i + kAhead] * stride;
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
        hn::StoreU(hn::Compress(ids, idMask), di, keptIds + step.appended);
        hn::StoreU(hn::Compress(v, mask), d, keptValues + step.appended);
        step.appended += static_cast<std::int64_t>(hn::CountTrue(d, mask));
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

/// A bit for each lane.
template <class Tag, class Mask>
std::uint64_t bitsOf(Tag d, Mask mask)
{
    std::array<std::uint8_t, 8> bytes = {};
    static_assert(HWY_MAX_BYTES / sizeof(float) <= 16);
    hn::StoreMaskBits(d, mask, bytes.data());
    return bytes[0] | (static_cast<std::uint64_t>(bytes[1]) << 8);
}

BothWaysStep ScanBothWays(const float* values, const float* bias, const float* limits, std::int64_t count,
                          float rowBias, float rowLimit, std::int32_t firstId, float* rowValues, std::int32_t* rowIds,
                          float* columnValues, std::int32_t* columnIds)
{
    const hn::ScalableTag<float> d;
    constexpr std::int64_t kBits = 64;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto own = hn::Set(d, rowBias);
    const auto limit = hn::Set(d, rowLimit);
    BothWaysStep step;
    for (std::int64_t j = 0; j < count; j += kBits)
    {
        std::uint64_t forRow = 0;
        std::uint64_t forColumn = 0;
        for (std::int64_t at = 0; at < kBits; at += lanes)
        {
            const auto v = hn::LoadU(d, values + j + at);
            const auto rowMask = hn::Le(hn::Add(v, hn::LoadU(d, bias + j + at)), limit);
            const auto columnMask = hn::Le(hn::Add(v, own), hn::LoadU(d, limits + j + at));
            forRow |= bitsOf(d, rowMask) << at;
            forColumn |= bitsOf(d, columnMask) << at;
        }
        const std::uint64_t inside = count - j < kBits ? (std::uint64_t{1} << (count - j)) - 1 : ~std::uint64_t{0};
        for (forRow &= inside; forRow != 0; forRow &= forRow - 1)
        {
            const std::int64_t at = j + std::countr_zero(forRow);
            rowValues[step.row] = values[at] + bias[at];
            rowIds[step.row++] = firstId + static_cast<std::int32_t>(at);
        }
        for (forColumn &= inside; forColumn != 0; forColumn &= forColumn - 1)
        {
            const std::int64_t at = j + std::countr_zero(forColumn);
            columnValues[step.column] = values[at] + rowBias;
            columnIds[step.column++] = firstId + static_cast<std::int32_t>(at);
        }
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
