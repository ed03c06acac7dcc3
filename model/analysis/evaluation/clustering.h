// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Rows in clusters of k-means.
struct Clusters
{
    std::vector<std::int32_t> of; ///< [N] cluster of each row
    double inertia = 0;           ///< sum of squared distances to the centres
    int iterations = 0;           ///< rounds until no row changed its cluster
};

/// Lloyd's rounds from given rows as centres: squared Euclidean distances, ties to the lower cluster; a cluster without
/// rows keeps its centre; at most 100 rounds.
/// @param rows  [N, D] finite
/// @param start [K] row numbers, at least one
/// @errors  Cancelled
[[nodiscard]] Result<Clusters> clusterFrom(ConstMatrixView rows, std::span<const std::int64_t> start,
                                           const JobContext& job);

/// The rows that one run of k-means++ begins with: centre c uses output run K + c of the seed.
/// @source  Arthur & Vassilvitskii 2007, SODA
[[nodiscard]] std::vector<std::int64_t> startingRows(ConstMatrixView rows, std::int64_t clusters, std::int64_t run,
                                                     std::uint64_t seed);

/// The run of least inertia of several, the first of equals.
/// @param clusters  1 to N
/// @errors  Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    runs x rounds x N K D multiply-adds in double
[[nodiscard]] Result<Clusters> clusterRows(ConstMatrixView rows, std::int64_t clusters, std::uint64_t seed,
                                           int numThreads, JobContext& job, int runs = 10);

/// How clusters and classes agree.
struct ClusterAgreement
{
    double homogeneity = 0;
    double completeness = 0;
    double vMeasure = 0;     ///< 2 h c / (h + c)
    double adjustedRand = 0; ///< 0 by chance, may be negative
};

/// @param classes, clusters  [n] codes from 0
/// @param rows  that count, with repeats; empty: all
/// @source  Rosenberg & Hirschberg 2007 (V-measure); Hubert & Arabie 1985, doi 10.1007/BF01908075
[[nodiscard]] ClusterAgreement clusterAgreement(std::span<const std::int32_t> classes,
                                                std::span<const std::int32_t> clusters,
                                                std::span<const std::int64_t> rows = {});

} // namespace headscope
