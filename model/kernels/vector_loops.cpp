// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/vector_loops.h"

#include "model/base/assert.h"

#include <cmath>

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per
// instruction set, by including this file again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/vector_loops.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace
{
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using FloatVec = hn::Vec<FloatTag>;

/// Whether masked loads and stores leave the memory of the other lanes alone. Rows of attention are short, and a detour
/// through a buffer takes longer than some whole vectors.
constexpr bool kMasksMemory = HWY_TARGET <= HWY_AVX2;

/// Loads lanes [i, n); the missing ones are `fill`.
FloatVec loadTail(FloatTag d, const float* x, std::size_t i, std::size_t n, float fill)
{
    if constexpr (kMasksMemory)
    {
        const auto inside = hn::FirstN(d, n - i);
        return hn::IfThenElse(inside, hn::MaskedLoad(inside, d, x + i), hn::Set(d, fill));
    }
    HWY_ALIGN float buffer[HWY_MAX_BYTES / sizeof(float)] = {};
    hn::Store(hn::Set(d, fill), d, buffer);
    for (std::size_t lane = 0; i + lane < n; ++lane)
        buffer[lane] = x[i + lane];
    return hn::Load(d, buffer);
}

void storeTail(FloatTag d, FloatVec values, float* out, std::size_t i, std::size_t n)
{
    if constexpr (kMasksMemory)
        return hn::BlendedStore(values, hn::FirstN(d, n - i), d, out + i);
    HWY_ALIGN float buffer[HWY_MAX_BYTES / sizeof(float)] = {};
    hn::Store(values, d, buffer);
    for (std::size_t lane = 0; i + lane < n; ++lane)
        out[i + lane] = buffer[lane];
}

/// out[i] = f(x[i]), lane by lane.
template <class Function>
void mapLoop(const float* x, float* out, std::size_t n, const Function& f)
{
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        hn::StoreU(f(d, hn::LoadU(d, x + i)), d, out + i);
    if (i < n)
        storeTail(d, f(d, loadTail(d, x, i, n, 0)), out, i, n);
}

/// out[i] = f(x[i], y[i]), lane by lane.
template <class Function>
void mapLoop2(const float* x, const float* y, float* out, std::size_t n, const Function& f)
{
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        hn::StoreU(f(d, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, out + i);
    if (i < n)
        storeTail(d, f(d, loadTail(d, x, i, n, 0), loadTail(d, y, i, n, 0)), out, i, n);
}

/// Sum of f(x[i]), two chains of additions; f(fill) must be 0.
template <class Function>
float sumLoop(const float* x, std::size_t n, float fill, const Function& f)
{
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d);
    auto even = hn::Zero(d);
    auto odd = hn::Zero(d);
    std::size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes)
    {
        even = hn::Add(even, f(d, hn::LoadU(d, x + i)));
        odd = hn::Add(odd, f(d, hn::LoadU(d, x + i + lanes)));
    }
    for (; i < n; i += lanes)
        even = hn::Add(even, f(d, i + lanes <= n ? hn::LoadU(d, x + i) : loadTail(d, x, i, n, fill)));
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
}

/// hn::Exp to the last bit. CPUs that scale by a power of two in one instruction need a third fewer of them.
template <class Tag, class Vec>
Vec expOf(Tag d, Vec x)
{
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    hn::impl::ExpImpl<float> exponential;
    const auto rounding = hn::CopySignToAbs(hn::Set(d, 0.5F), x);
    const auto power = hn::Trunc(hn::MulAdd(x, hn::Set(d, 1.44269504F), rounding));
    auto reduced = hn::MulAdd(power, hn::Set(d, -0.693145751953125F), x); // by ln 2 in two parts
    reduced = hn::MulAdd(power, hn::Set(d, -1.428606765330187045e-6F), reduced);
    const auto factor = hn::Add(exponential.ExpPoly(d, reduced), hn::Set(d, 1.0F));
    return hn::IfThenElseZero(hn::Ge(x, hn::Set(d, -104.0F)), Vec{_mm512_scalef_ps(factor.raw, power.raw)});
#else
    return hn::Exp(d, x);
#endif
}

