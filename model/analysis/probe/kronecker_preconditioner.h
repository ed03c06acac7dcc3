// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/probe/class_moments.h"
#include "model/analysis/probe/class_scatter.h"
#include "model/analysis/probe/preconditioner.h"
#include "model/analysis/probe/softmax_objective.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headscope
{

/// The Hessian approximated by a Kronecker product of the softmax covariance of the classes and the scatter of the
/// rows, which is inverted at the cost of a few small products.
///
///     H ~ J^T (C A (x) S + I) J     A = sum_i e_i (diag p_i - p_i p_i^T)  [K, K], how classes compete, with
///                                       e_i = |x_i|^2 over its mean: strong heads bend more than weak ones
///                                   S = scatter of the rows that are undecided, about the class means
///                                   J : b_k -> b_k + m_k . w_k        m_k = mean of class k's undecided rows
///
/// A falls apart into the groups of classes that are mistaken for each other; directions that no row
/// is undecided about are left to the penalty. With S = V s V^T and A = U a U^T the inverse is
/// (V (x) U) diag(1 / (C s_j a_i + 1)) (V (x) U)^T. Up to kFullDims columns all of V is used; above, its
/// leading vectors, and one mean variance for the rest.
/// It takes 406 iterations where none takes 1,476, in about half the time (25,600 x 128 x 32, overlapping;
/// tests/bench/README.md).
/// @source  the Kronecker form generalises the bound of Boehning 1992 (doi 10.1007/BF00048682):
///          there A is uniform and S over all rows
class KroneckerPreconditioner final : public Preconditioner
{
public:
    static constexpr std::int64_t kFullDims = 256;

    /// Of the point that `objective` evaluated last.
    /// @cost  about 2 evaluations, and 9 D^3 flops for the vectors
    /// @param grouped  classes that almost no row is uncertain between get an S of their own each (only
    ///                 above kFullDims columns; below, BlockPreconditioner does better): 404 iterations for 582 at
    ///                 3,200 x 512 x 160, where it gains no time
    explicit KroneckerPreconditioner(const SoftmaxObjective& objective, bool grouped = false);

    /// Recomputes A and the class means, and keeps S: for the next point of the same fit.
    /// @cost about one evaluation
    void follow(const SoftmaxObjective& objective);

    /// solution = model^-1 residual, both [D + 1, stride].
    /// @cost 4 D r stride multiply-adds, r = min(D, 128 or all); on the calling thread
    void solve(std::span<const double> residual, std::span<double> solution) const override;
    [[nodiscard]] std::string_view name() const override
    {
        return m_groups.size() > 1 ? "Kronecker, groups" : "Kronecker";
    }

    /// sum_i p_ik p_il, [stride, stride], off the diagonal the softmax covariance sum_i (diag p_i - p_i p_i^T) with
    /// the other sign: how often rows are uncertain between two classes. Empty for very many classes.
    [[nodiscard]] std::span<const double> classOverlap() const { return m_moments.overlap; }

private:
    /// A group of classes with a scatter of its own.
    struct Group
    {
        ClassScatter scatter;
        std::vector<double> inverse; ///< 1 / (C s_j a_k + 1) less that of the rest, [rank, classes padded]
    };

    void diagonaliseCompetition();
    void setDenominators();
    void addInner(const Group& group, const std::vector<double>& turned, std::vector<double>& solved) const;

    std::int64_t m_dims;
    std::int64_t m_classes;
    std::int64_t m_stride;
    double m_c;
    int m_numThreads;
    ClassMoments m_moments;
    std::vector<Group> m_groups;
    std::vector<double> m_interceptCompetition; ///< as a and U, every row alike: of the intercepts
    std::vector<double> m_interceptVectors;
    std::vector<double> m_interceptVectorsBack;
    std::vector<double> m_competition;      ///< a, [stride], of the padding 0
    std::vector<double> m_classVectors;     ///< U, [stride, stride]; empty: turns nothing
    std::vector<double> m_classVectorsBack; ///< U^T
    std::vector<double> m_restInverse;      ///< [stride]
    std::vector<double> m_interceptInverse; ///< [stride]
};

} // namespace headscope
