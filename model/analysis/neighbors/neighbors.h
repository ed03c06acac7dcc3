// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/neighbor_options.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// The nearest neighbours of every point, nearest first, itself excluded, ties by lower index.
struct Neighbors
{
    Metric metric = Metric::Euclidean;
    Matrix<std::int32_t> indices; ///< [P, K]
    /// [P, K] squared Euclidean distances from direct differences in double; for the cosine metric
    /// those of the unit vectors, 2 (1 - cos), and 2 where either vector is zero.
    MatrixD squared;
    NeighborMethod method = NeighborMethod::Exact; ///< that was taken
    double recall = 1;                             ///< reached on the sample; 1 for the exact method
    double recallLow = 1;     ///< less two standard errors of that sample: what the search was set by
    std::int64_t sampled = 0; ///< points of the sample; 0 for the exact method
    /// The points, near ones together, as the approximate method grouped them; empty for the exact.
    std::vector<std::int32_t> order;
    double multiplyAdds = 0; ///< of the products that were computed; each pair of points is met once

    [[nodiscard]] std::int64_t points() const { return indices.rows(); }
    [[nodiscard]] std::int64_t k() const { return indices.cols(); }
    /// Euclidean distance, or 1 - cos.
    [[nodiscard]] double distance(std::int64_t point, std::int64_t rank) const;
};

/// Finds the neighbours of every row.
///
/// Candidates come from blocked float32 products with a bound on their rounding, and are ranked by
/// direct differences in double, so that near-duplicates and ties stand in the right order.
/// @param rows     [P, D] finite numbers
/// @errors   InvalidArgument (k < 1, a row that is not finite), OutOfMemory, Cancelled
/// @threads  reentrant; uses `numThreads` threads; result independent of their number
/// @cost     exact: P^2 D / 2 multiply-adds at the rate of gemmNT; approximate: about P^1.5 D.
///           Memory beside the rows and the result: a float32 copy, and candidate lists of at most
///           256 MB or 8 (K + 48) bytes a point (NeighborSearch::bytes)
[[nodiscard]] Result<Neighbors> findNeighbors(ConstMatrixView rows, const NeighborOptions& options, int numThreads,
                                              JobContext& job);

/// Share of the true neighbours among those found, over `count` rows drawn by the seed and searched
/// exactly. A neighbour counts when it is no farther than the last true one.
/// @param rows  those that the neighbours were found among
/// @errors   Cancelled
/// @threads  uses `numThreads` threads; result independent of their number
/// @cost     count x P distances in double
[[nodiscard]] Result<double> measuredRecall(ConstMatrixView rows, const Neighbors& found, std::int64_t count,
                                            std::uint64_t seed, int numThreads, JobContext& job);

/// All squared distances of one row to every row, in double (0 to itself), as Neighbors has them.
/// @param scales  from unitScales for the cosine metric, empty for the Euclidean
void distancesToAll(ConstMatrixView rows, std::span<const double> scales, std::int64_t row, std::span<double> out);

/// The same for several rows at once, which reads the rows from memory only once.
/// @param chosen  row numbers
/// @param out     [chosen, P]; unfinished when the job is stopped, which the caller has to check
void distancesToAll(ConstMatrixView rows, std::span<const double> scales, std::span<const std::int64_t> chosen,
                    MatrixD& out, const JobContext& job);

/// 1 / length of every row, in double; 0 for a zero row.
[[nodiscard]] std::vector<double> unitScales(ConstMatrixView rows, int numThreads);

/// Refuses rows that hold NaN or infinity, naming the first.
/// @errors InvalidArgument
[[nodiscard]] Status checkFinite(ConstMatrixView rows, int numThreads = 1);

} // namespace headscope