void addInto(const float* x, float* into, std::size_t n)
{
    mapLoop2(into, x, into, n, [](auto, auto a, auto b) { return hn::Add(a, b); });
}

void multiplyInto(const float* x, float* into, std::size_t n)
{
    mapLoop2(into, x, into, n, [](auto, auto a, auto b) { return hn::Mul(a, b); });
}

void maxInto(const float* x, float* into, std::size_t n)
{
    mapLoop2(into, x, into, n, [](auto, auto a, auto b) { return hn::Max(a, b); });
}

void rmsNorm(const float* x, const float* weight, float eps, float* out, std::size_t n)
{
    const float squares = sumLoop(x, n, 0, [](auto, auto v) { return hn::Mul(v, v); });
    const float scale = 1.0F / std::sqrt(squares / static_cast<float>(n) + eps);
    mapLoop2(x, weight, out, n, [scale](auto d, auto v, auto w) { return hn::Mul(w, hn::Mul(v, hn::Set(d, scale))); });
}

void layerNorm(const float* x, const float* weight, const float* bias, float eps, float* out, std::size_t n)
{
    const float mean = sumLoop(x, n, 0, [](auto, auto v) { return v; }) / static_cast<float>(n);
    const float squares = sumLoop(x, n, mean, [mean](auto d, auto v) {
        const auto centred = hn::Sub(v, hn::Set(d, mean));
        return hn::Mul(centred, centred);
    });
    const float scale = 1.0F / std::sqrt(squares / static_cast<float>(n) + eps);
    mapLoop2(x, weight, out, n, [mean, scale](auto d, auto v, auto w) {
        return hn::Mul(w, hn::Mul(hn::Sub(v, hn::Set(d, mean)), hn::Set(d, scale)));
    });
    if (bias != nullptr)
        mapLoop2(out, bias, out, n, [](auto, auto v, auto b) { return hn::Add(v, b); });
}

void softmax(float* x, float scale, std::size_t n)
{
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d);
    auto largest = hn::Set(d, x[0]);
    for (std::size_t i = 0; i < n; i += lanes)
        largest = hn::Max(largest, i + lanes <= n ? hn::LoadU(d, x + i) : loadTail(d, x, i, n, x[0]));
    const float top = hn::GetLane(hn::MaxOfLanes(d, largest));
    // As sumLoop adds, in the pass that has the terms at hand.
    const auto factor = hn::Set(d, scale);
    const auto highest = hn::Set(d, top);
    const auto term = [&](auto v) { return expOf(d, hn::Mul(hn::Sub(v, highest), factor)); };
    auto even = hn::Zero(d);
    auto odd = hn::Zero(d);
    std::size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes)
    {
        const auto first = term(hn::LoadU(d, x + i));
        const auto second = term(hn::LoadU(d, x + i + lanes));
        hn::StoreU(first, d, x + i);
        hn::StoreU(second, d, x + i + lanes);
        even = hn::Add(even, first);
        odd = hn::Add(odd, second);
    }
    for (; i + lanes <= n; i += lanes)
    {
        const auto one = term(hn::LoadU(d, x + i));
        hn::StoreU(one, d, x + i);
        even = hn::Add(even, one);
    }
    if (i < n)
    {
        const auto rest = term(loadTail(d, x, i, n, top));
        storeTail(d, rest, x, i, n);
        even = hn::Add(even, hn::IfThenElseZero(hn::FirstN(d, n - i), rest));
    }
    const float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
    mapLoop(x, x, n, [factor = 1.0F / sum](auto tag, auto v) { return hn::Mul(v, hn::Set(tag, factor)); });
}

