// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/probe/softmax_objective.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/results/probe_result.h"

#include <string_view>
#include <vector>

namespace headscope
{

/// The preconditioners that conjugate gradients may use. All is what the probe uses; with fewer, bench_probe measures
/// what the rest buys.
enum class Preconditioning
{
    None,
    Kronecker,       ///< with one scatter for all classes
    KroneckerGroups, ///< and one for each group of classes
    All,             ///< and, where they pay, blocks of classes or low rank
};

struct MinimumOptions
{
    int maxIterations = 10'000; ///< of conjugate gradients, in all steps together
    /// Stops when the bound 1/2 |gradient|^2 on what is left above the optimum falls below this share
    /// of the value.
    double relativeGap = 1e-9;
    Preconditioning preconditioning = Preconditioning::All;
};

struct SoftmaxMinimum
{
    std::vector<double> theta;
    double value = 0;
    double gradientNorm = 0;
    int steps = 0;       ///< Newton's
    int iterations = 0;  ///< Newton: of conjugate gradients, in all steps together
    int evaluations = 0; ///< of the objective
    int products = 0;    ///< with the Hessian
    bool converged = false;
    std::string_view preconditioner; ///< of the last step
    std::vector<FitStep> trace;      ///< after every step that moved; seconds since the call
};

/// The minimum of the softmax objective by truncated Newton steps.
///
/// Each step solves H d = -g by conjugate gradients, preconditioned by the Kronecker form and, once
/// classes have parted, by blocks of classes or low rank, only as accurately as the step needs; Armijo's rule
/// shortens the step. Value and gradient are in float32 until the steps gain less than float32 can see, then in
/// double; Hessian products stay in float32 unless steps stop contracting, for errors in them cost iterations and not
/// digits.
/// @errors  Cancelled
/// @threads as the objective
/// @source  Nocedal & Wright, Numerical Optimization, algorithm 7.1; forcing terms of Eisenstat & Walker 1996
///          (doi 10.1137/0917003)
[[nodiscard]] Result<SoftmaxMinimum> minimiseByNewton(SoftmaxObjective& objective, const MinimumOptions& options,
                                                      JobContext& job);

} // namespace headscope
