// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <span>

namespace headscope
{

/// A 95% interval from the values that remain when one unit is left out at a time: estimate -+ 1.96 standard errors,
///     se^2 = (n - 1) / n sum (leftOut_i - mean leftOut)^2.
/// For measures that resampling with repeats distorts, since a repeated document is its own nearest: CKA, shares of
/// variance. It says how far the value moves with the documents, not how far the estimate is biased.
/// @param leftOut  [n]; those that are not finite are left out
/// @return NaN with fewer than two finite values, or where the estimate is not finite
/// @source  Efron & Tibshirani 1993, chapter 11; Arvesen 1969 (U-statistics, doi 10.1214/aoms/1177697287)
[[nodiscard]] Interval jackknifeInterval(double estimate, std::span<const double> leftOut);

} // namespace headscope
