// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/student_t_sum.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/student_t_sum.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

double kernelSum(const double* x, const double* y, std::int64_t i, std::int64_t begin, std::int64_t end)
{
    double sum = 0;
    for (std::int64_t j = begin; j < end; ++j)
    {
        const double dx = x[i] - x[j];
        const double dy = y[i] - y[j];
        sum += 1.0 / (1.0 + dx * dx + dy * dy);
    }
    return sum;
}

/// Four rows against the columns: their coordinates are loaded once for all.
double fourRows(const double* x, const double* y, std::int64_t i, std::int64_t begin, std::int64_t end)
{
    const hn::ScalableTag<double> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto one = hn::Set(d, 1.0);
    const auto x0 = hn::Set(d, x[i]);
    const auto x1 = hn::Set(d, x[i + 1]);
    const auto x2 = hn::Set(d, x[i + 2]);
    const auto x3 = hn::Set(d, x[i + 3]);
    const auto y0 = hn::Set(d, y[i]);
    const auto y1 = hn::Set(d, y[i + 1]);
    const auto y2 = hn::Set(d, y[i + 2]);
    const auto y3 = hn::Set(d, y[i + 3]);
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    std::int64_t j = begin;
    const auto denominator = [&](auto px, auto py, auto xj, auto yj) HWY_ATTR {
        const auto dx = hn::Sub(px, xj);
        const auto dy = hn::Sub(py, yj);
        return hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, one));
    };
    for (; j + lanes <= end; j += lanes)
    {
        const auto xj = hn::LoadU(d, x + j);
        const auto yj = hn::LoadU(d, y + j);
        const auto a = denominator(x0, y0, xj, yj);
        const auto b = denominator(x1, y1, xj, yj);
        const auto c = denominator(x2, y2, xj, yj);
        const auto e = denominator(x3, y3, xj, yj);
        sum0 = hn::Add(sum0, hn::Div(hn::Add(a, b), hn::Mul(a, b)));
        sum1 = hn::Add(sum1, hn::Div(hn::Add(c, e), hn::Mul(c, e)));
    }
    double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
    for (std::int64_t row = i; row < i + 4; ++row)
        sum += kernelSum(x, y, row, j, end);
    return sum;
}

/// One row, two vectors of columns at a time.
double oneRow(const double* x, const double* y, std::int64_t i, std::int64_t begin, std::int64_t end)
{
    const hn::ScalableTag<double> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto one = hn::Set(d, 1.0);
    const auto px = hn::Set(d, x[i]);
    const auto py = hn::Set(d, y[i]);
    auto sum = hn::Zero(d);
    std::int64_t j = begin;
    const auto denominator = [&](std::int64_t at) HWY_ATTR {
        const auto dx = hn::Sub(px, hn::LoadU(d, x + at));
        const auto dy = hn::Sub(py, hn::LoadU(d, y + at));
        return hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, one));
    };
    for (; j + 2 * lanes <= end; j += 2 * lanes)
    {
        const auto a = denominator(j);
        const auto b = denominator(j + lanes);
        sum = hn::Add(sum, hn::Div(hn::Add(a, b), hn::Mul(a, b)));
    }
    return hn::GetLane(hn::SumOfLanes(d, sum)) + kernelSum(x, y, i, j, end);
}

double PairSum(const double* x, const double* y, std::int64_t rowBegin, std::int64_t rowEnd, std::int64_t columnBegin,
               std::int64_t columnEnd)
{
    double sum = 0;
    std::int64_t i = rowBegin;
    for (; i + 4 <= rowEnd; i += 4)
        sum += fourRows(x, y, i, columnBegin, columnEnd);
    for (; i < rowEnd; ++i)
        sum += oneRow(x, y, i, columnBegin, columnEnd);
    return sum;
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(PairSum);

double studentPairSum(const double* x, const double* y, std::int64_t rowBegin, std::int64_t rowEnd,
                      std::int64_t columnBegin, std::int64_t columnEnd)
{
    return HWY_DYNAMIC_DISPATCH(PairSum)(x, y, rowBegin, rowEnd, columnBegin, columnEnd);
}

} // namespace headscope
#endif
