// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// A motion of the plane: y = scale R x + shift, R a rotation or, with a mirror, a reflection.
struct PlanarMotion
{
    std::array<double, 4> rotation = {1, 0, 0, 1}; ///< R, row-major, orthogonal
    std::array<double, 2> shift = {0, 0};
    double scale = 1;
    bool mirrored = false; ///< det R = -1

    [[nodiscard]] std::array<double, 2> apply(double x, double y) const;
};

/// How one map lies best on another.
struct PlanarFit
{
    PlanarMotion motion;
    /// Procrustes correlation, 0..1: 1 = the same shape up to motion and scale, whatever the scaling
    /// asked for. 1 - its square is the Procrustes disparity. 0 where a map is a single point.
    double correlation = 0;
};

enum class MapScaling
{
    None,   ///< distances stay what they are: sizes of maps may be compared
    Fitted, ///< the scale that brings the points nearest: below 1 the less the maps agree
    Spread, ///< the scale that gives both maps one spread, so that maps that differ stay as large
};

/// The motion that brings `from` nearest to `onto`: least sum of squared distances of equal rows.
///
/// In the plane no singular value decomposition is needed. With the centred points as complex
/// numbers a and b, the best rotation is the argument of sum conj(a) b and the best reflection that
/// of sum a b; the one of the larger modulus wins, the rotation where they are equal.
/// @param from,onto  [P, 2] finite, P >= 1, row i of one belongs to row i of the other
/// @errors  ShapeMismatch
/// @threads reentrant; serial sums in double
/// @source  Gower 1975 (doi 10.1007/BF02291478); Dryden & Mardia 2016, section 7.5, for the form in complex numbers
[[nodiscard]] Result<PlanarFit> fitMotion(ConstMatrixView from, ConstMatrixView onto,
                                          MapScaling scaling = MapScaling::None);

/// Moves the points of a map, [P, 2], computed in double.
void applyMotion(const PlanarMotion& motion, MatrixView<float> xy);

/// Generalised Procrustes: the motions that bring maps of the same points nearest to their common
/// mean. Each map has one vote in that mean, whatever its size; none is scaled.
///
/// The maps are first laid onto `anchor`, which fixes the orientation of the whole, and then onto
/// the mean of the results, until the mean no longer changes (relative change 1e-9; at most 50 rounds). The result
/// does not depend on the order of the maps but for the rounding of their sum.
/// @param maps    M maps, each [P, 2] finite
/// @param anchor  [P, 2]
/// @return  M fits onto the mean, whose centre is the origin
/// @errors  ShapeMismatch, Cancelled
/// @cost    O(M P) a round, some 5 rounds; memory for two maps in double
/// @source  Gower 1975 (doi 10.1007/BF02291478)
[[nodiscard]] Result<std::vector<PlanarFit>> alignMaps(std::span<const MatrixF> maps, ConstMatrixView anchor,
                                                       JobContext& job);

} // namespace headscope
