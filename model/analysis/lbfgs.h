// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace headscope
{

/// Limited-memory BFGS with a line search for the strong Wolfe conditions, one step at a time.
///
/// The function may be replaced between two steps (a coarse one first, an exact one later): what
/// was learned about the curvature stays.
/// @source Nocedal & Wright, Numerical Optimization, algorithms 7.4, 3.5 and 3.6
class Lbfgs
{
public:
    /// Value at x; writes the gradient. Both spans have the size of the start.
    using Function = std::function<double(std::span<const double> x, std::span<double> gradient)>;

    explicit Lbfgs(std::vector<double> start, std::size_t memory = 40);

    /// An estimate of the inverse Hessian that the directions start from; may be replaced between two
    /// steps. Without one it is a multiple of the identity.
    using Preconditioner = std::function<void(std::span<const double> gradient, std::span<double> step)>;
    void setPreconditioner(Preconditioner preconditioner) { m_preconditioner = std::move(preconditioner); }

    /// Sets the function and evaluates it where we are.
    void setFunction(Function function);

    /// One quasi-Newton step. False when no lower point was found along the direction: the value
    /// is at the floor of its rounding.
    bool step();

    [[nodiscard]] std::span<const double> x() const { return m_x; }
    [[nodiscard]] std::span<const double> gradient() const { return m_gradient; }
    [[nodiscard]] double value() const { return m_value; }
    [[nodiscard]] int evaluations() const { return m_evaluations; }

private:
    struct Pair
    {
        std::vector<double> step;
        std::vector<double> change; ///< of the gradient
        double inverseProduct = 0;
    };
    struct Trial
    {
        double at = 0;
        double value = 0;
        double slope = 0;
    };

    [[nodiscard]] std::vector<double> direction() const;
    Trial evaluate(double at, const std::vector<double>& along);
    bool searchLine(const std::vector<double>& along, double slope);
    bool zoom(const std::vector<double>& along, const Trial& start, Trial low, Trial high);
    void accept();

    Function m_function;
    Preconditioner m_preconditioner;
    std::size_t m_memory;
    std::deque<Pair> m_pairs;
    std::vector<double> m_x;
    std::vector<double> m_gradient;
    double m_value = 0;
    std::vector<double> m_trialX;
    std::vector<double> m_trialGradient;
    double m_trialValue = 0;
    int m_evaluations = 0;
};

} // namespace headscope
