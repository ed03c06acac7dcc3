// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/probe/preconditioner.h"
#include "model/analysis/probe/softmax_objective.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace headscope
{

/// The softmax objective's Hessian without the couplings between groups of classes, each block factored: fits
/// where classes of one group are mistaken for each other and rarely for others, as heads that share keys and
/// values are.
///
/// Classes are grouped by how often rows are uncertain between them, as long as a group has at most
/// kMaxUnknowns unknowns. Rows that are certain about a group are left out of its block.
/// It takes 121 iterations where the Kronecker form takes 406, in a quarter of its time (25,600 x 128 x 32,
/// overlapping; tests/bench/README.md).
class BlockPreconditioner final : public Preconditioner
{
public:
    static constexpr std::int64_t kMaxUnknowns = 640;

    /// Whether two classes fit into one group; otherwise there is nothing to gain.
    [[nodiscard]] static bool pays(std::int64_t dims, std::int64_t classes)
    {
        return 2 * (dims + 1) <= kMaxUnknowns && classes <= 256;
    }
    /// What it holds at most, and takes beside that while it is made.
    [[nodiscard]] static double bytes(std::int64_t dims, std::int64_t classes, int numThreads);

    /// Of the point that `objective` evaluated last.
    /// @param classOverlap  sum_i p_ik p_il, [stride, stride]
    /// @cost  for each pair of classes in a group n' D^2 multiply-adds, n' the uncertain rows; and
    ///        u^3 / 3 for each group of u unknowns
    BlockPreconditioner(const SoftmaxObjective& objective, std::span<const double> classOverlap);
    ~BlockPreconditioner() override;
    BlockPreconditioner(const BlockPreconditioner&) = delete;
    BlockPreconditioner& operator=(const BlockPreconditioner&) = delete;

    /// solution = block^-1 residual, both [D + 1, stride].
    void solve(std::span<const double> residual, std::span<double> solution) const override;
    [[nodiscard]] std::string_view name() const override { return "block"; }

    /// The classes of each group, ascending.
    [[nodiscard]] std::vector<std::vector<std::int64_t>> groups() const;

private:
    struct Group;
    [[nodiscard]] static Group makeGroup(const SoftmaxObjective& objective, std::vector<std::int64_t> classes);
    static void addPair(const SoftmaxObjective& objective, Group& group, std::size_t first, std::size_t second);
    static void factorise(const SoftmaxObjective& objective, Group& group);

    std::int64_t m_dims;
    std::int64_t m_stride;
    int m_numThreads;
    std::vector<Group> m_groups;
};

} // namespace headscope
