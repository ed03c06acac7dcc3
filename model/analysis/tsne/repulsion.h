// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace headscope
{

/// Sums of t-SNE's repulsion over all other points, k_ij = (1 + |y_i - y_j|^2 / a)^-a: forces
/// sum_j k_ij (y_i - y_j) / (1 + |y_i - y_j|^2 / a), not divided by Z, and Z = sum over ordered
/// pairs of k_ij. With a = 1 the kernel is 1 / (1 + r^2), and the forces hold its square.
///
/// Exact, in float32 lanes with double sums. Equal points add 1 to Z and nothing to the force.
/// @param xy         [P, 2] interleaved positions
/// @param force      [P, 2] receives the forces
/// @param potential  [P] receives sum_j k_ij, or empty
/// @param degrees    a, above 0
/// @param job        when given: once a stop is requested the rest is skipped and the result is invalid
/// @return Z
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    P^2 kernel values, about 1 ns a thread for each 8
double exactRepulsion(std::span<const float> xy, int numThreads, std::span<float> force,
                      std::span<double> potential = {}, double degrees = 1.0, const JobContext* job = nullptr);

/// The same on a particle mesh, for many points: O(P + span^2 log span).
///
/// Since grad (1 + r^2/a)^-a = -2 r (1 + r^2/a)^(-a-1), the one potential phi_i = sum_j k_ij gives
/// both Z and the force -1/2 grad phi. Unit charges go to a mesh of spacing 1/3 by B-splines of order 6, the
/// kernel is applied by fast Fourier transforms on the mesh padded to twice its size, and phi is
/// read back with the same splines. The kernel's spectrum is kept from one call to the next.
/// @source FIt-SNE (Linderman et al. 2019, doi 10.1038/s41592-018-0308-4) for the mesh; smooth particle-mesh Ewald
///         (Essmann et al. 1995, doi 10.1063/1.470117) for splines and their deconvolution; the correction for a
///         single charge is our own
/// @threads one call at a time; uses `numThreads` threads; result independent of their number
class RepulsionMesh
{
public:
    explicit RepulsionMesh(double degrees = 1.0);
    ~RepulsionMesh();
    RepulsionMesh(RepulsionMesh&&) noexcept;
    RepulsionMesh& operator=(RepulsionMesh&&) noexcept;

    /// Arguments and result as exactRepulsion.
    double apply(std::span<const float> xy, int numThreads, std::span<float> force, std::span<double> potential = {},
                 const JobContext* job = nullptr);

    /// Nodes along one side of the padded mesh of the last call.
    [[nodiscard]] std::int64_t side() const;
    /// Distance of its nodes.
    [[nodiscard]] double spacing() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace headscope
