// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/probe/kronecker_preconditioner.h"
#include "model/analysis/probe/preconditioner.h"
#include "model/analysis/probe/softmax_objective.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headscope
{

struct LabelCurvature;

/// The softmax objective's Hessian for wide rows as a diagonal and a matrix of low rank, factored: the rows of each
/// label lie along few directions of their own, and are mistaken for few other labels.
///
///     H ~ D + C sum_h S_h (x) A_h     A_h = mean of diag p_i - p_i p_i^T over the rows of label h
///                                     S_h = scatter of these rows, weighted by how undecided they are
///                                     D   = the penalty, and what the sum leaves out, evenly in each class
///
/// S_h is its mean (with the intercept, which so is covered in full) and the leading vectors about it, A_h
/// its leading vectors; of all their pairs the largest, at most kMaxPairs, make one matrix of that size,
/// which Woodbury's identity needs factored.
/// It takes 178 iterations where the Kronecker form takes 419, in a quarter of its time (3,200 x 1,024 x 32,
/// overlapping; tests/bench/README.md).
/// @source  Woodbury 1950; S_h by the Nystroem method as in Tropp, Yurtsever, Udell & Cevher 2017
///          (arXiv 1706.05736)
class LowRankPreconditioner final : public Preconditioner
{
public:
    static constexpr std::int64_t kMaxPairs = 3072;
    static constexpr std::int64_t kMaxClasses = 128;

    /// Whether rows are wide, and labels few enough that each keeps directions of its own.
    [[nodiscard]] static bool pays(std::int64_t dims, std::int64_t classes)
    {
        return dims > KroneckerPreconditioner::kFullDims && classes <= kMaxClasses;
    }
    /// What it holds at most, and takes beside that while it is made.
    [[nodiscard]] static double bytes(std::int64_t rows, std::int64_t dims, std::int64_t classes, int numThreads);

    /// Multiply-adds of learning and factoring, at most, in products with the Hessian.
    [[nodiscard]] static double costInProducts(const SoftmaxObjective& objective);

    /// Of the point that `objective` evaluated last.
    /// @cost  costInProducts: about 6 at 25,600 x 4,096 x 32
    explicit LowRankPreconditioner(const SoftmaxObjective& objective);

    /// Recomputes the model at another point of the same objective.
    void follow(const SoftmaxObjective& objective);

    /// solution = model^-1 residual, both [D + 1, stride].
    /// @cost  4 D v stride multiply-adds, v <= 2,000 the vectors of all S_h, and kMaxPairs^2; in float32
    void solve(std::span<const double> residual, std::span<double> solution) const override;
    [[nodiscard]] std::string_view name() const override { return "low rank"; }

    [[nodiscard]] std::int64_t pairs() const { return static_cast<std::int64_t>(m_pairs.size()); }

private:
    /// One vector of S_h with one of A_h.
    struct Pair
    {
        std::int64_t vector;
        std::int64_t mode;
    };

    void choosePairs(std::vector<LabelCurvature>& labels);
    void setDiagonal(const SoftmaxObjective& objective, const std::vector<LabelCurvature>& labels);
    void factorise();

    std::int64_t m_dims;
    std::int64_t m_stride;
    double m_c;
    int m_numThreads;
    std::vector<double> m_energy;   ///< e, squared lengths of the rows about the mean, [n]
    MatrixF m_vectors;              ///< of all S_h, scaled by the roots of their variances, [v, D]
    std::vector<float> m_ones;      ///< their places along the intercept, [v]
    MatrixF m_modes;                ///< of all A_h, scaled by the roots of C and their values, [modes, stride]
    std::vector<Pair> m_pairs;      ///< those that count, by vector
    std::vector<double> m_diagonal; ///< D, [stride]
    double m_interceptDiagonal = 1;
    MatrixF m_factor; ///< lower Cholesky factor of 1 + P^T D^-1 P, [pairs, pairs]
};

} // namespace headscope
