// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/maps/head_map.h"
#include "model/data/matrix.h"
#include "model/data/results/switch_off_results.h"

#include <cstdint>
#include <memory>
#include <span>

namespace headscope
{

struct MovedPointsOptions
{
    std::int64_t neighbors = 30; ///< old points whose places are averaged
    double perplexity = 10;      ///< of their weights, lower where there are few neighbours
    /// Old points that are looked at; of more every n-th. 50,000: some seconds for 16,000 vectors of 128 numbers.
    std::int64_t mostOld = 50'000;
    /// Vectors that differ by no more than this share of their length are the same: a cache rounds what it stores.
    double tolerance = 1e-5;
};

/// Puts new vectors of points onto their map, which stays as it is. The place that a vector suggests is the mean of the
/// places of its nearest old vectors, by the metric of the map, with the weights of t-SNE (conditional probabilities of
/// a perplexity). A point moves by what its new vector suggests less what its old one does, from where it is: where
/// nothing changes nothing moves.
/// @param old     [P, D] the vectors that the map was made of, in the order of its points
/// @param points  of the map, ascending
/// @param now     [points, D] their new vectors, finite
/// @errors ShapeMismatch; InvalidArgument (numbers that are not finite); Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost   2 x points x min(P, mostOld) x D multiply-adds at the rate of gemmNT
/// @source weights: van der Maaten & Hinton 2008, JMLR 9, 2579-2605; a new point among fixed ones as a weighted mean of
///         its neighbours: the start that openTSNE gives it, Policar et al. 2024 (doi 10.18637/jss.v109.i03)
[[nodiscard]] Result<MovedPoints> movedPoints(std::shared_ptr<const HeadMap> map, ConstMatrixView old,
                                              std::span<const std::int64_t> points, ConstMatrixView now,
                                              const MovedPointsOptions& options, int numThreads, JobContext& job);

} // namespace headscope
