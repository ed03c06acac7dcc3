// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/tsne/joint_rows.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Symmetric joint probabilities P_ij of t-SNE over ordered pairs, P_ii = 0, summing to 1.
///
/// Compressed rows; both triangles are stored, columns ascend within a row.
struct SparseAffinities
{
    std::vector<std::int64_t> rowStart; ///< [P + 1]
    std::vector<std::int32_t> columns;  ///< [E]
    std::vector<double> values;         ///< [E]

    [[nodiscard]] std::int64_t points() const { return static_cast<std::int64_t>(rowStart.size()) - 1; }
};

/// Conditional probabilities of one row with the perplexity asked for:
///     p_j = exp(-beta d_j) / sum exp(-beta d),   -sum p ln p = ln(perplexity).
///
/// Distances less their minimum keep the exponentials in range. Where more than `perplexity`
/// distances share the minimum no beta exists; those then share the whole probability.
/// @param squared     [K] squared distances
/// @param into        [K] receives p; sums to 1
/// @return beta = 1 / (2 sigma^2)
/// @cost   about 8 passes of K exponentials in double (Newton inside a bracket, to 1e-13)
/// @source van der Maaten & Hinton 2008, JMLR 9, 2579-2605, section 2
double conditionalProbabilities(std::span<const double> squared, double perplexity, std::span<double> into);

/// The largest perplexity that `points` points allow, for refusals and sliders.
[[nodiscard]] double largestPerplexity(std::int64_t points);

/// Refuses perplexities that these many points cannot satisfy, naming the allowed range.
/// @errors InvalidArgument
[[nodiscard]] Status checkPerplexities(std::span<const double> perplexities, std::int64_t points);

/// Joint probabilities over the neighbours of each point: P = (p_j|i + p_i|j) / (2 P).
/// @param perplexities  one, or several whose conditional probabilities are averaged (multiscale)
/// @param betas         when given, receives beta of the first perplexity, [P]
/// @errors  InvalidArgument (a perplexity not in [1, K]), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
[[nodiscard]] Result<SparseAffinities> neighborAffinities(const Neighbors& neighbors,
                                                          std::span<const double> perplexities, int numThreads,
                                                          JobContext& job, std::vector<double>* betas = nullptr);

/// What a search for neighbours leaves for a map of many points.
struct JointNeighbors
{
    JointRows<float> rows;
    std::vector<std::int32_t>
        order; ///< row r is the point order[r], and columns are numbered likewise; empty: as they are
};

/// Finds neighbours and keeps of each only its number and its conditional probability, in single precision.
/// @errors  as findNeighbors, and as neighborAffinities
/// @threads uses `numThreads` threads; result independent of their number
[[nodiscard]] Result<JointNeighbors> findJointNeighbors(ConstMatrixView rows, const NeighborOptions& options,
                                                        std::span<const double> perplexities, int numThreads,
                                                        JobContext& job);

/// Memory that a run on sparse affinities and a mesh needs at once, beside the rows: while it searches, or with the
/// conditional probabilities beside the joint ones.
[[nodiscard]] double sparseAffinityBytes(std::int64_t points, std::int64_t dims, std::int64_t neighbors);

/// Memory that a run on dense affinities needs at once: the pairs in double, and in float32 for the iterations.
[[nodiscard]] double denseAffinityBytes(std::int64_t points);

/// The same over all pairs, [P, P], for small sets.
/// @param scales  from unitScales for the cosine metric, empty for the Euclidean
/// @cost    8 P^2 bytes
[[nodiscard]] Result<MatrixD> denseAffinities(ConstMatrixView rows, std::span<const double> scales,
                                              std::span<const double> perplexities, int numThreads, JobContext& job,
                                              std::vector<double>* betas = nullptr);

} // namespace headscope
