// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/statistics/intervals.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace headscope
{

/// Several measures on the same resamples of queries or documents, so that they can be compared pair by pair.
struct Resampled
{
    std::vector<double> values; ///< [M] of all units
    MatrixD resamples;          ///< [B, M]
};

/// Means of columns over resampled rows: draw (b, k) is number b n + k of the seed.
/// @param scores  [n, M] a row for each query or document
/// @errors  Cancelled
/// @threads uses numThreads threads; result independent of their number
/// @cost    B n M additions
[[nodiscard]] Result<Resampled> resampledMeans(const MatrixD& scores, const BootstrapOptions& options, int numThreads,
                                               JobContext& job);

/// Measures that are no means, taken of each resample anew.
/// @param measures  M; called from several threads
/// @param of        of a measure and the drawn units; no units: of all as they are
/// @errors  Cancelled
/// @threads uses numThreads threads; result independent of their number
[[nodiscard]] Result<Resampled>
resampledMeasures(std::int64_t units, std::int64_t measures,
                  const std::function<double(std::int64_t measure, std::span<const std::int64_t> drawn)>& of,
                  const BootstrapOptions& options, int numThreads, JobContext& job);

/// The percentile interval of a measure; resamples in which it is not finite are left out.
[[nodiscard]] Interval intervalOf(const Resampled& resampled, std::int64_t measure);

/// How a measure differs from another one on the same resamples.
struct ResampledDifference
{
    double value = 0;
    Interval ci95;
    double p = 1; ///< two-sided: twice the share of resamples on the other side of 0, never 0
};

/// @source  Efron & Tibshirani 1993; p never 0: Phipson & Smyth 2010
[[nodiscard]] ResampledDifference differenceOf(const Resampled& resampled, std::int64_t measure,
                                               std::int64_t reference);

} // namespace headscope
