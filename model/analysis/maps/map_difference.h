// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/maps/map_pair.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <memory>
#include <span>

namespace headscope
{

/// How many neighbours mapDifference looks at.
inline constexpr std::int64_t kDifferenceNeighbors = 10;

/// How much of each point's neighbourhood two maps of the same points do not share: of the k nearest
/// of a point in A the share that is not among its k nearest in B. Nothing is compared but ranks, so
/// that rotation, mirroring and scale do not matter.
/// @param a,b  [P, 2] finite, row i of one belongs to row i of the other
/// @errors  ShapeMismatch, InvalidArgument, Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    planarNeighbors twice
[[nodiscard]] Result<MapDifference> mapDifference(ConstMatrixView a, ConstMatrixView b, int numThreads, JobContext& job,
                                                  std::int64_t k = kDifferenceNeighbors);

/// 95% of the share of neighbours that is kept (1 - MapDifference::mean): documents are left out one after another,
/// the maps as they are.
/// @param document  [P] of each point
/// @return  NaN with fewer than ten documents
[[nodiscard]] Interval keptInterval(const MapDifference& difference, std::span<const std::int32_t> document);

/// Equal for two maps of the same documents and heads, in whatever order, and different for others.
/// @pre   map.points is not null
/// @cost  O(P)
[[nodiscard]] std::uint64_t pointsKey(const HeadMap& map);

/// Matches and aligns two maps. Points are matched by document and head; where the maps share no such pair (maps of
/// two heads, or of the full vector) by document, the first of each. B is moved onto A (Procrustes) and scaled to its
/// spread, and the difference is taken among the matched points.
/// @errors  InvalidArgument (a map without documents, no document in common), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
[[nodiscard]] Result<MapPair> pairMaps(std::shared_ptr<const HeadMap> a, std::shared_ptr<const HeadMap> b,
                                       int numThreads, JobContext& job);

} // namespace headscope
