// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace headscope::viz
{

/// How crowded a point's place in its map is: the share of points that lie in thinner places,
/// 0 (the loneliest) .. below 1; NaN for a point that is not finite.
///
/// Points are counted in windows of about 2% of the map's side, smoothed twice; what is ranked are
/// those counts.
/// @param xy  [P, 2]
/// @threads result independent of their number
/// @cost    three passes over the points
[[nodiscard]] std::vector<float> pointDensities(std::span<const float> xy, int numThreads);

} // namespace headscope::viz
