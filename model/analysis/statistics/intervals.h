// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace headscope
{

/// Wilson's 95% interval of a share, `hits` of `count` independent trials; [0, 1] when count is 0.
/// Unlike the normal approximation and the bootstrap it stays inside [0, 1] and has a width at 0 and 1.
/// @param count  may be a fraction: the trials that dependent rows are worth
/// @source Wilson 1927, JASA 22, 209-212 (doi 10.1080/01621459.1927.10502953)
[[nodiscard]] Interval wilsonInterval(double hits, double count);

/// A 95% interval of a mean of shares, one of each unit, made fit for the ends: the resampled and the jackknifed one
/// have no width where all units have 0 or all have 1, though that says no more than so many trials. The lower end is
/// never above that of all units right, nor the upper one below that of none (Wilson's), and both are inside [0, 1].
/// @param found  not finite: as it is
/// @param units  documents or queries that the mean is of
[[nodiscard]] Interval withWidthAtEnds(const Interval& found, std::int64_t units);

/// A share over rows that come in clusters, as the heads of one document do.
struct ClusterShare
{
    double share = 0;
    /// By how much the variance of the share is larger than for independent rows, at least 1.
    double designEffect = 1;
    double effectiveRows = 0; ///< rows / designEffect; the number of clusters when all rows are alike
    /// Wilson's, of as many independent rows as these are worth; the lower end never above that of all rows right,
    /// nor the upper one below that of none, for which a cluster counts as one row.
    Interval ci95;
};

/// @param right  [G] rows of each cluster that count
/// @param rows   [G] rows of each cluster; clusters without one take no part
/// @return  share NaN and [0, 1] without a row
/// @source  variance by linearisation, design effect: Kish 1965, Survey Sampling
[[nodiscard]] ClusterShare clusterShare(std::span<const std::int64_t> right, std::span<const std::int64_t> rows);

struct BootstrapOptions
{
    int resamples = 1000;
    std::uint64_t seed = 1;
};

/// A percentile interval over resamples of units, quantiles 0.025 and 0.975.
struct BootstrapInterval
{
    Interval ci95;
    std::int64_t undefined = 0; ///< resamples in which the measure is not finite; left out
};

/// @param units    documents, queries or pairs: whatever is independent
/// @param measure  of a resample: [units] numbers of the drawn units; called from one thread, once for each resample
/// @return  NaN without units, or where no resample is defined
/// @source  Efron & Tibshirani 1993; Field & Welsh 2007 (clusters)
[[nodiscard]] BootstrapInterval bootstrapInterval(std::int64_t units,
                                                  const std::function<double(std::span<const std::int64_t>)>& measure,
                                                  const BootstrapOptions& options);

/// Value at `share` of the sorted values' range, linear between neighbours; NaN without values.
/// @param sorted  ascending
[[nodiscard]] double quantile(std::span<const double> sorted, double share);

} // namespace headscope
