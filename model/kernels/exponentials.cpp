// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/exponentials.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/exponentials.cpp"
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

void GaussianRow(const double* distances, std::int64_t count, double shift, double beta, double* weights,
                 GaussianSums& sums)
{
    const hn::ScalableTag<double> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto vShift = hn::Set(d, shift);
    const auto vBeta = hn::Set(d, -beta);
    const auto floor = hn::Set(d, -740.0); // below, the weight is zero in double anyway
    auto weight = hn::Zero(d);
    auto first = hn::Zero(d);
    auto second = hn::Zero(d);
    std::int64_t j = 0;
    for (; j + lanes <= count; j += lanes)
    {
        const auto delta = hn::Sub(hn::LoadU(d, distances + j), vShift);
        const auto w = hn::Exp(d, hn::Max(hn::Mul(delta, vBeta), floor));
        hn::StoreU(w, d, weights + j);
        const auto wd = hn::Mul(w, delta);
        weight = hn::Add(weight, w);
        first = hn::Add(first, wd);
        second = hn::MulAdd(wd, delta, second);
    }
    if (j < count) // the rest goes through the same lanes, so that no weight is computed another way
    {
        const auto rest = hn::FirstN(d, static_cast<std::size_t>(count - j));
        const auto delta = hn::Sub(hn::MaskedLoad(rest, d, distances + j), vShift);
        const auto all = hn::Exp(d, hn::Max(hn::Mul(hn::IfThenElseZero(rest, delta), vBeta), floor));
        const auto w = hn::IfThenElseZero(rest, all);
        hn::BlendedStore(w, rest, d, weights + j);
        const auto wd = hn::Mul(w, delta);
        weight = hn::Add(weight, w);
        first = hn::Add(first, wd);
        second = hn::MulAdd(wd, delta, second);
    }
    sums.weight = hn::GetLane(hn::SumOfLanes(d, weight));
    sums.first = hn::GetLane(hn::SumOfLanes(d, first));
    sums.second = hn::GetLane(hn::SumOfLanes(d, second));
}

void EntropySum(const float* values, std::int64_t count, double& sum)
{
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> dFloat;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto smallest = hn::Set(d, 1e-45); // stands for zeros, whose share is then nothing
    auto total = hn::Zero(d);
    std::int64_t j = 0;
    for (; j + lanes <= count; j += lanes)
    {
        const auto p = hn::PromoteTo(d, hn::LoadU(dFloat, values + j));
        total = hn::MulAdd(p, hn::Log(d, hn::Max(p, smallest)), total);
    }
    sum = hn::GetLane(hn::SumOfLanes(d, total));
    for (; j < count; ++j)
    {
        const auto p = static_cast<double>(values[j]);
        sum += p > 0 ? p * std::log(p) : 0.0;
    }
}

/// One row; the tail goes through a padded copy, so that every class is computed the same way.
template <class T>
double residualRow(T* row, std::int64_t classes, const T* bias, std::int32_t label)
{
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t whole = classes / lanes * lanes;
    const auto tail = static_cast<std::size_t>(classes - whole);
    HWY_ALIGN T rest[HWY_MAX_BYTES / sizeof(T)];
    std::fill(std::begin(rest), std::end(rest), T(-1e30));
    auto largest = hn::Set(d, T(-1e30));
    for (std::int64_t k = 0; k < whole; k += lanes)
    {
        const auto z = hn::Add(hn::LoadU(d, row + k), hn::LoadU(d, bias + k));
        hn::StoreU(z, d, row + k);
        largest = hn::Max(largest, z);
    }
    for (std::size_t k = 0; k < tail; ++k)
        rest[k] = row[whole + static_cast<std::int64_t>(k)] + bias[whole + static_cast<std::int64_t>(k)];
    if (tail != 0)
        largest = hn::Max(largest, hn::Load(d, rest));
    const T top = hn::GetLane(hn::MaxOfLanes(d, largest));
    const T own = label < whole ? row[label] : rest[label - whole];

    const auto vTop = hn::Set(d, top);
    const auto floor = hn::Set(d, T(sizeof(T) == 4 ? -87.0 : -700.0));
    auto sum = hn::Zero(d);
    for (std::int64_t k = 0; k < whole; k += lanes)
    {
        const auto e = hn::Exp(d, hn::Max(hn::Sub(hn::LoadU(d, row + k), vTop), floor));
        hn::StoreU(e, d, row + k);
        sum = hn::Add(sum, e);
    }
    T total = hn::GetLane(hn::SumOfLanes(d, sum));
    if (tail != 0)
    {
        hn::Store(hn::Exp(d, hn::Max(hn::Sub(hn::Load(d, rest), vTop), floor)), d, rest);
        for (std::size_t k = 0; k < tail; ++k)
            total += rest[k];
    }
    const auto inverse = hn::Set(d, T(1) / total);
    for (std::int64_t k = 0; k < whole; k += lanes)
        hn::StoreU(hn::Mul(hn::LoadU(d, row + k), inverse), d, row + k);
    for (std::size_t k = 0; k < tail; ++k)
        row[whole + static_cast<std::int64_t>(k)] = rest[k] / total;
    row[label] -= T(1);
    return std::log(static_cast<double>(total)) + (static_cast<double>(top) - static_cast<double>(own));
}