/// tanh(v) = 1 - 2 / (exp(2 v) + 1) of |v|, with the sign of v. Near zero, where that loses digits, its series.
template <class Tag, class Vec>
Vec tanhOf(Tag d, Vec v)
{
    const auto size = hn::Min(hn::Abs(v), hn::Set(d, 20.0F)); // 1 to the last bit from 9 on
    const auto far =
        hn::Sub(hn::Set(d, 1.0F), hn::Div(hn::Set(d, 2.0F), hn::Add(expOf(d, hn::Add(size, size)), hn::Set(d, 1.0F))));
    const auto square = hn::Mul(size, size);
    // x - x^3/3 + 2 x^5/15 - 17 x^7/315: below 1/8 the next term is less than 2^-28 of x.
    auto series = hn::MulAdd(square, hn::Set(d, -17.0F / 315.0F), hn::Set(d, 2.0F / 15.0F));
    series = hn::MulAdd(square, series, hn::Set(d, -1.0F / 3.0F));
    series = hn::Mul(size, hn::MulAdd(square, series, hn::Set(d, 1.0F)));
    const auto found = hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.125F)), series, far);
    return hn::CopySignToAbs(found, v);
}

void capTanh(float* x, float scale, float cap, std::size_t n)
{
    mapLoop(x, x, n, [scale, cap](auto d, auto v) {
        return hn::Mul(hn::Set(d, cap), tanhOf(d, hn::Div(hn::Mul(v, hn::Set(d, scale)), hn::Set(d, cap))));
    });
}

void silu(float* x, std::size_t n)
{
    mapLoop(x, x, n, [](auto d, auto v) {
        const auto exponent = hn::Min(hn::Neg(v), hn::Set(d, 88.0F)); // as in siluTimes
        return hn::Div(v, hn::Add(hn::Set(d, 1.0F), expOf(d, exponent)));
    });
}

void siluTimes(const float* gate, const float* up, float* out, std::size_t n)
{
    mapLoop2(gate, up, out, n, [](auto d, auto g, auto u) {
        // Exp of more than 88 would be infinite and the quotient 0, as it should be; clamped all
        // the same, because the range reduction of Exp is only defined for finite results.
        const auto exponent = hn::Min(hn::Neg(g), hn::Set(d, 88.0F));
        return hn::Mul(u, hn::Div(g, hn::Add(hn::Set(d, 1.0F), expOf(d, exponent))));
    });
}

void gelu(float* x, std::size_t n)
{
    // erf(z) = 1 - (a1 t + ... + a5 t^5) exp(-z^2), t = 1 / (1 + p z), for z >= 0. Kept as
    // erfc, so that the small values left of zero keep their digits.
    mapLoop(x, x, n, [](auto d, auto v) {
        const auto z = hn::Abs(hn::Mul(v, hn::Set(d, 0.70710678118654752F)));
        const auto t = hn::Div(hn::Set(d, 1.0F), hn::MulAdd(z, hn::Set(d, 0.3275911F), hn::Set(d, 1.0F)));
        auto poly = hn::MulAdd(t, hn::Set(d, 1.061405429F), hn::Set(d, -1.453152027F));
        poly = hn::MulAdd(t, poly, hn::Set(d, 1.421413741F));
        poly = hn::MulAdd(t, poly, hn::Set(d, -0.284496736F));
        poly = hn::Mul(t, hn::MulAdd(t, poly, hn::Set(d, 0.254829592F)));
        const auto half = hn::Mul(hn::Set(d, 0.5F), hn::Mul(poly, expOf(d, hn::Neg(hn::Mul(z, z)))));
        const auto share = hn::IfThenElse(hn::Lt(v, hn::Zero(d)), half, hn::Sub(hn::Set(d, 1.0F), half));
        return hn::Mul(v, share);
    });
}

void geluTanh(float* x, std::size_t n)
{
    // 0.5 (1 + tanh(u)) = 1 / (1 + exp(-2 u)): no digits are lost where it is small.
    mapLoop(x, x, n, [](auto d, auto v) {
        const auto cube = hn::Mul(v, hn::Mul(v, v));
        const auto u = hn::Mul(hn::Set(d, 0.79788456080286536F), hn::MulAdd(cube, hn::Set(d, 0.044715F), v));
        const auto exponent = hn::Min(hn::Mul(hn::Set(d, -2.0F), u), hn::Set(d, 88.0F)); // as in siluTimes
        return hn::Div(v, hn::Add(hn::Set(d, 1.0F), expOf(d, exponent)));
    });
}

