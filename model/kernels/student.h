// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// Sums of the Student kernel k = 1 / (1 + |y - y_j|^2) around one point of a 2-D map.
struct StudentSums
{
    double potential = 0;   ///< sum_j k (the point itself adds 1 when it is among them)
    double forceX = 0;      ///< sum_j k^2 (x - x_j)
    double forceY = 0;      ///< sum_j k^2 (y - y_j)
    double attractionX = 0; ///< sum_j p_j k (x - x_j)
    double attractionY = 0; ///< sum_j p_j k (y - y_j)
    double logSum = 0;      ///< sum_j p_j ln(1 + |y - y_j|^2), when asked for
};

/// The sums over `count` points; coordinates apart, [count] each. `affinities` [count] may be null.
/// float32 lanes, flushed into double every few hundred points: relative error about 1e-6.
/// @threads reentrant
[[nodiscard]] StudentSums studentSums(const float* x, const float* y, std::int64_t count, float pointX, float pointY,
                                      const float* affinities, bool withLogarithms);

/// Rows of a sparse matrix that edgeSums reads are padded to this many edges with value 0.
inline constexpr std::int64_t kEdgePadding = 8;

/// The attraction sums (and logSum, when asked for) over the edges of one point.
/// @param xy      interleaved coordinates of all points
/// @param columns [count] other ends; count a multiple of kEdgePadding
/// @param values  [count] affinities
[[nodiscard]] StudentSums edgeSums(const float* xy, std::int64_t point, const std::int32_t* columns,
                                   const float* values, std::int64_t count, bool withLogarithms);

} // namespace headscope
