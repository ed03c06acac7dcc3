// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstdint>
#include <vector>

namespace headscope::test
{

/// Vectors like those of attention heads: rows are documents outer, heads inner.
struct HeadClouds
{
    MatrixF vectors;                    ///< [N * H, D]
    std::vector<std::int32_t> head;     ///< [N * H]
    std::vector<std::int32_t> document; ///< [N * H]
    std::vector<std::int32_t> topic;    ///< [N * H], 40 topics
};

/// Separated clouds, one per head, each with the same topics inside; weak and strong heads.
/// The same bytes everywhere for the same arguments (counter-based numbers, sums in double).
/// @param rows  documents x heads, rounded down to whole documents
[[nodiscard]] HeadClouds headLikeClouds(std::int64_t rows, std::int64_t dims, std::int64_t heads,
                                        std::uint64_t seed = 1);

/// The same, with heads of one group of four sharing their mean: a probe finds 0.7 to 0.98.
[[nodiscard]] HeadClouds overlappingClouds(std::int64_t rows, std::int64_t dims, std::int64_t heads,
                                           std::uint64_t seed = 1);

/// One blob of 24 latent dimensions with slowly falling variances: hard for approximate neighbours.
[[nodiscard]] MatrixF hardCloud(std::int64_t rows, std::int64_t dims, std::uint64_t seed = 1);

/// Every row of the first half stands again, bit for bit, in the second half.
[[nodiscard]] MatrixF duplicatedCloud(std::int64_t rows, std::int64_t dims, std::uint64_t seed = 1);

/// A hard cloud whose last row is a million away.
[[nodiscard]] MatrixF outlierCloud(std::int64_t rows, std::int64_t dims, std::uint64_t seed = 1);

} // namespace headscope::test
