// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/circuits/residual_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope
{
namespace
{

template <class T>
double meanOf(std::span<T> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void subtractMean(std::span<double> values)
{
    const double mean = meanOf(values);
    for (double& value : values)
        value -= mean;
}

} // namespace

double FrozenNorm::divisor(std::span<const float> x) const
{
    const double mean = centres ? meanOf(x) : 0;
    double squares = 0;
    for (const float value : x)
        squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
    return std::sqrt(squares / static_cast<double>(x.size()) + eps);
}

void FrozenNorm::carry(std::span<double> v) const
{
    if (centres)
        subtractMean(v);
    for (std::size_t i = 0; i < v.size(); ++i)
        v[i] *= static_cast<double>(gain[i]);
}

void FrozenNorm::carryBack(std::span<double> u) const
{
    for (std::size_t i = 0; i < u.size(); ++i)
        u[i] *= static_cast<double>(gain[i]);
    if (centres)
        subtractMean(u);
}

bool ResidualModel::hasOutputBias() const
{
    return std::ranges::any_of(layers, [](const Layer& layer) { return !layer.outputBias.empty(); });
}

bool ResidualModel::hasNormBias() const
{
    return std::ranges::any_of(norms, [](const FrozenNorm& norm) { return !norm.bias.empty(); });
}

} // namespace headscope
