// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/maps/aligned_heads.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/maps/head_map.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/maps/noise_floor.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// How the twins of a map are made.
struct NoiseFloorOptions
{
    /// Standard deviation of the noise on each number of a vector, as a share of the root mean square of that vector's
    /// numbers: a vector moves by about this share of its length. 1e-4 is half of what storing as float16 does.
    double noise = 1e-4;
    std::int64_t twins = kVerdictTwins;
    std::uint64_t seed = 1; ///< of the noise; twin t draws from the Philox stream t of it
    std::int64_t neighbors = 10;
};

/// Adds Gaussian noise to vectors, each relative to its own length.
/// @param rows   [P, D]; a row of zeros stays
/// @param noise  as NoiseFloorOptions::noise
/// @param twin   stream of the generator: other twins get other noise
/// @threads uses `numThreads` threads; result independent of their number
void addVectorNoise(MatrixF& rows, double noise, std::uint64_t seed, std::uint64_t twin, int numThreads);

/// Neighbours kept and Procrustes correlation of two maps of the same points.
/// @param a,b      [P, 2] finite, row i of one belongs to row i of the other
/// @param classes  [P] head or segment of each point, for what maps keep by these alone; empty: one of all
/// @errors  those of mapDifference and shuffledCorrelation
/// @threads uses `numThreads` threads; result independent of their number
[[nodiscard]] Result<MapAgreement> mapAgreement(ConstMatrixView a, ConstMatrixView b, int numThreads, JobContext& job,
                                                std::int64_t k = NoiseFloorOptions().neighbors,
                                                std::span<const std::int32_t> classes = {});

/// Makes the noise twins of a map and compares it with each.
///
/// A twin is the t-SNE of the same vectors after addVectorNoise, run for as many iterations as the map, with its
/// options and its kind of start (PCA of the noisy vectors, the same random numbers, or `given`).
/// @param rows   [P, D] the vectors of the map's points, in its order
/// @param given  start positions for TsneStart::Given
/// @errors  InvalidArgument (the map was changed while it ran, so that its options do not repeat it; no twin asked
///          for), ShapeMismatch, those of TsneState::create, Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    a run of the t-SNE a twin, and a copy of the vectors
[[nodiscard]] Result<NoiseFloor> noiseFloor(ConstMatrixView rows, const HeadMap& map, const MatrixF* given,
                                            const NoiseFloorOptions& options, int numThreads, JobContext& job);

/// The noise floor of every map of a set, from the set's common start, and how much every map agrees with the other
/// maps of heads. Sets `floor` of each map and `others` of each member.
/// @param members  those that the set was made of
/// @errors  those of alignedMaps and noiseFloor; ShapeMismatch (other members)
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    alignedMaps a twin, and for every pair of maps k^2 comparisons a document
[[nodiscard]] Status measureHeadFloors(std::span<const AlignedMember> members, HeadMapSet& set,
                                       const NoiseFloorOptions& options, int numThreads, JobContext& job);

} // namespace headscope
