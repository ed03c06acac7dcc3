// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace headscope
{

/// An approximate inverse of the softmax objective's Hessian, for conjugate gradients: symmetric and
/// positive definite. The better it fits, the fewer Hessian-vector products a Newton step takes.
class Preconditioner
{
public:
    Preconditioner() = default;
    Preconditioner(const Preconditioner&) = default;
    Preconditioner(Preconditioner&&) = default;
    Preconditioner& operator=(const Preconditioner&) = default;
    Preconditioner& operator=(Preconditioner&&) = default;
    virtual ~Preconditioner() = default;

    /// solution = P^-1 residual, both [D + 1, stride] as SoftmaxObjective has them.
    virtual void solve(std::span<const double> residual, std::span<double> solution) const = 0;

    /// What it is called where it is measured: "Kronecker".
    [[nodiscard]] virtual std::string_view name() const = 0;
};

} // namespace headscope
