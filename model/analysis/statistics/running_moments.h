// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <cstdint>

namespace headscope
{

/// Mean and variance of values that come one after another.
/// @source  Welford 1962 (doi 10.1080/00401706.1962.10490022)
struct RunningMoments
{
    std::int64_t count = 0;
    double mean = 0;
    double squares = 0; ///< of distances from the mean

    void add(double value);
    /// Of the mean; NaN of fewer than two values.
    [[nodiscard]] double variance() const;
    /// A 95% interval of the mean, by Student's t; NaN of fewer than two values.
    [[nodiscard]] Interval ci95() const;
};

} // namespace headscope
