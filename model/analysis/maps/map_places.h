// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/matrix.h"

#include <cstdint>

namespace headscope
{

/// The positions of `points` in another map, as the start of a new one.
///
/// A point that the other map lacks begins among the points of its document, or without any in the
/// middle of the map.
/// @return  [P, 2]
[[nodiscard]] MatrixF placesIn(const HeadMap& map, const PointIds& points);

/// Moves points by Gaussian noise; how depends on the seed and on `turn` alone.
/// @param xy     [P, 2], centred
/// @param share  of the root of their mean square, the standard deviation of the noise
/// @param turn   how often noise was added to this map before
void addNoise(MatrixF& xy, double share, std::uint64_t seed, std::uint64_t turn);

} // namespace headscope
