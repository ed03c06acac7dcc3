// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/edge_forces.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/edge_forces.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

/// Affinities as they are stored: float32 or float16.
template <class D>
HWY_INLINE hn::VFromD<D> loadAffinities(D d, const float* values)
{
    return hn::LoadU(d, values);
}

template <class D>
HWY_INLINE hn::VFromD<D> loadAffinities(D d, const std::uint16_t* halves)
{
    const hn::Rebind<hwy::float16_t, D> dHalf;
    return hn::PromoteTo(d, hn::LoadU(dHalf, reinterpret_cast<const hwy::float16_t*>(halves)));
}

#if HWY_TARGET == HWY_SCALAR

template <class D>
HWY_INLINE void loadPairs(D d, const float* xy, const std::int32_t* columns, hn::VFromD<D>& x, hn::VFromD<D>& y)
{
    x = hn::Set(d, xy[2 * columns[0]]);
    y = hn::Set(d, xy[2 * columns[0] + 1]);
}

#else

/// The coordinates of two points as one vector of two 64-bit lanes.
HWY_INLINE hn::Vec<hn::Full128<double>> pairOf(const double* points, const std::int32_t* columns)
{
    const hn::Full128<double> two;
    const hn::Half<decltype(two)> one;
    return hn::Combine(two, hn::LoadU(one, points + columns[1]), hn::LoadU(one, points + columns[0]));
}

HWY_INLINE hn::Vec<hn::Simd<double, 4, 0>> fourOf(const double* points, const std::int32_t* columns)
{
    const hn::Simd<double, 4, 0> four;
    return hn::Combine(four, pairOf(points, columns + 2), pairOf(points, columns));
}

/// As many points as d has lanes, x and y apart. One 64-bit load a point: the gather instruction
/// takes at least as long everywhere, and several times as long on some CPUs.
template <class D>
HWY_INLINE void loadPairs(D d, const float* xy, const std::int32_t* columns, hn::VFromD<D>& x, hn::VFromD<D>& y)
{
    const auto* points = reinterpret_cast<const double*>(xy);
#if HWY_TARGET == HWY_AVX2
    const auto low = hn::BitCast(d, fourOf(points, columns));
    const auto high = hn::BitCast(d, fourOf(points, columns + 4));
#else
    const hn::Simd<double, 8, 0> eight;
    const auto low = hn::BitCast(d, hn::Combine(eight, fourOf(points, columns + 4), fourOf(points, columns)));
    const auto high = hn::BitCast(d, hn::Combine(eight, fourOf(points, columns + 12), fourOf(points, columns + 8)));
#endif
    x = hn::ConcatEven(d, high, low);
    y = hn::ConcatOdd(d, high, low);
}

#endif

template <bool kWithLogarithms, class Stored>
void rowsOfEdges(const float* xy, std::int64_t first, std::int64_t rows, const EdgeRows& edges, const Stored* values,
                 float inverse, float* into, double* logSum)
{
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
    const auto one = hn::Set(d, 1.0F);
    const auto over = hn::Set(d, inverse);
    for (std::int64_t row = 0; row < rows; ++row)
    {
        const auto px = hn::Set(d, xy[2 * (first + row)]);
        const auto py = hn::Set(d, xy[2 * (first + row) + 1]);
        auto ax = hn::Zero(d);
        auto ay = hn::Zero(d);
        auto logs = hn::Zero(d);
        for (std::int32_t e = edges.start[row]; e < edges.start[row + 1]; e += lanes)
        {
            auto x = hn::Zero(d);
            auto y = hn::Zero(d);
            loadPairs(d, xy, edges.columns + e, x, y);
            const auto affinity = loadAffinities(d, values + e);
            const auto dx = hn::Sub(px, x);
            const auto dy = hn::Sub(py, y);
            const auto q = hn::MulAdd(hn::MulAdd(dx, dx, hn::Mul(dy, dy)), over, one);
            const auto pull = hn::Div(affinity, q);
            ax = hn::MulAdd(pull, dx, ax);
            ay = hn::MulAdd(pull, dy, ay);
            if constexpr (kWithLogarithms)
                logs = hn::MulAdd(affinity, hn::Log(d, q), logs);
        }
        into[2 * row] = edges.scale * hn::GetLane(hn::SumOfLanes(d, ax));
        into[2 * row + 1] = edges.scale * hn::GetLane(hn::SumOfLanes(d, ay));
        if constexpr (kWithLogarithms)
            *logSum += static_cast<double>(edges.scale) * static_cast<double>(hn::GetLane(hn::SumOfLanes(d, logs)));
    }
}

template <class Stored>
void chooseLogarithms(const float* xy, std::int64_t first, std::int64_t rows, const EdgeRows& edges,
                      const Stored* values, float inverse, float* into, double* logSum)
{
    if (logSum != nullptr)
        rowsOfEdges<true>(xy, first, rows, edges, values, inverse, into, logSum);
    else
        rowsOfEdges<false>(xy, first, rows, edges, values, inverse, into, logSum);
}

void EdgeForces(const float* xy, std::int64_t first, std::int64_t rows, const EdgeRows& edges, float inverse,
                float* into, double* logSum)
{
    if (edges.values != nullptr)
        chooseLogarithms(xy, first, rows, edges, edges.values, inverse, into, logSum);
    else
        chooseLogarithms(xy, first, rows, edges, edges.halves, inverse, into, logSum);
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(EdgeForces);

void edgeForces(const float* xy, std::int64_t first, std::int64_t rows, const EdgeRows& edges, float inverse,
                float* into, double* logSum)
{
    HWY_DYNAMIC_DISPATCH(EdgeForces)(xy, first, rows, edges, inverse, into, logSum);
}

} // namespace headscope
#endif
