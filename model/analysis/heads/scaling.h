// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/data/matrix.h"

namespace headscope
{

/// A plane in which distances between items are kept as well as two dimensions allow.
struct ScaledPlane
{
    MatrixD xy;        ///< [n, 2], mean zero, first axis the longer one
    double stress = 0; ///< sqrt(sum (d_ij - delta_ij)^2 / sum delta_ij^2), i < j (Kruskal's stress-1 on raw distances)
    int iterations = 0;
};

/// Metric multidimensional scaling by SMACOF, from the classical solution.
///
/// @param distances  [n, n] symmetric, not negative, zero diagonal; NaN entries have no weight
/// @return the plane; deterministic: signs are fixed by the largest coordinate of each axis
/// @errors  InvalidArgument (not square, negative entries), Cancelled
/// @cost    O(n^3) once, then O(n^2) an iteration; at most 1000, until the stress changes by less than 1e-10
/// @source  Torgerson 1952 (start; doi 10.1007/BF02288916), de Leeuw 1977 (majorisation)
[[nodiscard]] Result<ScaledPlane> scaleToPlane(const MatrixD& distances, JobContext& job);

} // namespace headscope
