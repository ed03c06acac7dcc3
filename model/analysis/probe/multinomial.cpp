// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/multinomial.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/probe/block_preconditioner.h"
#include "model/analysis/probe/class_moments.h"
#include "model/analysis/probe/low_rank_preconditioner.h"
#include "model/analysis/probe/row_sums.h"
#include "model/analysis/probe/softmax_minimum.h"
#include "model/analysis/probe/softmax_objective.h"
#include "model/base/clock.h"
#include "model/base/free_memory.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/skinny_gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{
namespace
{

/// The classes that have a row, ascending.
Result<std::vector<std::int32_t>> presentClasses(std::span<const std::int32_t> labels, std::int64_t rows,
                                                 std::int64_t classes)
{
    if (static_cast<std::int64_t>(labels.size()) != rows)
    {
        return Error{
            ErrorCode::ShapeMismatch, fmt::format("expected {} labels, found {}", rows, labels.size()), {}, {}};
    }
    std::vector<bool> seen(sizeOf(std::max<std::int64_t>(0, classes)));
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        if (labels[i] < 0 || labels[i] >= classes)
        {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected labels from 0 to {}, found {} in row {}", classes - 1, labels[i], i),
                         {},
                         {}};
        }
        seen[sizeOf(labels[i])] = true;
    }
    std::vector<std::int32_t> present;
    for (std::size_t k = 0; k < seen.size(); ++k)
    {
        if (seen[k])
            present.push_back(static_cast<std::int32_t>(k));
    }
    if (present.size() < 2)
    {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least 2 classes, found {} in {} rows", present.size(), rows),
                     {},
                     {}};
    }
    return present;
}

/// W and b about the origin from theta about the mean; classes without a row get -infinity.
void unpack(const SoftmaxObjective& objective, std::span<const double> theta, std::span<const std::int32_t> present,
            std::int64_t classes, MultinomialFit& fit)
{
    const std::int64_t dims = objective.dims();
    fit.weights = MatrixD(classes, dims);
    fit.intercepts.assign(sizeOf(classes), -std::numeric_limits<double>::infinity());
    double sum = 0;
    for (std::size_t k = 0; k < present.size(); ++k)
    {
        const auto row = fit.weights.row(present[k]);
        double intercept = theta[sizeOf(dims * objective.stride()) + k];
        for (std::size_t j = 0; j < row.size(); ++j)
        {
            row[j] = theta[j * sizeOf(objective.stride()) + k];
            intercept -= objective.mean()[j] * row[j];
        }
        fit.intercepts[static_cast<std::size_t>(present[k])] = intercept;
        sum += intercept;
    }
    for (const std::int32_t k : present) // a constant on all changes nothing
        fit.intercepts[static_cast<std::size_t>(k)] -= sum / static_cast<double>(present.size());
}

} // namespace

double MultinomialObjective::gradientNorm() const
{
    double sum = 0;
    for (const double g : weightGradient.values())
        sum += g * g;
    for (const double g : interceptGradient)
        sum += g * g;
    return std::sqrt(sum);
}

MultinomialObjective multinomialObjective(ConstMatrixView rows, std::span<const std::int32_t> labels,
                                          const MatrixD& weights, std::span<const double> intercepts, double c,
                                          int numThreads)
{
    const std::int64_t classes = weights.rows();
    SoftmaxObjective objective(rows, labels, classes, c, numThreads, false);
    const std::int64_t stride = objective.stride();
    std::vector<double> theta(objective.size());
    for (std::int64_t k = 0; k < classes; ++k)
    {
        for (std::int64_t j = 0; j < rows.cols(); ++j)
            theta[sizeOf(j * stride + k)] = weights(k, j);
        theta[sizeOf(rows.cols() * stride + k)] = intercepts[sizeOf(k)];
    }
    std::vector<double> gradient(objective.size());
    MultinomialObjective found{
        objective.evaluate(theta, gradient, ProductPrecision::Double), MatrixD(classes, rows.cols()), {}};
    for (std::int64_t k = 0; k < classes; ++k)
    {
        for (std::int64_t j = 0; j < rows.cols(); ++j)
            found.weightGradient(k, j) = gradient[sizeOf(j * stride + k)];
        found.interceptGradient.push_back(gradient[sizeOf(rows.cols() * stride + k)]);
    }
    return found;
}

