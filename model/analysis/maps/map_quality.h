// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/tsne/affinities.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// KL divergence of a map, exactly: sum over pairs of P ln(P / q), q = k / Z, Z over all pairs, where
/// k = (1 + r^2 / a)^-a is the kernel the map was made with.
struct ExactDivergence
{
    double kl = 0;
    double z = 0;
    std::vector<double> perPoint; ///< [P], summing to kl
};

/// Evaluated in double throughout: the one measure that programs can be compared by.
/// @param xy       [P, 2]
/// @param degrees  a, of freedom, above 0; 1: plain t-SNE
/// @errors  ShapeMismatch, Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    P^2 / 2 kernel values in double, two per division; a power each where a is not 1
[[nodiscard]] Result<ExactDivergence> exactDivergence(const SparseAffinities& affinities, ConstMatrixView xy,
                                                      int numThreads, JobContext& job, double degrees = 1.0);
[[nodiscard]] Result<ExactDivergence> exactDivergence(const MatrixD& affinities, ConstMatrixView xy, int numThreads,
                                                      JobContext& job, double degrees = 1.0);

/// How many of the nearest class means a map keeps.
struct ClassMeansKept
{
    double kept = 0;          ///< of the k nearest of each class, mean over the classes that occur
    std::int64_t classes = 0; ///< that occur
    PermutationNull null;     ///< the same map with its classes permuted
};

/// @param labels  [P] classes from 0; -1 = none
/// @errors ShapeMismatch, InvalidArgument (k outside 1 to the classes minus one)
/// @cost   classes^2 x D, and classes x k a permutation
[[nodiscard]] Result<ClassMeansKept> classNeighborhoodKept(ConstMatrixView rows, ConstMatrixView xy,
                                                           std::span<const std::int32_t> labels, std::int64_t k);

/// Spearman correlation of the distances of pairs in the data and in the map.
/// @param pairs  [n, 2] row numbers; empty = all pairs
[[nodiscard]] Result<double> distanceCorrelation(ConstMatrixView rows, ConstMatrixView xy,
                                                 const Matrix<std::int64_t>& pairs);

} // namespace headscope
