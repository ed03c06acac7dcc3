// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace headscope
{

/// Order of the B-splines that carry points to a mesh and back: each touches 6 x 6 nodes.
inline constexpr int kSplineOrder = 6;
/// Columns that spreading and reading touch to the right of a point's first node.
inline constexpr int kSplineWidth = 8;

/// Weights of the nodes a .. a + 5 for a point at a + t, t in [0, 1); in double.
[[nodiscard]] std::array<double, kSplineOrder> splineWeights(double t);

/// Adds unit charges at mesh coordinates (x[i], y[i]) >= 0 to grid[row * stride + column], in the
/// order of i. The grid must reach kSplineWidth columns and kSplineOrder rows past every point.
/// @threads reentrant on separate rows
void spreadCharges(const float* x, const float* y, std::int64_t count, float* grid, std::int64_t stride);

/// What a single unit charge reads back from itself, by its offset in the cell: potential, gradient in mesh units,
/// and a zero that pads them to four.
struct MeshSelfTable
{
    const float* terms = nullptr; ///< [steps + 1, steps + 1, 4] over ty, tx; null: nothing is subtracted
    std::int64_t steps = 0;
};

/// Potential on a mesh read back at the same kind of coordinates, with its gradient in mesh units.
/// @param self  subtracted, interpolated between its entries
/// @param out   [count, 4] potential, d/dx, d/dy, 0
void readPotential(const float* x, const float* y, std::int64_t count, const float* grid, std::int64_t stride,
                   const MeshSelfTable& self, float* out);

} // namespace headscope