namespace
{

/// What the search for a minimum takes to go straight to it (softmax_newton.cpp), beside vectors of weights.
double preconditionerBytes(std::int64_t rows, std::int64_t dims, std::int64_t classes, int numThreads)
{
    const auto coupled = static_cast<double>(std::min(classes, ClassMoments::kMaxCoupled));
    const double overlaps =
        classes > ClassMoments::kMaxCoupled ? 0.0 : 8 * coupled * coupled * static_cast<double>(2 * kSumParts + 6);
    double most = 0;
    if (BlockPreconditioner::pays(dims, classes))
        most = BlockPreconditioner::bytes(dims, classes, numThreads);
    if (LowRankPreconditioner::pays(dims, classes))
        most = std::max(most, LowRankPreconditioner::bytes(rows, dims, classes, numThreads));
    return overlaps + most;
}

} // namespace

double multinomialBytes(std::int64_t rows, std::int64_t dims, std::int64_t classes, int numThreads)
{
    // Vectors of one number for each weight: of the search and its preconditioner, the parts of a sum over the rows,
    // and the weights as they are handed over.
    constexpr double kVectors = 14 + 16 + 4;
    constexpr double kBlockRows = 256;
    const auto k = static_cast<double>(classes);
    const double weights = 8 * static_cast<double>(dims + 1) * k;
    const double probabilities = 4 * static_cast<double>(rows) * k;
    const double centred = 4 * static_cast<double>(rows) * static_cast<double>(dims);
    return kVectors * weights + probabilities + centred + numThreads * (weights + 8 * kBlockRows * k) +
           preconditionerBytes(rows, dims, classes, numThreads);
}

Result<MultinomialFit> fitMultinomial(ConstMatrixView rows, std::span<const std::int32_t> labels, std::int64_t classes,
                                      const MultinomialOptions& options, int numThreads, JobContext& job)
{
    const auto begin = Clock::now();
    HEADSCOPE_TRY(const auto present, presentClasses(labels, rows.rows(), classes));
    HEADSCOPE_CHECK(checkMemory({multinomialBytes(rows.rows(), rows.cols(), std::ssize(present), numThreads),
                                 fmt::format("a probe that predicts {} classes from {} values, with {} rows,",
                                             present.size(), rows.cols(), rows.rows()),
                                 "use fewer classes, heads or documents"}));
    HEADSCOPE_CHECK(checkFinite(rows));
    std::vector<std::int32_t> places;
    for (const std::int32_t label : labels)
        places.push_back(
            static_cast<std::int32_t>(std::lower_bound(present.begin(), present.end(), label) - present.begin()));
    SoftmaxObjective objective(rows, places, static_cast<std::int64_t>(present.size()), options.c, numThreads);
    MinimumOptions minimum;
    minimum.maxIterations = options.maxIterations;
    minimum.relativeGap = options.relativeGap;
    const double before = secondsSince(begin);
    HEADSCOPE_TRY(const SoftmaxMinimum found, minimiseByNewton(objective, minimum, job));
    MultinomialFit fit;
    fit.objective = found.value;
    fit.gradientNorm = found.gradientNorm;
    fit.iterations = found.iterations;
    fit.evaluations = found.evaluations + found.products;
    fit.converged = found.converged;
    for (const FitStep& step : found.trace)
        fit.steps.push_back({before + step.seconds, step.objective});
    unpack(objective, found.theta, present, classes, fit);
    return fit;
}

MatrixD multinomialLogits(ConstMatrixView rows, const MatrixD& weights, std::span<const double> intercepts,
                          int numThreads)
{
    const std::int64_t classes = weights.rows();
    const std::int64_t dims = rows.cols();
    std::vector<double> columns(weights.values().size()); // [D, K]
    for (std::int64_t k = 0; k < classes; ++k)
    {
        for (std::int64_t j = 0; j < dims; ++j)
            columns[sizeOf(j * classes + k)] = weights(k, j);
    }
    MatrixD logits(rows.rows(), classes);
    parallelFor(numThreads, rows.rows(), 64, [&](std::int64_t begin, std::int64_t end) {
        MatrixD block(end - begin, dims);
        for (std::int64_t i = begin; i < end; ++i)
        {
            const auto row = rows.row(i);
            std::copy(row.begin(), row.end(), block.row(i - begin).begin());
            std::copy(intercepts.begin(), intercepts.end(), logits.row(i).begin());
        }
        addNarrowProduct(end - begin, classes, dims, block.data(), dims, 1, columns.data(), classes,
                         logits.row(begin).data(), classes);
    });
    return logits;
}

} // namespace headscope
