// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/neighbors/neighbors.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// How much of the neighbourhoods of the data survives in a map; formulas: tests/golden/analysis/README.md, 2.
/// @source trustworthiness and continuity: Venna & Kaski 2006 (doi 10.1016/j.neunet.2006.05.014); share kept:
///         Kobak & Berens 2019 (doi 10.1038/s41467-019-13056-x)
struct NeighborhoodQuality
{
    std::int64_t k = 0;
    double kept = 0;              ///< mean share of the k nearest kept
    double trustworthiness = 0;   ///< 1 - penalty for strangers among the map's neighbours
    double continuity = 0;        ///< 1 - penalty for neighbours that the map tore away
    std::vector<double> perPoint; ///< share kept by each point that was looked at
    std::int64_t sampled = 0;     ///< points looked at, all or a seeded sample
};

/// @param sample  0 = all points; else this many, chosen by the seed, each against all others
/// @errors  ShapeMismatch, InvalidArgument (k with 2P - 3k - 1 <= 0), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    sample x P distances in the data and in the map, and up to 2 k passes over each row
[[nodiscard]] Result<std::vector<NeighborhoodQuality>> neighborhoodQuality(ConstMatrixView rows, ConstMatrixView xy,
                                                                           std::span<const std::int64_t> k,
                                                                           std::int64_t sample, std::uint64_t seed,
                                                                           int numThreads, JobContext& job);

/// The trustworthiness of a map that knows nothing but the class (the head or segment) of each point: its neighbours
/// drawn at random among the points of the same class, as in keptWithinClasses; the expected value, exactly.
/// @param classes  [P] from 0
/// @param sample   0 = all points; else this many, chosen by the seed
/// @return  NaN where there are fewer than two classes, or where a class has no more points than k
/// @errors  ShapeMismatch (one class for each row), InvalidArgument (k with 2P - 3k - 1 <= 0), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    sample x P distances in the data, sorted
[[nodiscard]] Result<double> trustWithinClasses(ConstMatrixView rows, std::span<const std::int32_t> classes,
                                                std::int64_t k, std::int64_t sample, std::uint64_t seed, int numThreads,
                                                JobContext& job);

/// Share of each point's k nearest neighbours that the map keeps, [P].
/// @param inData, inMap  neighbours of the same points, at least k of each
[[nodiscard]] std::vector<double> neighborsKept(const Neighbors& inData, const Neighbors& inMap, std::int64_t k);

} // namespace headscope