template <class T>
double residualRows(T* logits, std::int64_t rows, std::int64_t classes, std::int64_t stride, const T* bias,
                    const std::int32_t* labels, double* columnSum)
{
    double loss = 0;
    for (std::int64_t i = 0; i < rows; ++i)
    {
        T* row = logits + i * stride;
        loss += residualRow(row, classes, bias, labels[i]);
        for (std::int64_t k = 0; k < classes; ++k)
            columnSum[k] += static_cast<double>(row[k]);
    }
    return loss;
}

hn::Vec<hn::ScalableTag<float>> loadProbabilities(hn::ScalableTag<float> d, const float* p)
{
    return hn::LoadU(d, p);
}

hn::Vec<hn::ScalableTag<double>> loadProbabilities(hn::ScalableTag<double> d, const float* p)
{
    const hn::Rebind<float, hn::ScalableTag<double>> half;
    return hn::PromoteTo(d, hn::LoadU(half, p));
}

template <class T>
void changeRows(T* changes, const float* probabilities, std::int64_t rows, std::int64_t stride, const T* bias,
                double* columnSum)
{
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < rows; ++i)
    {
        T* row = changes + i * stride;
        const float* p = probabilities + i * stride;
        auto sum = hn::Zero(d);
        for (std::int64_t k = 0; k < stride; k += lanes)
        {
            const auto u = hn::Add(hn::LoadU(d, row + k), hn::LoadU(d, bias + k));
            hn::StoreU(u, d, row + k);
            sum = hn::MulAdd(loadProbabilities(d, p + k), u, sum);
        }
        const auto mean = hn::Set(d, hn::GetLane(hn::SumOfLanes(d, sum)));
        for (std::int64_t k = 0; k < stride; k += lanes)
            hn::StoreU(hn::Mul(loadProbabilities(d, p + k), hn::Sub(hn::LoadU(d, row + k), mean)), d, row + k);
        for (std::int64_t k = 0; k < stride; ++k)
            columnSum[k] += static_cast<double>(row[k]);
    }
}

void ChangesF32(float* changes, const float* probabilities, std::int64_t rows, std::int64_t stride, const float* bias,
                double* columnSum)
{
    changeRows(changes, probabilities, rows, stride, bias, columnSum);
}

void ChangesF64(double* changes, const float* probabilities, std::int64_t rows, std::int64_t stride, const double* bias,
                double* columnSum)
{
    changeRows(changes, probabilities, rows, stride, bias, columnSum);
}

double ResidualsF32(float* logits, std::int64_t rows, std::int64_t classes, std::int64_t stride, const float* bias,
                    const std::int32_t* labels, double* columnSum)
{
    return residualRows(logits, rows, classes, stride, bias, labels, columnSum);
}

double ResidualsF64(double* logits, std::int64_t rows, std::int64_t classes, std::int64_t stride, const double* bias,
                    const std::int32_t* labels, double* columnSum)
{
    return residualRows(logits, rows, classes, stride, bias, labels, columnSum);
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(GaussianRow);
HWY_EXPORT(EntropySum);
HWY_EXPORT(ResidualsF32);
HWY_EXPORT(ResidualsF64);
HWY_EXPORT(ChangesF32);
HWY_EXPORT(ChangesF64);

GaussianSums gaussianWeights(const double* distances, std::int64_t count, double shift, double beta, double* weights)
{
    GaussianSums sums;
    HWY_DYNAMIC_DISPATCH(GaussianRow)(distances, count, shift, beta, weights, sums);
    return sums;
}

double entropySum(const float* values, std::int64_t count)
{
    double sum = 0;
    HWY_DYNAMIC_DISPATCH(EntropySum)(values, count, sum);
    return sum;
}

double softmaxResiduals(float* logits, std::int64_t rows, std::int64_t classes, std::int64_t stride, const float* bias,
                        const std::int32_t* labels, double* columnSum)
{
    return HWY_DYNAMIC_DISPATCH(ResidualsF32)(logits, rows, classes, stride, bias, labels, columnSum);
}

double softmaxResiduals(double* logits, std::int64_t rows, std::int64_t classes, std::int64_t stride,
                        const double* bias, const std::int32_t* labels, double* columnSum)
{
    return HWY_DYNAMIC_DISPATCH(ResidualsF64)(logits, rows, classes, stride, bias, labels, columnSum);
}

void softmaxChanges(float* changes, const float* probabilities, std::int64_t rows, std::int64_t stride,
                    const float* bias, double* columnSum)
{
    HWY_DYNAMIC_DISPATCH(ChangesF32)(changes, probabilities, rows, stride, bias, columnSum);
}

void softmaxChanges(double* changes, const float* probabilities, std::int64_t rows, std::int64_t stride,
                    const double* bias, double* columnSum)
{
    HWY_DYNAMIC_DISPATCH(ChangesF64)(changes, probabilities, rows, stride, bias, columnSum);
}

} // namespace headscope
#endif
