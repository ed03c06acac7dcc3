// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/softmax_minimum.h"

#include "model/analysis/probe/block_preconditioner.h"
#include "model/analysis/probe/kronecker_preconditioner.h"
#include "model/analysis/probe/low_rank_preconditioner.h"
#include "model/base/clock.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace headscope
{
namespace
{

/// Below this many multiply-adds a pass in double is too quick to be worth one in float32.
constexpr std::int64_t kFloatFrom = 20'000'000;
/// A step that gains less than this share of the value is beyond float32.
constexpr double kFloatGain = 1e-6;
constexpr double kSufficientDecrease = 1e-4;
constexpr int kHalvings = 30;
/// Conjugate gradients that one step may take.
constexpr int kMaxProducts = 250;
/// On wide rows they go on while each gains more than this share of what their mean did, whatever the residual
/// says: where the preconditioner fits badly its norm of the residual tells little.
constexpr double kSlow = 0.3;

double dot(std::span<const double> a, std::span<const double> b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The residual as it is.
class NoPreconditioner final : public Preconditioner
{
public:
    void solve(std::span<const double> residual, std::span<double> solution) const override
    {
        std::copy(residual.begin(), residual.end(), solution.begin());
    }
    [[nodiscard]] std::string_view name() const override { return "none"; }
};

class Newton
{
public:
    Newton(SoftmaxObjective& objective, const MinimumOptions& options, JobContext& job)
        : m_objective(objective), m_options(options), m_job(job),
          m_precision(objective.work() >= kFloatFrom ? ProductPrecision::Float : ProductPrecision::Double),
          m_products(m_precision), m_gradient(objective.size()), m_trialGradient(objective.size())
    {
        m_result.theta.assign(objective.size(), 0.0);
    }

    Result<SoftmaxMinimum> run();

private:
    [[nodiscard]] double bound() const { return m_objective.gapBound(m_gradient); }
    [[nodiscard]] bool reached(double gap) const { return bound() <= gap * std::abs(m_result.value); }
    void evaluate()
    {
        m_result.value = m_objective.evaluate(m_result.theta, m_gradient, m_precision);
        ++m_result.evaluations;
    }
    void toDouble()
    {
        m_precision = ProductPrecision::Double;
        evaluate();
    }
    [[nodiscard]] const Preconditioner& preconditioner() const
    {
        if (m_lowRank)
            return *m_lowRank;
        if (m_blocks)
            return *m_blocks;
        if (m_kronecker)
            return *m_kronecker;
        return m_none;
    }
    void renewPreconditioner();
    void renewBlocks();
    Result<double> findDirection();
    bool searchLine(double slope);

    SoftmaxObjective& m_objective;
    MinimumOptions m_options;
    JobContext& m_job;
    Clock::time_point m_begin = Clock::now();
    ProductPrecision m_precision; ///< of value and gradient
    ProductPrecision m_products;  ///< of Hessian products
    NoPreconditioner m_none;
    std::optional<KroneckerPreconditioner> m_kronecker;
    std::unique_ptr<BlockPreconditioner> m_blocks;  ///< takes the first's place once that is too coarse
    std::optional<LowRankPreconditioner> m_lowRank; ///< the same for wide rows
    std::vector<double> m_gradient;
    std::vector<double> m_trialGradient;
    std::vector<double> m_direction;
    double m_formerDecrement = 0;
    int m_lastProducts = 0;
    SoftmaxMinimum m_result;
};

/// Conjugate gradients on H d = -g; the slope g . d. Zero when there is nowhere to go.
Result<double> Newton::findDirection()
{
    const std::size_t size = m_gradient.size();
    std::vector<double> residual(size);
    std::transform(m_gradient.begin(), m_gradient.end(), residual.begin(), [](double g) { return -g; });
    std::vector<double> solved(size);
    std::vector<double> product(size);
    const Preconditioner& inverse = preconditioner();
    inverse.solve(residual, solved);
    std::vector<double> along = solved;
    m_direction.assign(size, 0.0);
    double energy = dot(residual, solved);
    double gained = 0;
    const double start = energy;
    if (!(start > 0))
        return 0.0;
    const double decrement = std::sqrt(start);
    // Half an order per step at first, then as fast as the steps themselves contract.
    const double forcing = m_formerDecrement > 0 ? std::min(0.5, 0.5 * decrement / m_formerDecrement) : 0.5;
    m_formerDecrement = decrement;
    // No better than the last step of all needs.
    const double enough = 0.1 * m_options.relativeGap * std::abs(m_result.value);
    int products = 0;
    while (products < kMaxProducts && m_result.iterations < m_options.maxIterations)
    {
        HEADSCOPE_CHECK(m_job.checkStop());
        m_objective.hessianVectorProduct(along, product, m_products);
        ++m_result.products;
        ++m_result.iterations;
        ++products;
        m_job.report("fitting", static_cast<std::uint64_t>(m_result.iterations), 0, "iterations");
        const double curvature = dot(along, product);
        if (!(curvature > 0)) // rounding: what has been found so far must do
            break;
        const double length = energy / curvature;
        for (std::size_t i = 0; i < size; ++i)
        {
            m_direction[i] += length * along[i];
            residual[i] -= length * product[i];
        }
        inverse.solve(residual, solved);
        const double next = dot(residual, solved);
        gained += length * energy;
        const bool slow = !m_lowRank || products * length * energy <= kSlow * gained;
        if ((!(next > forcing * forcing * start) && slow) || 0.5 * dot(residual, residual) <= enough)
            break;
        for (std::size_t i = 0; i < size; ++i)
            along[i] = solved[i] + next / energy * along[i];
        energy = next;
    }
    m_lastProducts = products;
    return dot(m_gradient, m_direction);
}

/// Armijo's rule from step 1. False when nothing lower was found.
bool Newton::searchLine(double slope)
{
    const double noise = m_precision == ProductPrecision::Float ? 2e-7 : 4e-16;
    std::vector<double> trial(m_result.theta.size());
    double step = 1;
    for (int halving = 0; halving < kHalvings; ++halving, step *= 0.5)
    {
        for (std::size_t i = 0; i < trial.size(); ++i)
            trial[i] = m_result.theta[i] + step * m_direction[i];
        const double value = m_objective.evaluate(trial, m_trialGradient, m_precision);
        ++m_result.evaluations;
        if (value > m_result.value + kSufficientDecrease * step * slope + noise * std::abs(m_result.value))
            continue;
        m_result.theta.swap(trial);
        m_gradient.swap(m_trialGradient);
        m_result.value = value;
        m_result.trace.push_back({secondsSince(m_begin), value});
        return true;
    }
    return false;
}

/// At the start every class competes with every other and the Kronecker form is exact. It follows the
/// point cheaply, until a step has needed many products: then the groups that have formed, factored, save more
/// than they cost; of wide rows, the directions of each label.
void Newton::renewPreconditioner()
{
    constexpr int kRenewAfter = 8;
    constexpr int kFirstSteps = 5; // by then it shows which labels are mistaken for which
    constexpr int kMany = 30;      // products, which say so earlier
    const Preconditioning allowed = m_options.preconditioning;
    if (allowed == Preconditioning::None)
        return;
    if (!m_kronecker)
    {
        m_kronecker.emplace(m_objective);
        return;
    }
    const bool wide =
        allowed == Preconditioning::All && LowRankPreconditioner::pays(m_objective.dims(), m_objective.classes());
    const bool old = m_lastProducts > kRenewAfter;
    const bool late = m_result.steps >= kFirstSteps;
    // Half of what the directions cost must have been lost.
    const bool costly = old && wide && m_lastProducts > LowRankPreconditioner::costInProducts(m_objective) / 2;
    if (m_lowRank || m_blocks)
    {
        if (m_lowRank && costly)
            m_lowRank->follow(m_objective);
        else if (m_blocks && old)
            renewBlocks();
        return;
    }
    m_kronecker->follow(m_objective);
    if (old && allowed == Preconditioning::All && BlockPreconditioner::pays(m_objective.dims(), m_objective.classes()))
        renewBlocks();
    else if (costly && (late || m_lastProducts > kMany))
        m_lowRank.emplace(m_objective);
    else if (old && (late || !wide))
        m_kronecker.emplace(m_objective, allowed != Preconditioning::Kronecker);
}

void Newton::renewBlocks()
{
    m_kronecker->follow(m_objective);
    m_blocks.reset(); // the largest part of all that is held: not twice
    m_blocks = std::make_unique<BlockPreconditioner>(m_objective, m_kronecker->classOverlap());
}

Result<SoftmaxMinimum> Newton::run()
{
    evaluate();
    double formerBound = bound();
    bool stalled = false;
    while (m_result.iterations < m_options.maxIterations)
    {
        if (reached(m_options.relativeGap))
        {
            if (m_precision == ProductPrecision::Double)
                break;
            toDouble();
            continue;
        }
        renewPreconditioner();
        HEADSCOPE_TRY(const double slope, findDirection());
        const bool moved = slope < 0 && searchLine(slope);
        ++m_result.steps;
        if (m_precision == ProductPrecision::Float)
        {
            if (!moved || -slope < kFloatGain * std::abs(m_result.value))
                toDouble();
            continue;
        }
        const double now = bound();
        const bool contracted = moved && now < 0.25 * formerBound;
        formerBound = now;
        if (contracted)
            stalled = false;
        else if (m_products == ProductPrecision::Float)
            m_products = ProductPrecision::Double;
        else if (!moved || (stalled && -slope < 1e-14 * std::abs(m_result.value)))
            break; // the floor of the value's rounding
        else
            stalled = true;
        if (!moved) // the objective remembers a point that was refused
            evaluate();
    }
    m_result.preconditioner = preconditioner().name();
    m_result.gradientNorm = std::sqrt(dot(m_gradient, m_gradient));
    m_result.converged = m_precision == ProductPrecision::Double && reached(std::max(m_options.relativeGap, 1e-9));
    return std::move(m_result);
}

} // namespace

Result<SoftmaxMinimum> minimiseByNewton(SoftmaxObjective& objective, const MinimumOptions& options, JobContext& job)
{
    return Newton(objective, options, job).run();
}

} // namespace headscope
