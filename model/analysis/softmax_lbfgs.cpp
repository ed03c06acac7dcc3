// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/curvature_model.h"
#include "model/analysis/lbfgs.h"
#include "model/analysis/softmax_minimum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace headscope
{
namespace
{

/// Below this many multiply-adds a pass in double is too quick to be worth one in float32.
constexpr std::int64_t kFloatFrom = 20'000'000;
/// A step that gains less than this share of the value is beyond float32.
constexpr double kFloatGain = 2e-7;
constexpr std::size_t kMemory = 24;
/// Steps after which the model of the curvature is learned again, from the point reached.
constexpr std::array kRenewAt = {3, 8, 16, 32, 64, 128, 256, 512, 1024};

} // namespace

Result<SoftmaxMinimum> minimiseByLbfgs(SoftmaxObjective& objective, const MinimumOptions& options, JobContext& job)
{
    Lbfgs lbfgs(std::vector<double>(objective.size()), kMemory);
    Precision precision = objective.work() >= kFloatFrom ? Precision::Float : Precision::Double;
    const auto evaluateIn = [&](Precision wanted) {
        precision = wanted;
        lbfgs.setFunction([&objective, wanted](std::span<const double> theta, std::span<double> gradient) {
            return objective.evaluate(theta, gradient, wanted);
        });
    };
    evaluateIn(precision);
    std::unique_ptr<CurvatureModel> model;
    const auto learn = [&] {
        model = std::make_unique<CurvatureModel>(objective);
        lbfgs.setPreconditioner(
            [&model](std::span<const double> gradient, std::span<double> step) { model->solve(gradient, step); });
    };
    learn();
    SoftmaxMinimum found;
    const auto reached = [&](double gap) {
        return objective.gapBound(lbfgs.gradient()) <= gap * std::abs(lbfgs.value());
    };
    while (found.steps < options.maxIterations)
    {
        HEADSCOPE_CHECK(job.checkStop());
        if (reached(options.relativeGap))
        {
            if (precision == Precision::Double)
                break;
            evaluateIn(Precision::Double);
            continue;
        }
        if (std::find(kRenewAt.begin(), kRenewAt.end(), found.steps) != kRenewAt.end())
            learn(); // the point accepted is the one evaluated last
        const double former = lbfgs.value();
        const bool moved = lbfgs.step();
        ++found.steps;
        job.report("fitting", static_cast<std::uint64_t>(found.steps), 0, "iterations");
        if (precision == Precision::Float)
        {
            if (!moved || former - lbfgs.value() < kFloatGain * std::abs(former))
                evaluateIn(Precision::Double);
        }
        else if (!moved)
            break; // the floor of the value's rounding
    }
    found.theta.assign(lbfgs.x().begin(), lbfgs.x().end());
    found.value = lbfgs.value();
    const auto gradient = lbfgs.gradient();
    double square = 0;
    for (const double value : gradient)
        square += value * value;
    found.gradientNorm = std::sqrt(square);
    found.iterations = found.steps;
    found.evaluations = lbfgs.evaluations();
    found.converged = precision == Precision::Double && reached(std::max(options.relativeGap, 1e-9));
    return found;
}

} // namespace headscope
