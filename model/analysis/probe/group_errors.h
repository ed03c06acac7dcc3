// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/probe_baseline_results.h"
#include "model/data/results/probe_result.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// Whether a probe's errors stay inside these groups more often than inside others of the same sizes.
///
/// The null of rank and p: which heads form a group has nothing to do with which are confused with each other. All
/// groupings of the classes into groups of the same sizes are compared where there are at most `mostGroupings` (9
/// heads in 3 groups: 280), else so many drawn ones; the observed one always counts, so p is never below 1 / groupings.
/// @param groupOf        [classes] any number for each group
/// @param mostGroupings  at least 1
/// @return without an error: share, interval and p are NaN
/// @cost   classes^2 for each grouping, rows once
[[nodiscard]] GroupErrors groupErrors(const ProbeResult& probe, std::span<const std::int64_t> groupOf,
                                      std::uint64_t seed, std::int64_t mostGroupings = 10'000);

} // namespace headscope
