// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// Sums of the Student kernel k = (1 + |y - y_j|^2 / a)^-a around one point of a 2-D map, and of
/// u = 1 / (1 + |y - y_j|^2 / a); with a = 1 both are 1 / (1 + |y - y_j|^2).
struct StudentSums
{
    double potential = 0;   ///< sum_j k (the point itself adds 1 when it is among them)
    double forceX = 0;      ///< sum_j k u (x - x_j)
    double forceY = 0;      ///< sum_j k u (y - y_j)
    double attractionX = 0; ///< sum_j p_j u (x - x_j)
    double attractionY = 0; ///< sum_j p_j u (y - y_j)
    double logSum = 0;      ///< sum_j p_j ln(1 + |y - y_j|^2 / a), when asked for
};

/// The sums over `count` points; coordinates apart, [count] each. `affinities` [count] may be null.
/// float32 lanes, flushed into double every few hundred points: relative error about 1e-6.
/// @param degrees  a, above 0
/// @threads reentrant
[[nodiscard]] StudentSums studentSums(const float* x, const float* y, std::int64_t count, float pointX, float pointY,
                                      const float* affinities, bool withLogarithms, double degrees = 1.0);

} // namespace headscope
