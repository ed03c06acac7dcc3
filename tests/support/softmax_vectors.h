// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/probe/softmax_objective.h"
#include "model/base/random.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace headscope::test
{

/// A direction in the space of an objective's coefficients: normal numbers where a class has one, else zero.
inline std::vector<double> direction(const SoftmaxObjective& objective, std::uint64_t seed)
{
    std::vector<double> values(objective.size());
    const CounterRandom random(seed);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (static_cast<std::int64_t>(i) % objective.stride() < objective.classes())
            values[i] = random.normal(i);
    }
    return values;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

} // namespace headscope::test
