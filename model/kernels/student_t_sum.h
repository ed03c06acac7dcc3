// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// Sum of the Student kernel 1 / (1 + |y_i - y_j|^2) over a rectangle of pairs, in double throughout.
///
/// Two quotients share one division, 1/a + 1/b = (a + b) / (a b): relative error a few 1e-16.
/// @param x, y  coordinates of a 2-D map, apart
/// @param rowBegin, rowEnd, columnBegin, columnEnd  i and j
/// @threads reentrant
/// @cost    half a division and six other operations a pair
[[nodiscard]] double studentPairSum(const double* x, const double* y, std::int64_t rowBegin, std::int64_t rowEnd,
                                    std::int64_t columnBegin, std::int64_t columnEnd);

} // namespace headscope
