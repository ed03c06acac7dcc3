// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/probe/softmax_objective.h"

#include <vector>

namespace headscope
{

/// Squared lengths of the objective's rows about their mean, [n].
/// @cost n D multiply-adds
[[nodiscard]] std::vector<double> rowEnergies(const SoftmaxObjective& objective);

/// How undecided the rows are about each class, in sums over all rows; p_ik is the probability of class k in row i at
/// the point that the objective evaluated last.
struct ClassMoments
{
    /// Above this many classes there are no overlaps.
    static constexpr std::int64_t kMaxCoupled = 256;

    /// Finds the energies, and follows.
    explicit ClassMoments(const SoftmaxObjective& objective);

    /// Everything but the energies at another point of the same objective.
    /// @cost about one evaluation
    void follow(const SoftmaxObjective& objective);

    std::vector<float> energy;         ///< e, squared lengths of the rows about the mean, over their mean, [n]
    std::vector<double> undecided;     ///< sum_i p_ik (1 - p_ik), [stride]
    std::vector<double> strength;      ///< sum_i e_i p_ik (1 - p_ik), [stride]
    std::vector<double> means;         ///< m, of each class's undecided rows, about the centre, [D, stride]
    std::vector<double> overlap;       ///< sum_i p_ik p_il, [stride, stride]
    std::vector<double> strongOverlap; ///< sum_i e_i p_ik p_il, [stride, stride]
};

} // namespace headscope
