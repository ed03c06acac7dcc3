// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/descent.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/descent.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

int sign(float value)
{
    return static_cast<int>(value > 0) - static_cast<int>(value < 0);
}

/// One point; also what the vectors below compute lane by lane.
void stepOfPoint(const float* gradient, float* gain, float* velocity, float* xy, const DescentRates& rates,
                 DescentSums& sums)
{
    float step[2];
    for (int c = 0; c < 2; ++c)
    {
        gain[c] = sign(gradient[c]) != sign(velocity[c]) ? gain[c] + 0.2F : std::max(0.8F * gain[c], 0.01F);
        step[c] = rates.momentum * velocity[c] - rates.rate * gain[c] * gradient[c];
    }
    const float square = step[0] * step[0] + step[1] * step[1];
    const bool cut = square > rates.longest * rates.longest;
    const float factor = !std::isfinite(square) ? 0.0F : cut ? rates.longest / std::sqrt(square) : 1.0F;
    for (int c = 0; c < 2; ++c)
    {
        velocity[c] = factor == 0 ? 0.0F : factor * step[c];
        xy[c] += velocity[c];
    }
    sums.clipped += cut ? 1 : 0;
    sums.x += static_cast<double>(xy[0]);
    sums.y += static_cast<double>(xy[1]);
}

void Descend(const float* gradient, float* gain, float* velocity, float* xy, std::int64_t points,
             const DescentRates& rates, DescentSums& sums)
{
    std::int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d)); // half as many points
    const auto zero = hn::Zero(d);
    const auto largest = hn::Set(d, hwy::HighestValue<float>());
    const auto longest = hn::Set(d, rates.longest);
    const auto longestSquare = hn::Mul(longest, longest);
    auto total = zero;
    for (; i + lanes <= 2 * points; i += lanes)
    {
        const auto g = hn::LoadU(d, gradient + i);
        const auto v = hn::LoadU(d, velocity + i);
        const auto former = hn::LoadU(d, gain + i);
        const auto differ =
            hn::Or(hn::Xor(hn::Gt(g, zero), hn::Gt(v, zero)), hn::Xor(hn::Lt(g, zero), hn::Lt(v, zero)));
        const auto grown = hn::Add(former, hn::Set(d, 0.2F));
        const auto shrunk = hn::Max(hn::Mul(former, hn::Set(d, 0.8F)), hn::Set(d, 0.01F));
        const auto own = hn::IfThenElse(differ, grown, shrunk);
        hn::StoreU(own, d, gain + i);
        const auto pull = hn::Mul(hn::Mul(hn::Set(d, rates.rate), own), g);
        const auto step = hn::Sub(hn::Mul(hn::Set(d, rates.momentum), v), pull);
        const auto squares = hn::Mul(step, step);
        const auto square = hn::Add(squares, hn::Shuffle2301(squares)); // of both coordinates, in both lanes
        const auto cut = hn::Gt(square, longestSquare);
        const auto shortened = hn::Mul(step, hn::Div(longest, hn::Sqrt(square)));
        const auto next = hn::IfThenElseZero(hn::Le(square, largest), hn::IfThenElse(cut, shortened, step));
        hn::StoreU(next, d, velocity + i);
        const auto moved = hn::Add(hn::LoadU(d, xy + i), next);
        hn::StoreU(moved, d, xy + i);
        total = hn::Add(total, moved);
        sums.clipped += static_cast<std::int64_t>(hn::CountTrue(d, cut)) / 2;
    }
    HWY_ALIGN float lane[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(total, d, lane);
    for (std::int64_t l = 0; l < lanes; l += 2)
    {
        sums.x += static_cast<double>(lane[l]);
        sums.y += static_cast<double>(lane[l + 1]);
    }
#endif
    for (; i < 2 * points; i += 2)
        stepOfPoint(gradient + i, gain + i, velocity + i, xy + i, rates, sums);
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(Descend);

DescentSums descend(const float* gradient, float* gain, float* velocity, float* xy, std::int64_t points,
                    const DescentRates& rates)
{
    DescentSums sums;
    HWY_DYNAMIC_DISPATCH(Descend)(gradient, gain, velocity, xy, points, rates, sums);
    return sums;
}

} // namespace headscope
#endif
