// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <cstdint>
#include <span>
#include <string>

namespace headscope
{

/// The 97.5% quantile of Student's t distribution.
/// @param degrees  of freedom, at least 1
/// @source Abramowitz & Stegun 1972, 26.7.3 and 26.7.4
[[nodiscard]] double studentQuantile(std::int64_t degrees);

/// How likely Student's t is to be at least as far from 0, on either side.
/// @param degrees  of freedom, at least 1
/// @return in [1e-15, 1]: below, nothing but rounding is left
[[nodiscard]] double studentP(double t, std::int64_t degrees);

/// A 95% interval of the mean over splits of the documents into those that train and those that test. Splits share
/// documents, so that their variance says too little: the mean has the variance s^2 (1 / n + test / train), s^2 that
/// of the n splits, and Student's t with n - 1 degrees. Never narrower than Wilson's over the documents that test in
/// any split, of which the splits may say the same: the mean of them knows no more documents than these.
/// @param shares  [n] accuracies; of one alone the interval is Wilson's over its test documents
/// @param train, test  documents of each split
/// @param tested  documents that test in at least one split
/// @source Nadeau & Bengio 2003, Machine Learning 52, 239-281 (doi 10.1023/A:1024068626366)
[[nodiscard]] Interval splitInterval(std::span<const double> shares, std::int64_t train, std::int64_t test,
                                     std::int64_t tested);

/// What the interval is called in tables and `--json`.
[[nodiscard]] std::string splitIntervalMethod(std::int64_t splits);

/// One p of the p of several splits, whatever they share: twice the median (of an even number the lower middle one),
/// at most 1; of one split its own.
/// @param p  [n], at least one
/// @source Meinshausen, Meier & Buehlmann 2009, JASA 104, 1671-1681 (doi 10.1198/jasa.2009.tm08647)
[[nodiscard]] double mergedSplitP(std::span<const double> p);

} // namespace headscope
