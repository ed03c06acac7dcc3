// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/results/probe_result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Multinomial logistic regression's objective over rows x_i with classes y_i:
///
///     F(W, b) = C sum_i -ln p_(i, y_i) + 1/2 sum_k |w_k|^2,   p_i = softmax(W x_i + b)
///
/// with K weight rows for K classes and intercepts free. Float32 rows; every product and sum in
/// double.
struct MultinomialObjective
{
    double value = 0;
    MatrixD weightGradient;                ///< [K, D]
    std::vector<double> interceptGradient; ///< [K]

    [[nodiscard]] double gradientNorm() const;
};

/// @param labels  [n] in [0, K)
/// @threads uses `numThreads` threads; result independent of their number
[[nodiscard]] MultinomialObjective multinomialObjective(ConstMatrixView rows, std::span<const std::int32_t> labels,
                                                        const MatrixD& weights, std::span<const double> intercepts,
                                                        double c, int numThreads);

struct MultinomialOptions
{
    double c = 1.0;
    int maxIterations = 10'000; ///< of conjugate gradients, in all Newton steps together
    /// Stops when the bound 1/2 |gradient|^2 on what is left above the optimum (the penalty makes
    /// F strongly convex in W) falls below this share of the objective.
    double relativeGap = 1e-9;
};

struct MultinomialFit
{
    MatrixD weights;                ///< [K, D]
    std::vector<double> intercepts; ///< [K], the finite ones summing to 0
    double objective = 0;
    double gradientNorm = 0; ///< 2-norm over W and b
    int iterations = 0;
    int evaluations = 0;
    bool converged = false; ///< the bound was reached
    std::vector<FitStep> steps;
};

/// The optimum, by truncated Newton steps (softmax_minimum.h): in float32 first where that pays, then in
/// double. A class without a row has no optimum, its intercept falls for ever: it gets weights 0 and
/// intercept -infinity, and takes no part.
/// @errors  InvalidArgument (fewer than 2 classes with rows, a label out of range, rows that are not
///          finite), OutOfMemory (before it begins), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    50 to 120 passes over the rows of 4 n D K flops, most in float32, up to 256 columns; 300 to 400
///          where wide rows overlap
[[nodiscard]] Result<MultinomialFit> fitMultinomial(ConstMatrixView rows, std::span<const std::int32_t> labels,
                                                    std::int64_t classes, const MultinomialOptions& options,
                                                    int numThreads, JobContext& job);

/// Memory that a fit takes at once, beside its rows: an estimate; where rows are wide (LowRankPreconditioner) the most.
[[nodiscard]] double multinomialBytes(std::int64_t rows, std::int64_t dims, std::int64_t classes, int numThreads);

/// Logits of rows, [n, K], in double.
[[nodiscard]] MatrixD multinomialLogits(ConstMatrixView rows, const MatrixD& weights,
                                        std::span<const double> intercepts, int numThreads);

} // namespace headscope
