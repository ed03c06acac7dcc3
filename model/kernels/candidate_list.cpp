// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/candidate_list.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/candidate_list.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

constexpr int kBisections = 48;

/// How many of the padded values are not above the cut.
std::int64_t countBelow(const float* values, std::int64_t padded, float cut)
{
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto limit = hn::Set(d, cut);
    std::size_t below = 0;
    for (std::int64_t i = 0; i < padded; i += lanes)
        below += hn::CountTrue(d, hn::Le(hn::LoadU(d, values + i), limit));
    return static_cast<std::int64_t>(below);
}

/// A number that at least `wanted` values are not above, and few more.
float cutAt(const float* values, std::int64_t padded, std::int64_t wanted, float low, float high)
{
    const std::int64_t enough = wanted + wanted / 16;
    for (int step = 0; step < kBisections; ++step)
    {
        const float middle = low + (high - low) * 0.5F;
        if (!(middle > low && middle < high))
            break;
        const std::int64_t below = countBelow(values, padded, middle);
        (below >= wanted ? high : low) = middle;
        if (below >= wanted && below <= enough)
            break;
    }
    return high;
}

std::int64_t KeepSmallest(float* values, std::int32_t* ids, std::int64_t count, std::int64_t wanted,
                          const CandidateBounds& bounds, float slack, float& limit, float* scratch)
{
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> di;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t padded = (count + lanes - 1) / lanes * lanes;
    const auto factor = hn::Set(d, bounds.factor);
    const auto offset = hn::Set(d, bounds.offset);
    const auto beyond = hn::Set(d, std::numeric_limits<float>::infinity());
    std::fill(ids + count, ids + padded, 0);
    auto smallest = beyond;
    auto largest = hn::Neg(beyond);
    for (std::int64_t i = 0; i < padded; i += lanes)
    {
        const auto inside = hn::FirstN(d, static_cast<std::size_t>(std::min(lanes, count - i)));
        const auto norm = hn::GatherIndex(d, bounds.norms, hn::LoadU(di, ids + i));
        const auto upper = hn::MulAdd(norm, factor, hn::Add(hn::LoadU(d, values + i), offset));
        hn::StoreU(hn::IfThenElse(inside, upper, beyond), d, scratch + i);
        smallest = hn::Min(smallest, hn::IfThenElse(inside, upper, beyond));
        largest = hn::Max(largest, hn::IfThenElse(inside, upper, hn::Neg(beyond)));
    }
    const float low = hn::GetLane(hn::MinOfLanes(d, smallest));
    const float high = hn::GetLane(hn::MaxOfLanes(d, largest));
    const float cut = countBelow(scratch, padded, low) >= wanted ? low : cutAt(scratch, padded, wanted, low, high);
    limit = std::min(limit, cut + slack);
    const auto most = hn::Set(d, limit);
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < padded; i += lanes)
    {
        const auto v = hn::LoadU(d, values + i);
        const auto id = hn::LoadU(di, ids + i);
        const auto inside = hn::FirstN(d, static_cast<std::size_t>(std::min(lanes, count - i)));
        const auto stays = hn::And(inside, hn::Le(v, most));
        hn::StoreU(hn::Compress(id, hn::RebindMask(di, stays)), di, ids + kept); // never ahead of what was read
        hn::StoreU(hn::Compress(v, stays), d, values + kept);
        kept += static_cast<std::int64_t>(hn::CountTrue(d, stays));
    }
    return kept;
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(KeepSmallest);

std::int64_t keepSmallest(float* values, std::int32_t* ids, std::int64_t count, std::int64_t wanted,
                          const CandidateBounds& bounds, float slack, float& limit, float* scratch)
{
    return HWY_DYNAMIC_DISPATCH(KeepSmallest)(values, ids, count, wanted, bounds, slack, limit, scratch);
}

} // namespace headscope
#endif
