// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headscope
{

/// What two of several maps of the same points have in common.
struct PairAgreement
{
    std::int64_t first = 0; ///< index of a map
    std::int64_t second = 0;
    double kept = 0;        ///< mean over the points: share of the k nearest on one map among those on the other
    double correlation = 0; ///< Procrustes correlation, 0..1 (PlanarFit)
};

/// How far maps agree that differ in nothing but their start: what is not shared is the optimiser's, not the data's.
struct MapsAgreement
{
    std::int64_t k = 0;
    std::vector<PairAgreement> pairs; ///< every pair once, in order
    double kept = 0;                  ///< mean over the pairs
    double correlation = 0;           ///< mean over the pairs
    /// Expected share for maps that have nothing to do with each other: k / (P - 1). Their correlation is not 0
    /// either: it is that of the best of all turns and mirrors.
    double keptByChance = 0;
    /// `kept` of maps that only know of which head or segment each point is; nothing where there is one alone.
    std::optional<double> keptWithin{};
    double shuffledCorrelation = 0;  ///< `correlation` after the points are permuted inside each head
    std::vector<double> keptByPoint; ///< [P] mean over the pairs
};

/// How many neighbours are looked at where nothing else is said.
inline constexpr std::int64_t kAgreementNeighbors = 10;

/// @param maps  at least two, all [P, 2] finite, row i of each the same point, P >= 2
/// @param k     at least 1; at most P - 1 are looked at
/// @param classes  [P] head or segment of each point; empty: one of all
/// @errors  ShapeMismatch, InvalidArgument, Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    planarNeighbors for each map; P k^2 comparisons and O(P) for each pair
[[nodiscard]] Result<MapsAgreement> mapsAgreement(std::span<const MatrixF> maps, int numThreads, JobContext& job,
                                                  std::int64_t k = kAgreementNeighbors,
                                                  std::span<const std::int32_t> classes = {});

} // namespace headscope