void rotateHalves(float* x, const float* cosines, const float* sines, std::size_t half)
{
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= half; i += lanes)
    {
        const auto a = hn::LoadU(d, x + i);
        const auto b = hn::LoadU(d, x + half + i);
        const auto c = hn::LoadU(d, cosines + i);
        const auto s = hn::LoadU(d, sines + i);
        hn::StoreU(hn::Sub(hn::Mul(a, c), hn::Mul(b, s)), d, x + i);
        hn::StoreU(hn::Add(hn::Mul(b, c), hn::Mul(a, s)), d, x + half + i);
    }
    for (; i < half; ++i)
    {
        const float a = x[i];
        const float b = x[half + i];
        x[i] = a * cosines[i] - b * sines[i];
        x[half + i] = b * cosines[i] + a * sines[i];
    }
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{
namespace
{
HWY_EXPORT(addInto);
HWY_EXPORT(multiplyInto);
HWY_EXPORT(maxInto);
HWY_EXPORT(rmsNorm);
HWY_EXPORT(layerNorm);
HWY_EXPORT(softmax);
HWY_EXPORT(capTanh);
HWY_EXPORT(silu);
HWY_EXPORT(siluTimes);
HWY_EXPORT(gelu);
HWY_EXPORT(geluTanh);
HWY_EXPORT(rotateHalves);
} // namespace

void addInto(std::span<float> into, std::span<const float> x)
{
    HEADSCOPE_ASSERT(into.size() == x.size());
    HWY_DYNAMIC_DISPATCH(addInto)(x.data(), into.data(), x.size());
}

void multiplyInto(std::span<float> into, std::span<const float> x)
{
    HEADSCOPE_ASSERT(into.size() == x.size());
    HWY_DYNAMIC_DISPATCH(multiplyInto)(x.data(), into.data(), x.size());
}

void maxInto(std::span<float> into, std::span<const float> x)
{
    HEADSCOPE_ASSERT(into.size() == x.size());
    HWY_DYNAMIC_DISPATCH(maxInto)(x.data(), into.data(), x.size());
}

void rmsNorm(std::span<const float> x, std::span<const float> weight, float eps, std::span<float> out)
{
    HEADSCOPE_ASSERT(x.size() == weight.size() && x.size() == out.size());
    HWY_DYNAMIC_DISPATCH(rmsNorm)(x.data(), weight.data(), eps, out.data(), x.size());
}

void layerNorm(std::span<const float> x, std::span<const float> weight, std::span<const float> bias, float eps,
               std::span<float> out)
{
    HEADSCOPE_ASSERT(x.size() == weight.size() && x.size() == out.size());
    HEADSCOPE_ASSERT(bias.empty() || x.size() == bias.size());
    HWY_DYNAMIC_DISPATCH(layerNorm)
    (x.data(), weight.data(), bias.empty() ? nullptr : bias.data(), eps, out.data(), x.size());
}

void softmax(std::span<float> x, float scale)
{
    if (!x.empty())
        HWY_DYNAMIC_DISPATCH(softmax)(x.data(), scale, x.size());
}

void capTanh(std::span<float> x, float scale, float cap)
{
    HWY_DYNAMIC_DISPATCH(capTanh)(x.data(), scale, cap, x.size());
}

void silu(std::span<float> x)
{
    HWY_DYNAMIC_DISPATCH(silu)(x.data(), x.size());
}

void siluTimes(std::span<const float> gate, std::span<const float> up, std::span<float> out)
{
    HEADSCOPE_ASSERT(gate.size() == up.size() && gate.size() == out.size());
    HWY_DYNAMIC_DISPATCH(siluTimes)(gate.data(), up.data(), out.data(), gate.size());
}

void gelu(std::span<float> x)
{
    HWY_DYNAMIC_DISPATCH(gelu)(x.data(), x.size());
}

void geluTanh(std::span<float> x)
{
    HWY_DYNAMIC_DISPATCH(geluTanh)(x.data(), x.size());
}

void rotateHalves(std::span<float> x, std::span<const float> cosines, std::span<const float> sines)
{
    HEADSCOPE_ASSERT(x.size() == 2 * cosines.size() && cosines.size() == sines.size());
    HWY_DYNAMIC_DISPATCH(rotateHalves)(x.data(), cosines.data(), sines.data(), cosines.size());
}

} // namespace headscope
#endif // HWY_ONCE
