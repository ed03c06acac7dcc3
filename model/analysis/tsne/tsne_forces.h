// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/tsne/affinities.h"
#include "model/analysis/tsne/edge_blocks.h"
#include "model/analysis/tsne/joint_rows.h"
#include "model/analysis/tsne/repulsion.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Affinities in the form the iterations read, and what they exert on a map.
///
/// Dense: a float32 row of all pairs beside an exact repulsion, one pass for both. Sparse: blocks of
/// edges, in float32 beside an exact repulsion, in float16 beside one on a mesh, whose own error is
/// larger.
class TsneForces
{
public:
    TsneForces() = default;
    /// All pairs, [P, P].
    /// @param degrees  of freedom of the Student kernel, here and below
    explicit TsneForces(const MatrixD& affinities, double degrees = 1.0);
    /// @param order  position -> point, or empty: the rows are renumbered so that near points stand
    ///               together in memory; evaluate() then takes positions in that order
    TsneForces(const SparseAffinities& affinities, std::span<const std::int32_t> order, bool exactRepulsion,
               int numThreads, double degrees = 1.0);
    /// Repulsion on a mesh.
    /// @errors those of JointRows::visit
    [[nodiscard]] static Result<TsneForces> onMesh(const JointRows<float>& rows, double degrees, int numThreads,
                                                   JobContext& job);

    [[nodiscard]] std::int64_t points() const { return m_points; }

    struct Sums
    {
        double z = 0;  ///< sum over ordered pairs of (1 + |y_i - y_j|^2 / a)^-a
        double kl = 0; ///< Kullback-Leibler divergence, without exaggeration; when asked for
    };

    /// A quarter of the gradient: g_i = sum_j (e P_ij - q_ij) (y_i - y_j) / (1 + |y_i - y_j|^2 / a).
    /// @param xy        [P, 2] interleaved positions
    /// @param gradient  [P, 2]
    /// @param job       when given: once a stop is requested the rest is skipped and the result is invalid
    /// @source  Kobak, Linderman et al. 2019, "Heavy-tailed kernels reveal a finer cluster structure"
    ///          (arXiv 1902.05804)
    /// @threads one call at a time; uses `numThreads` threads; result independent of their number
    Sums evaluate(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                  std::span<float> gradient, const JobContext* job = nullptr);

private:
    Sums evaluateDense(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                       std::span<float> gradient, const JobContext* job);
    Sums evaluateSparse(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                        std::span<float> gradient, const JobContext* job);
    [[nodiscard]] double divergence(double logSum, double z) const;

    std::int64_t m_points = 0;
    bool m_exact = true;
    double m_degrees = 1;
    double m_total = 0;   ///< sum P: 1 but for the rounding to float32
    double m_entropy = 0; ///< sum P ln P
    MatrixF m_dense;
    EdgeBlocks m_edges;
    RepulsionMesh m_mesh;
    std::vector<float> m_repulsion;
};

} // namespace headscope
