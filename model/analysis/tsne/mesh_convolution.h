// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/kernels/mesh_splines.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope
{

/// Applies the Student kernel to charges on a square mesh, by Fourier transforms with a fixed partition of the mesh
/// (rows one by one, columns in groups of 16), so that any number of threads gives the same bits.
/// @threads one call at a time
class MeshConvolution
{
public:
    /// @param side     nodes along one side of the padded, periodic mesh; even
    /// @param spacing  distance of the nodes
    /// @param shifted  whether 1 is taken off the kernel: on a narrow mesh the constant would drown
    ///                 the rest in float32
    /// @param degrees  a of the kernel (1 + r^2/a)^-a
    MeshConvolution(std::int64_t side, double spacing, bool shifted, double degrees = 1.0, int numThreads = 1);
    ~MeshConvolution();
    MeshConvolution(const MeshConvolution&) = delete;
    MeshConvolution& operator=(const MeshConvolution&) = delete;

    [[nodiscard]] std::int64_t side() const { return m_side; }
    [[nodiscard]] double spacing() const { return m_spacing; }
    /// Charges may stand on the first used() rows and columns.
    [[nodiscard]] std::int64_t used() const { return m_side / 2; }

    /// Replaces charges by potentials, in place.
    /// @param grid  [used, stride], used <= stride
    void apply(float* grid, std::int64_t stride, int numThreads);

    /// Potential and gradient that a single unit charge reads back from itself, to be subtracted from what points
    /// read: the kernel's own value, and the error of the mesh. Valid as long as this object.
    [[nodiscard]] MeshSelfTable selfTable() const;

    /// The smallest side of at least `needed` nodes among sizes that are fast to transform, in steps of about 8% so
    /// that plans and spectra serve many iterations.
    [[nodiscard]] static std::int64_t sideFor(std::int64_t needed);

private:
    struct Plans;

    void makeSpectrum(bool shifted, double degrees, int numThreads);
    void makeSelfTable(int numThreads);
    void multiplySpectrum(float* column, const float* factors) const;

    std::int64_t m_side;
    double m_spacing;
    std::int64_t m_columns;        ///< complex numbers of a row, padded to groups
    std::vector<float> m_spectrum; ///< [side/2 + 1, side/2 + 1]: real, even in both directions
    std::unique_ptr<Plans> m_plans;
    std::vector<float> m_self; ///< [kSelfSteps + 1, kSelfSteps + 1, 4] over the offsets ty, tx
};

} // namespace headscope
