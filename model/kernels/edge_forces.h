// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// Rows of edges start at multiples of this; what is missing is filled up with affinities of 0.
inline constexpr std::int64_t kEdgePadding = 16;

/// The edges of consecutive points of a 2-D map, in compressed rows.
///
/// Affinities are float32, or float16 to be multiplied by `scale`: with millions of edges the time of an iteration is
/// that of reading them.
struct EdgeRows
{
    const std::int32_t* start = nullptr;   ///< [rows + 1] multiples of kEdgePadding
    const std::int32_t* columns = nullptr; ///< [start[rows]] other ends, points of the map
    const float* values = nullptr;         ///< [start[rows]], or null
    const std::uint16_t* halves = nullptr; ///< [start[rows]] when values is null
    float scale = 1;                       ///< affinity = scale times what is stored
};

/// What the edges pull: sum_j p_j (y - y_j) / (1 + |y - y_j|^2 / a) of every row, for the Student
/// kernel (1 + r^2 / a)^-a.
/// @param xy           interleaved coordinates of the whole map
/// @param first, rows  the points whose edges these are
/// @param inverse      1 / a
/// @param into         [rows, 2]
/// @param logSum       when given, has sum p ln(1 + |y - y_j|^2 / a) over all edges added
/// @threads reentrant
void edgeForces(const float* xy, std::int64_t first, std::int64_t rows, const EdgeRows& edges, float inverse,
                float* into, double* logSum);

} // namespace headscope
