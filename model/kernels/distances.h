// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// Squared Euclidean distances of one query to some rows, from direct differences in double.
///
/// out[i] = sum_k (scale * query[k] - scales[r] * rows[r * stride + k])^2 with r = ids[i], or r = i
/// where ids is null; scales null means 1. The sum runs in the same order wherever a pair stands,
/// so equal vectors have equal bits, and the distance of (a, b) is that of (b, a).
/// @threads reentrant
/// @cost    dims * count multiply-adds in double
void squaredDistances(const float* query, double scale, const float* rows, std::int64_t stride, const double* scales,
                      const std::int32_t* ids, std::int64_t count, std::int64_t dims, double* out);

/// Squared length of a vector, summed in double.
[[nodiscard]] double squaredNorm(const float* values, std::int64_t dims);

/// Dot product, summed in double.
[[nodiscard]] double dotProduct(const float* a, const float* b, std::int64_t dims);

/// Index of the smallest values[j] + bias[j], the lower one of equals; 0 when none is finite.
/// @param count  at least 1
[[nodiscard]] std::int64_t smallestOf(const float* values, const float* bias, std::int64_t count);

/// How far scanBelow came.
struct ScanStep
{
    std::int64_t consumed = 0; ///< values looked at
    std::int64_t appended = 0; ///< values kept
};

/// Room that scanBelow needs behind the last value it may keep.
inline constexpr std::int64_t kScanSlack = 64;

/// Keeps what is not above a threshold: values[j] + bias[j] <= threshold goes to keptValues, and
/// firstId + j to keptIds, in ascending order of j. Stops early when fewer than kScanSlack places
/// of `room` are left; the caller makes room and goes on.
/// @threads reentrant
/// @cost    one addition and one comparison per value
[[nodiscard]] ScanStep scanBelow(const float* values, const float* bias, std::int64_t count, float threshold,
                                 std::int32_t firstId, float* keptValues, std::int32_t* keptIds, std::int64_t room);

/// What scanBothWays kept of one row of products.
struct BothWaysStep
{
    std::int64_t row = 0;    ///< kept for the row
    std::int64_t column = 0; ///< kept for the columns
};

/// One row of products, looked at from both ends of each pair: values[j] + bias[j] <= rowLimit keeps
/// the column for the row, values[j] + rowBias <= limits[j] keeps the row for the column.
///
/// Writes the sums and firstId + j, in ascending order of j, to the row's and to the columns' lists.
/// @param values, bias, limits  [count], readable up to kScanSlack numbers beyond
/// @param rowValues, rowIds, columnValues, columnIds  room for count + kScanSlack each
/// @threads reentrant
/// @cost    two additions and two comparisons per value
[[nodiscard]] BothWaysStep scanBothWays(const float* values, const float* bias, const float* limits, std::int64_t count,
                                        float rowBias, float rowLimit, std::int32_t firstId, float* rowValues,
                                        std::int32_t* rowIds, float* columnValues, std::int32_t* columnIds);

} // namespace headscope
