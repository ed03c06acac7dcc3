// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// Rank in a random sample of all points that the k nearest of a point hardly ever reach: with a probability of at most
/// kMissedShare as many of them are in the sample, beside the point itself, which counts as the first.
/// @param share  of all points that are in the sample, above 0 and below 1
[[nodiscard]] std::int64_t safeRank(std::int64_t k, double share);

inline constexpr double kMissedShare = 5e-4;

} // namespace headscope
