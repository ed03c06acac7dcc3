// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/affinities.h"
#include "model/analysis/repulsion.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Affinities in the form the iterations read, and what they exert on a map.
///
/// Dense: a float32 row of all pairs beside an exact repulsion, one pass for both. Sparse: rows
/// padded for the SIMD kernel, beside an exact repulsion or one on a mesh.
class TsneForces
{
public:
    TsneForces() = default;
    /// All pairs, [P, P].
    explicit TsneForces(const MatrixD& affinities);
    /// @param order  position -> point, or empty: the rows are renumbered so that near points stand
    ///               together in memory; evaluate() then takes positions in that order
    TsneForces(const SparseAffinities& affinities, std::span<const std::int32_t> order, bool exactRepulsion,
               int numThreads);

    [[nodiscard]] std::int64_t points() const { return m_points; }

    struct Sums
    {
        double z = 0;  ///< sum over ordered pairs of 1 / (1 + |y_i - y_j|^2)
        double kl = 0; ///< Kullback-Leibler divergence, without exaggeration; when asked for
    };

    /// A quarter of the gradient: g_i = sum_j (e P_ij - q_ij) k_ij (y_i - y_j).
    /// @param xy        [P, 2] interleaved positions
    /// @param gradient  [P, 2]
    /// @threads one call at a time; uses `numThreads` threads; result independent of their number
    Sums evaluate(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                  std::span<float> gradient);

private:
    Sums evaluateDense(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                       std::span<float> gradient);
    Sums evaluateSparse(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                        std::span<float> gradient);
    [[nodiscard]] double divergence(double logSum, double z) const;

    std::int64_t m_points = 0;
    bool m_exact = true;
    double m_total = 0;   ///< sum P: 1 but for the rounding to float32
    double m_entropy = 0; ///< sum P ln P
    MatrixF m_dense;
    std::vector<std::int64_t> m_rowStart;
    std::vector<std::int32_t> m_columns;
    std::vector<float> m_values;
    RepulsionMesh m_mesh;
    std::vector<float> m_repulsion;
};

} // namespace headscope
