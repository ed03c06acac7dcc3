// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

constexpr double kSufficientDecrease = 1e-4;
constexpr double kCurvature = 0.9;
constexpr int kTrials = 25;

double dot(std::span<const double> a, std::span<const double> b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Where the cubic through two values and slopes is lowest, kept away from both ends.
double cubicMinimum(double a, double valueA, double slopeA, double b, double valueB, double slopeB)
{
    const double theta = slopeA + slopeB - 3 * (valueB - valueA) / (b - a);
    const double root = std::sqrt(std::max(0.0, theta * theta - slopeA * slopeB));
    const double signedRoot = b > a ? root : -root;
    double at = b - (b - a) * (slopeB + signedRoot - theta) / (slopeB - slopeA + 2 * signedRoot);
    const double low = std::min(a, b);
    const double width = std::abs(b - a);
    if (!std::isfinite(at))
        at = low + width / 2;
    return std::clamp(at, low + 0.1 * width, low + 0.9 * width);
}

} // namespace

Lbfgs::Lbfgs(std::vector<double> start, std::size_t memory)
    : m_memory(memory), m_x(std::move(start)), m_gradient(m_x.size()), m_trialX(m_x.size()), m_trialGradient(m_x.size())
{}

void Lbfgs::setFunction(Function function)
{
    m_function = std::move(function);
    m_value = m_function(m_x, m_gradient);
    ++m_evaluations;
}

/// Two-loop recursion: minus the inverse Hessian's estimate times the gradient.
std::vector<double> Lbfgs::direction() const
{
    std::vector<double> q(m_gradient.begin(), m_gradient.end());
    std::vector<double> alphas(m_pairs.size());
    for (std::size_t i = m_pairs.size(); i-- > 0;)
    {
        alphas[i] = m_pairs[i].inverseProduct * dot(m_pairs[i].step, q);
        for (std::size_t k = 0; k < q.size(); ++k)
            q[k] -= alphas[i] * m_pairs[i].change[k];
    }
    if (m_preconditioner)
    {
        const std::vector<double> gradient = q;
        m_preconditioner(gradient, q);
    }
    else if (!m_pairs.empty())
    {
        const Pair& last = m_pairs.back();
        const double scale = 1 / (last.inverseProduct * dot(last.change, last.change));
        for (double& value : q)
            value *= scale;
    }
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
    {
        const double beta = m_pairs[i].inverseProduct * dot(m_pairs[i].change, q);
        for (std::size_t k = 0; k < q.size(); ++k)
            q[k] += (alphas[i] - beta) * m_pairs[i].step[k];
    }
    for (double& value : q)
        value = -value;
    return q;
}

Lbfgs::Trial Lbfgs::evaluate(double at, const std::vector<double>& along)
{
    for (std::size_t k = 0; k < m_x.size(); ++k)
        m_trialX[k] = m_x[k] + at * along[k];
    m_trialValue = m_function(m_trialX, m_trialGradient);
    ++m_evaluations;
    return {at, m_trialValue, dot(m_trialGradient, along)};
}

bool Lbfgs::step()
{
    std::vector<double> along = direction();
    double slope = dot(m_gradient, along);
    if (slope >= 0) // the memory has gone bad: begin anew downhill
    {
        m_pairs.clear();
        along = direction();
        slope = dot(m_gradient, along);
    }
    if (slope == 0)
        return false;
    if (!searchLine(along, slope))
        return false;
    accept();
    return true;
}

bool Lbfgs::searchLine(const std::vector<double>& along, double slope)
{
    const Trial start{0, m_value, slope};
    Trial former = start;
    // Without a memory the direction has no scale; the first step then has length 1 at most.
    double at = m_pairs.empty() && !m_preconditioner ? std::min(1.0, 1 / std::sqrt(dot(along, along))) : 1.0;
    for (int trial = 0; trial < kTrials; ++trial)
    {
        const Trial now = evaluate(at, along);
        if (!(now.value <= start.value + kSufficientDecrease * at * slope) || (trial > 0 && now.value >= former.value))
            return zoom(along, start, former, now);
        if (std::abs(now.slope) <= -kCurvature * slope)
            return true;
        if (now.slope >= 0)
            return zoom(along, start, now, former);
        former = now;
        at *= 2.5;
    }
    return m_trialValue < m_value;
}

bool Lbfgs::zoom(const std::vector<double>& along, const Trial& start, Trial low, Trial high)
{
    for (int trial = 0; trial < kTrials; ++trial)
    {
        const double at = cubicMinimum(low.at, low.value, low.slope, high.at, high.value, high.slope);
        const Trial now = evaluate(at, along);
        if (!(now.value <= start.value + kSufficientDecrease * at * start.slope) || now.value >= low.value)
            high = now;
        else
        {
            if (std::abs(now.slope) <= -kCurvature * start.slope)
                return true;
            if (now.slope * (high.at - low.at) >= 0)
                high = low;
            low = now;
        }
        if (std::abs(high.at - low.at) <= 1e-12 * std::max(1.0, low.at))
            break;
    }
    if (low.at == 0)
        return false;
    evaluate(low.at, along); // the best point seen, though its slope is still steep
    return m_trialValue < m_value;
}

void Lbfgs::accept()
{
    Pair pair{m_trialX, m_trialGradient, 0};
    for (std::size_t k = 0; k < m_x.size(); ++k)
    {
        pair.step[k] -= m_x[k];
        pair.change[k] -= m_gradient[k];
    }
    const double product = dot(pair.step, pair.change);
    if (product > 1e-14 * dot(pair.change, pair.change))
    {
        pair.inverseProduct = 1 / product;
        m_pairs.push_back(std::move(pair));
        if (m_pairs.size() > m_memory)
            m_pairs.pop_front();
    }
    std::swap(m_x, m_trialX);
    std::swap(m_gradient, m_trialGradient);
    m_value = m_trialValue;
}

} // namespace headscope
